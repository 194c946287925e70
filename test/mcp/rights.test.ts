import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type connectAgent, EVERYTHING, type FirmOfAgents, startFirmOfAgents } from "./agents";
import { COMPANIES, startOwnProvider, toId, toRevenue } from "./provider";

type Agent = Awaited<ReturnType<typeof connectAgent>>;

const [AOBA] = COMPANIES as [(typeof COMPANIES)[number]];
/** Some of what the rankings do not give. */
const SECRETS = [AOBA.name, AOBA.english, toId(1), String(toRevenue(1, 2022))];

let firm: FirmOfAgents;
let ada: Agent;
let ben: Agent;

beforeAll(async () => {
  const roles = { ...EVERYTHING, rankings: { families: ["rankings"], countries: "ALL" } } as const;
  firm = await startFirmOfAgents({ provider: await startOwnProvider(), roles });
  [ada, ben] = await Promise.all([firm.connect("ada"), firm.connect("ben", ["rankings"])]);
});
afterAll(async () => {
  await Promise.all([ada.close(), ben.close()]);
  await firm.close();
});

/** Calls with what is there, and with what is not. */
const CALLS: readonly [
  tool: string,
  toArguments: (asked: string) => object,
  there: string,
  none: string,
  said?: string,
][] = [
  ["find_companies", (text) => ({ text }), AOBA.english, "Nobody at all"],
  ["match_companies", (name) => ({ names: [name] }), AOBA.name, "Nobody at all"],
  ["get_financials", (id) => ({ companies: [id], years: "2022" }), toId(1), toId(99)],
  ["run_formula", (id) => ({ formula: `FEED.FINANCIAL("${id}",2022,"Revenue")` }), toId(1), toId(99)],
  ["run_formula", (node) => ({ formula: `ROWS(FEED.CONSTITUENTS("${node}",,"JPN"))` }), "S1", "S9", '"rows":[[1]]'],
];

it.each(CALLS)(
  "a person without the family learns nothing by %s: what is there and what is not look the same",
  async (...call) => {
    const [name, toArguments, there, none, said = "FEED_SCOPE_MISSING"] = call;
    const ask = (agent: Agent, asked: string) => agent.callTool({ name, arguments: { ...toArguments(asked) } });
    expect((await ask(ada, there)).isError).toBeUndefined();
    const refused = JSON.stringify(await ask(ben, there)).replaceAll(there, "ASKED");
    expect(refused).toBe(JSON.stringify(await ask(ben, none)).replaceAll(none, "ASKED"));
    expect(refused).toContain(said);
    expect(SECRETS.filter((secret) => refused.includes(secret))).toEqual([]);
  },
);

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { toFormulaCell, toRow } from "../refresh/workbooks";
import { toFile, toParts, toSheet } from "../xlsx/files";
import { EVERYTHING, startFirmOfAgents } from "./agents";
import { startPairedAgent } from "./paired-agent";
import { COMPANIES, startOwnProvider, toId, toRevenue } from "./provider";

type Answer = NonNullable<NonNullable<Parameters<typeof startOwnProvider>[0]>["answer"]>;

/** What no refusal may hold. */
const SECRETS = COMPANIES.flatMap(({ n, name, english }) => [name, english, toId(n), String(toRevenue(n, 2022))]);

/** Who reads everything, and others by what they read. */
interface People {
  ada: Client;
  others: Record<string, Client>;
  close(): Promise<unknown>;
}

const BOOKS = { "There.xlsx": toId(1), "None.xlsx": toId(99) };

/** Two people with a companion each, since one that signs or relays reads for its client, whoever is paired with it. */
async function openPaired(mode: "sign" | "relay"): Promise<People> {
  const start = async (mayRead: boolean) => {
    const agent = await startPairedAgent(mode, await startOwnProvider({ mayRead }));
    for (const [name, id] of Object.entries(BOOKS)) {
      const cell = toFormulaCell("A1", `_xldudf_FEED_FINANCIAL("${id}",2022,"Revenue")`, 1);
      writeFileSync(join(agent.folder, name), toFile(toParts(toSheet(toRow(1, cell)))));
    }
    return agent;
  };
  const [ada, ben] = await Promise.all([start(true), start(false)]);
  return { ada: ada.client, others: { nothing: ben.client }, close: () => Promise.all([ada.close(), ben.close()]) };
}

async function openFirm(): Promise<People> {
  const { families } = EVERYTHING.everything!;
  const roles = {
    ...EVERYTHING,
    singapore: { families, countries: ["SGP"] },
    rankings: { families: ["rankings"], countries: "ALL" },
  } as const;
  const firm = await startFirmOfAgents({ provider: await startOwnProvider(), roles });
  const [ada, ben, cy] = await Promise.all([
    firm.connect("ada"),
    firm.connect("ben", ["singapore"]),
    firm.connect("cy", ["rankings"]),
  ]);
  return {
    ...{ ada, others: { "another country": ben, rankings: cy } },
    async close() {
      await Promise.all([ada, ben, cy].map((each) => each.close()));
      await firm.close();
    },
  };
}

const MODES = [
  ["sign", () => openPaired("sign")],
  ["relay", () => openPaired("relay")],
  ["firm", openFirm],
] as const;

/** A call with what is there, and with what is not; and which of the others may tell these apart. */
type Call = readonly [tool: string, toArguments: (asked: string) => object, there: string, none: string, may?: string];

const NAME = [COMPANIES[0]!.name, "Nobody at all"] as const;
/** Each of a company that no other call asks for: a refusal is not asked for again at once. */
const toIds = (n: number) => [toId(n), toId(90 + n)] as const;

/** All that a formula can make of a refusal. */
const AROUND =
  'ROWS(#)&COUNTA(#)&ISERROR(#)&IFERROR(#,"none")&IFNA(#,0)&IFERROR(LEN(#),"-")&FEED.STATUS("stale")&FEED.STATUS()';

const CALLS: readonly Call[] = [
  ["find_companies", (text) => ({ text }), ...NAME],
  ["match_companies", (name) => ({ names: [name] }), ...NAME],
  ["get_company", (company) => ({ company }), ...toIds(1)],
  ["get_financials", (id) => ({ companies: [id], years: "2022" }), ...toIds(1)],
  ["list_taxonomy", (company) => ({ list: "peers", company }), ...toIds(1)],
  ["list_taxonomy", (node) => ({ list: "constituents", node }), "S1", "S9", "another country"],
  ["get_rankings", (period) => ({ show: "ranking", period }), "2024-01", "2009-01", "rankings"],
  ["run_formula", (id) => ({ formula: `FEED.FINANCIAL("${id}",2022,"Revenue")` }), ...toIds(2)],
  ["run_formula", (id) => ({ formula: AROUND.replaceAll("#", `FEED.COMPANY("${id}","city")`) }), ...toIds(2)],
  ["refresh_workbook", (workbook) => ({ workbook, write: true }), "There.xlsx", "None.xlsx"],
];

const NAMERS = ["find_companies", "match_companies"];

/** What a person learns by asking: the answer without times and the words asked by, and how many requests it took. */
async function learn(agent: Client, [name, toArguments]: Call, asked: string) {
  let requests = 0;
  const onprogress = ({ progress }: { progress: number }) => {
    // Names are looked up in the same lists, which are read again some seconds after a refusal.
    if (!NAMERS.includes(name)) requests = progress;
  };
  const answer = await agent.callTool({ name, arguments: { ...toArguments(asked) } }, undefined, { onprogress });
  const words = [asked, BOOKS[asked as keyof typeof BOOKS] ?? asked];
  const text = words.reduce((left, word) => left.replaceAll(word, "ASKED"), JSON.stringify(answer));
  return { requests, isError: answer.isError, text: text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME") };
}

it("a search says which companies it left out, since its client may not read them", async () => {
  const answer: Answer = ({ path }) => (/taxonomies/.test(path) ? { status: 403, json: {} } : undefined);
  const agent = await startPairedAgent("sign", await startOwnProvider({ answer }));
  const [name] = NAME;
  const answers = await Promise.all([
    agent.client.callTool({ name: "find_companies", arguments: { text: name } }),
    agent.client.callTool({ name: "match_companies", arguments: { names: [name] } }),
  ]);
  const notes = ["Not searched: classified companies, which this client may not read."];
  expect(answers).toMatchObject(Array(2).fill({ structuredContent: { notes } }));
  await agent.close();
});

describe.each(MODES)("in %s mode", (mode, open) => {
  let people: People;
  beforeAll(async () => {
    people = await open();
  });
  afterAll(() => people.close());

  const calls = CALLS.filter(([tool]) => mode !== "firm" || tool !== "refresh_workbook");

  it.each(calls.map((each) => [each[0], each[2], each] as const))(
    "a person without the right learns nothing by %s of %s",
    async (_tool, there, each) => {
      const [, , , none, may] = each;
      const askAsOther = async ([rights, agent]: [string, Client]) => {
        if (rights === may) return;
        const refused = await learn(agent, each, there);
        expect(refused).toEqual(await learn(agent, each, none));
        if (refused.isError) expect(refused.text).toContain("FEED_SCOPE_MISSING");
        expect(SECRETS.filter((secret) => refused.text.includes(secret))).toEqual([]);
      };
      const [known] = await Promise.all([
        learn(people.ada, each, there),
        ...Object.entries(people.others).map(askAsOther),
      ]);
      expect(known!.isError).toBeUndefined();
    },
  );

  it("everybody is offered the same tools and resources", async () => {
    const list = async (agent: Client) => [await agent.listTools(), await agent.listResources()];
    const wanted = await list(people.ada);
    for (const agent of Object.values(people.others)) expect(await list(agent)).toEqual(wanted);
  });
});

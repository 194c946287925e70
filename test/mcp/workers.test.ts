import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { MAIN, openHome, toHome } from "../companion/programs";
import { type RunningProvider, startSandbox } from "../support/provider";
import { type FirmOfAgents, startFirmOfAgents } from "./agents";

const home = openHome();
/** A worker takes a while to fill its memory. */
const LIMIT_MS = 120_000;
const RANKING = { name: "run_formula", arguments: { formula: 'FEED.RANKING("2024-01",,3)' } };

let provider: RunningProvider;
let firm: FirmOfAgents;

beforeAll(async () => {
  provider = await startSandbox({ companies: 20 });
  firm = await startFirmOfAgents({ provider });
});
afterAll(() => firm.close());

it("an agent goes on in its session after others' agents have ended its worker", async () => {
  const ada = await firm.connect("ada");
  const first = await ada.callTool(RANKING);
  const others = [];
  for (const name of ["ben", "cy", "di", "eve"]) others.push(await firm.connect(name));
  const { rows } = first.structuredContent as { rows: unknown[] };
  expect(rows).toHaveLength(4);
  expect(await ada.callTool(RANKING)).toMatchObject({ structuredContent: { rows } });
  await Promise.all([ada, ...others].map((agent) => agent.close()));
});

it(
  "a call that needs too much memory fails alone, and a later one works",
  async () => {
    const [ada, ben] = await Promise.all([firm.connect("ada"), firm.connect("ben")]);
    const { structuredContent } = await ben.callTool(RANKING);
    const many = Array(20).fill("SEQUENCE(700,700)"); // each within what a result may have
    const formula = `SUM(${many})+SUM(FEED.RANKING("2024-01",,3,"totalPageViews",,FALSE))`;
    const [large, meanwhile] = await Promise.allSettled([
      ada.callTool({ name: "run_formula", arguments: { formula } }),
      ben.callTool(RANKING),
    ]);
    expect(large).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("try again") } });
    expect(meanwhile).toMatchObject({ status: "fulfilled", value: { structuredContent } });
    const { rows } = structuredContent as { rows: unknown[] };
    expect(await ada.callTool(RANKING)).toMatchObject({ structuredContent: { rows } });
    await Promise.all([ada.close(), ben.close()]);
  },
  LIMIT_MS,
);

const ANY_ID = 'FEED.UNIVERSE("JPN","PRIVATE",1,"companyId",FALSE)';

/** Calls of each tool but that for files, which HTTP has not: answers, pages, failures, and one above the budget. */
const listCalls = (id: string): [name: string, given: Record<string, unknown>][] => [
  ["find_companies", { text: "Co" }],
  ["match_companies", { names: ["Nobody at all", ""] }],
  ["get_company", { company: id }],
  ["get_company", { company: "00000000-0000-4000-8000-000000000000" }],
  ["get_financials", { companies: [id, "no-company"], years: "2022-2023", limit: 3, offset: 2 }],
  ["get_financials", {}],
  ["list_taxonomy", { list: "tree", limit: 5 }],
  ["list_taxonomy", { list: "peers" }],
  ["get_rankings", { show: "ranking", period: "2024-01", top: 5, offset: 9 }],
  ["get_rankings", { show: "trend", period: "2023-01-01:2023-12-31" }],
  ["run_formula", { formula: "FEED.FINANCIALS(1" }],
  ["run_formula", { formula: 'FEED.FINANCIALS("no-company","revenue",2023)' }],
  ["no_tool", {}],
];

/** Lists and reads what is offered, and calls it; without times, and whether a key or a person's pairing read. */
async function transcribe(client: Client): Promise<unknown[]> {
  const { resources } = await client.listResources();
  const read = (uri: string) => client.readResource({ uri }).catch(({ code, message }) => ({ code, message }));
  const [first, ...others] = [...resources.map(({ uri }) => uri), "feed://nothing"];
  const answers: unknown[] = [
    await client.listTools(),
    resources,
    await client.listResourceTemplates(),
    await read(first!),
  ];
  answers.push(await read(others.at(-1)!));
  const { structuredContent } = await client.callTool({ name: "run_formula", arguments: { formula: ANY_ID } });
  const [[id]] = (structuredContent as { rows: [[string]] }).rows;
  for (const [name, given] of listCalls(id)) answers.push(await client.callTool({ name, arguments: given }));
  const text = JSON.stringify(answers).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
  return JSON.parse(text.replaceAll(/(mode\\?":\\?")(key|pairing)/g, "$1MODE"));
}

it("the same calls give the same answers over HTTP as over standard input and output", async () => {
  const { baseUrl, clientId, kid, privateKey } = provider;
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const settings = { FEED_BASE_URL: baseUrl, FEED_CLIENT_ID: clientId, FEED_KEY_ID: kid, FEED_PRIVATE_KEY: key };
  const env = { ...toHome(home.folder), ...settings } as Record<string, string>;
  const own = new Client({ name: "test", version: "1" });
  await own.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], env }));
  const ada = await firm.connect("ada");
  const transcript = await transcribe(ada);
  expect(transcript).toEqual(await transcribe(own));
  const text = JSON.stringify(transcript);
  const { tools } = await ada.listTools();
  expect(tools.map(({ name }) => name).filter((name) => !listCalls("").some(([called]) => called === name))).toEqual(
    [],
  );
  for (const code of ["FEED_NOT_FOUND", "FEED_ARGUMENT_INVALID", "FEED_CONFIRM_NEEDED"]) expect(text).toContain(code);
  await Promise.all([own.close(), ada.close()]);
});

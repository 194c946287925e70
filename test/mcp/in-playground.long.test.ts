import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Page } from "playwright-core";
import { MAIN, openHome, toHome } from "../companion/programs";
import { type Examples, startExamples } from "../docs/example-page";
import { clearWorkbook, readSettled, type } from "../e2e/playground-page";

const home = openHome();
const client = new Client({ name: "test", version: "1" });
let examples: Examples;
let page: Page;

beforeAll(async () => {
  examples = await startExamples();
  page = await examples.open();
  const env = toHome(home.folder) as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], env }));
}, 120_000);

afterAll(async () => {
  await client.close();
  await examples?.close();
});

const COMPANIES = ["Komorebi Education Inc.", "Yuzuriha Energy Corporation"];

it.each<[string, object]>([
  ["find_companies", { text: "高島", limit: 20 }],
  ["match_companies", { names: ["Tukikage Systms Nagoya", "Sakura Foods"] }],
  ["get_company", { company: COMPANIES[0] }],
  ["get_financials", { companies: COMPANIES, years: "2021:2023", metrics: ["Revenue", "EBIT"], unit: "m" }],
  ["list_taxonomy", { list: "peers", company: COMPANIES[0], limit: 20 }],
  ["list_taxonomy", { list: "constituents", node: "IND040101", country: "JPN" }],
  ["get_rankings", { show: "ranking", period: "2024-01", top: 10 }],
  ["get_rankings", { show: "trend", period: "2024-01:2024-03", top: 5 }],
  ["get_rankings", { show: "movers", period: "2024-03", top: 10 }],
  ["run_formula", { formula: '=SUM(FEED.RANKING("2024-01",,3,"totalPageViews",,FALSE))' }],
])(
  "the formulas that %s suggests for %j show its numbers in a workbook",
  async (name, given) => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...given } });
    const { rows, formulas } = structuredContent as { rows: unknown[][]; formulas: string[] };
    const shown = new Set<unknown>();
    for (const formula of formulas) {
      await clearWorkbook(page);
      await type(page, ["A1", formula]);
      expect(await readSettled(page, "A1")).not.toHaveProperty("error");
      for (const value of await page.evaluate(() => window.playground.range("A1:Z1200").flat())) shown.add(value);
    }
    const numbers = rows.flat().filter((each) => typeof each === "number");
    expect([formulas.length > 0, numbers.filter((each) => !shown.has(each))]).toEqual([true, []]);
  },
  120_000,
);

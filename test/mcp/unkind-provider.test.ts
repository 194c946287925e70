import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { createHome } from "../refresh/command-surroundings";
import type { Answering, Received } from "../support/http-server";
import { connect, openFormulas } from "./assistant";
import { COMPANIES, type Company, type OwnProvider, startOwnProvider, toId } from "./provider";

/** A private company and a listed one of the same name. */
const TWINS: Company[] = [
  { n: 21, name: "双子工業株式会社", english: "Futago Works Inc.", city: "Kobe", currency: "JPY" },
  {
    ...{ n: 22, name: "双子工業株式会社", english: "Futago Works Inc.", city: "Osaka", currency: "JPY" },
    ...{ ticker: "7777", isPrivate: false },
  },
];

interface Content {
  columns: string[];
  rows: unknown[][];
  total: number;
  nextOffset?: number;
  formulas: string[];
  notes?: string[];
  error?: { code: string; sentence: string; cure: string };
}

let own: OwnProvider;
let formulas: Awaited<ReturnType<typeof openFormulas>>;
let assistant: Awaited<ReturnType<typeof connect>>;
let answer: (request: Received) => Answering | undefined;
const home = createHome();

beforeAll(async () => {
  own = await startOwnProvider({
    companies: [...COMPANIES, ...TWINS],
    answer: (request) => answer(request),
  });
  formulas = await openFormulas(own, home);
  assistant = await connect(formulas);
});
beforeEach(() => {
  answer = () => undefined;
});
afterAll(async () => {
  await formulas.close();
  await own.close();
});

const ask = async (tool: string, given: object): Promise<Content & { text: string; bytes: number }> => {
  const answered: CallToolResult = await assistant.call(tool, given);
  const { text } = answered.content[0] as { text: string };
  return {
    ...(answered.structuredContent as unknown as Content),
    text,
    bytes: Buffer.byteLength(JSON.stringify(answered)),
  };
};

describe("get_company", () => {
  it("shows one company where a private and a listed one have the name", async () => {
    const { rows } = await ask("get_company", { company: "双子工業株式会社" });
    expect(rows).toContainEqual(["Company id", toId(21)]);
    expect(rows).toContainEqual(["isPublic", false]);
    expect(rows.map(([field]) => field)).not.toContain("tickerSymbol");
  });

  it.each([
    ["master data", "/private-markets/v1/companies/", 4],
    ["industries", "/industry-taxonomies/v1/companies/", 5],
  ])("fails where the provider fails for its %s, which would be missing unsaid", async (_what, part, n) => {
    answer = ({ path }) => (path.includes(part) ? { status: 500, json: { message: "boom" } } : undefined);
    const { error } = await ask("get_company", { company: toId(n) });
    expect(error?.code).toBe("FEED_SERVER_FAILED");
  });

  it("says what this client may not read, and shows the rest", async () => {
    answer = ({ path }) =>
      path.includes("/industry-taxonomies/") ? { status: 403, json: { message: "no" } } : undefined;
    const { rows, notes } = await ask("get_company", { company: toId(6) });
    expect(rows).toContainEqual(["Company id", toId(6)]);
    expect(notes).toEqual(['Not all is shown: "this client may not read that (no); ask the provider".']);
  });
});

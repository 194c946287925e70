import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Answering } from "../../support/http-server";
import { type ScriptedFormulas, startScriptedFormulas } from "../../support/scripted-formulas";
import { createWire, readWhole } from "../wire";

const COMPANY = "00000000-0000-4000-8000-000000000001";
const NO_NUMBER = "is no number in the provider's answer; report it to the provider";

describe("a number that JSON or a computer cannot represent", () => {
  let stage: ScriptedFormulas;
  let answering: Answering;
  beforeAll(async () => {
    stage = await startScriptedFormulas(({ path }) =>
      path.startsWith("/companion/") || path === "/token" ? undefined : answering,
    );
  });
  afterAll(() => stage.close());
  beforeEach(() => stage.formulas.session.feed.reset());

  const show = async (name: string, ...parameters: unknown[]) => stage.formulas.type(name, ...parameters).next();
  const answerFigure = (revenue: string, year = "") => {
    const metrics = `[{"name": "Revenue", "value": ${revenue}}, {"name": "EBIT", "value": 12.5}]`;
    const statements = `[{"statementType": "INCOME_STATEMENT", "consolidationType": "CONSOLIDATED", "metrics": ${metrics}}]`;
    answering = { text: `{"companyId": "${COMPANY}", "years": [{"year": 2023${year}, "statements": ${statements}}]}` };
  };

  const TOKENS = ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "9".repeat(310)];
  it.each(TOKENS)("fails its own cell alone: %s", async (token) => {
    answerFigure(token);
    const before = stage.requests.length;
    expect(await show("FINANCIAL", [[COMPANY]], [[2023]], [["Revenue", "EBIT"]])).toEqual([
      [`#N/A FEED_RESPONSE_MALFORMED: Revenue of 2023 ${NO_NUMBER}`, 12.5],
    ]);
    const sent = stage.requests.slice(before).filter(({ path }) => path.includes("/financials"));
    expect(sent).toHaveLength(1);
  });

  it.each(["NaN", "1e400"])("fails its own cell of a table, even if names contain the token: %s", async (token) => {
    const row = (name: string, views: string) =>
      `{"companyName": ${name}, "headquarters": "Tokyo", "totalPageViews": ${views}, "totalUniquePageViews": 1}`;
    const rows = `[${row('"NaN, Infinity: \\"1e400\\"]"', "70")}, ${row('"B"', token)}]`;
    answering = { text: `{"data": ${rows}, "page": 1, "pageSize": 100, "total": 2}` };
    expect(
      await show("RANKING", "2024-01-01", "2024-01-31", 2, [["companyName", "totalPageViews"]], null, false),
    ).toEqual([
      ['NaN, Infinity: "1e400"]', 70],
      ["B", `#N/A FEED_RESPONSE_MALFORMED: "Page views" ${NO_NUMBER}`],
    ]);
  });

  it.each([
    ["9007199254740993", 2 ** 53],
    ["-9223372036854775807", -(2 ** 63)],
    ["9223372036854775807", 2 ** 63],
  ])("is rounded if it is a whole number above 2^53: %s", async (token, nearest) => {
    answerFigure(token);
    expect(await show("FINANCIAL", COMPANY, 2023, "Revenue")).toEqual([[nearest]]);
  });

  it.each(["NaN", '"2023"'])("is not accepted as a numeric fact of a year: %s", async (token) => {
    answerFigure("7", `, "periodYear": ${token}`);
    expect(await show("FINANCIAL", [[COMPANY]], [[2023]], [["periodYear", "Revenue"]])).toEqual([
      [`#N/A FEED_RESPONSE_MALFORMED: periodYear of 2023 ${NO_NUMBER}`, 7],
    ]);
  });
});

/** A value of an answer; `token` marks a number that JSON cannot represent. */
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    texts(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, 0, 2 ** 53, 1e308, 5e-324),
    fc
      .constantFrom("NaN", "-NaN", "Infinity", "-Infinity", "1e400", "-2.5E+400", "9".repeat(310))
      .map((token) => ({ token })),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(texts(), tie("json"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

function texts() {
  return fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("NaN,", '\\":NaN]', "1e400}", "\\"));
}

function write(part: unknown, toToken: (token: string) => string): string {
  if (typeof part !== "object" || part === null) return JSON.stringify(part);
  if (Array.isArray(part)) return `[${part.map((each) => write(each, toToken)).join(" , ")}]`;
  if ("token" in part && typeof part.token === "string") return toToken(part.token);
  return `{${Object.entries(part).map(([name, each]) => `${JSON.stringify(name)}:${write(each, toToken)}`)}}`;
}

it("an answer with invalid number tokens reads as the same JSON with a text for each token", async () => {
  const law = fc.asyncProperty(json, async (drawn) => {
    const { body } = await readWhole(new Response(write([drawn], (token) => token)));
    expect(body).toEqual(JSON.parse(write([drawn], (token) => `"${token}"`)));
  });
  await fc.assert(law, { seed: 7, numRuns: 300 });
});

describe("a truncated answer with invalid number tokens", () => {
  const wire = createWire();
  afterEach(() => wire.server.close());

  const TRUNCATED = ['{"a": NaN', '{"a": N', "NaN NaN", '{"a": nan}', '{"a": 1e400, "b": }', "[1, 2,", '["NaN'];
  it.each(TRUNCATED)("is a network failure, as without such a token: %s", async (text) => {
    await wire.startWith([{ text }]);
    expect(await wire.fail()).toMatchObject({ code: "FEED_NETWORK_FAILED", facts: { status: 200 } });
  });
});

import { describe, expect, it } from "@jest/globals";
import { type QueryResult, toText } from "../../src/refresh/query-output";

const SOURCE = { provider: "https://feed.example.com", client: "client-1", sample: false, requests: 1 };
const RESULT: QueryResult = {
  formula: '=FEED.RANKING("2024-01",,2)',
  rows: [
    ["rank", "name"],
    [1, "森永"],
    [20, 'A "B", C'],
  ],
  error: null,
  facts: null,
  asOf: "2024-02-01T00:00:00.000Z",
};
const NOTHING: QueryResult = {
  formula: "=FEED.STATUS()",
  rows: [[true], [null], [{ error: "#N/A" }], ["a\nb"]],
  error: { code: "FEED_NOT_FOUND", sentence: "no company" },
  facts: null,
  asOf: null,
};

describe("the output of formulas", () => {
  it("is CSV as of RFC 4180, a block for each formula", () => {
    expect(toText([RESULT], "csv", SOURCE)).toBe('rank,name\r\n1,森永\r\n20,"A ""B"", C"\r');
    expect(toText([NOTHING, NOTHING], "csv", SOURCE)).toBe(
      'TRUE\r\n\r\n#N/A\r\n"a\nb"\r\n\r\nTRUE\r\n\r\n#N/A\r\n"a\nb"\r',
    );
  });

  it("is a table in columns, in which Japanese characters are two wide and numbers end below each other", () => {
    expect(toText([RESULT], "table", SOURCE)).toBe('rank  name\n   1  森永\n  20  A "B", C');
    expect(toText([RESULT, NOTHING], "table", SOURCE).split("\n\n")[1]).toBe("=FEED.STATUS()\nTRUE");
  });

  it("is JSON with the types of values, errors, and where all of it is from", () => {
    const { facts: _, ...result } = RESULT;
    const { facts: __, ...nothing } = NOTHING;
    expect(JSON.parse(toText([RESULT, NOTHING], "json", SOURCE))).toEqual({ ...SOURCE, results: [result, nothing] });
    const facts = [
      [
        {
          currency: "JPY",
          periodEnd: "2024-03-31",
          statementType: null,
          consolidationType: null,
          year: 2024,
          unit: 1000,
          asOf: "2026-11-27T07:00:00.000Z",
        },
      ],
    ];
    expect(JSON.parse(toText([{ ...RESULT, facts }], "json", SOURCE)).results[0].facts).toEqual(facts);
  });
});

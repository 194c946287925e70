import { describe, expect, it } from "@jest/globals";
import { listRequests, readCases, runCase } from "./case";

/** An expected cell given by its beginning. */
interface Matcher {
  startsWith: string;
}

const isMatcher = (cell: unknown): cell is Matcher => typeof cell === "object" && cell !== null && "startsWith" in cell;

/** A matcher accepts any text with its beginning; other cells must be equal. */
function toExpected(rows: unknown[][]): unknown[][] {
  const toPattern = (text: string) => new RegExp(`^${text.replace(/[^\w ]/g, "\\$&")}`);
  return rows.map((row) =>
    row.map((cell) => (isMatcher(cell) ? expect.stringMatching(toPattern(cell.startsWith)) : cell)),
  );
}

describe("a formula over an API that answers as in the case", () => {
  it.each(readCases().map((each) => [each.name, each] as const))("%s", async (_, each) => {
    const { shown, requests, left } = await runCase(each);
    expect(shown).toEqual(toExpected(each.expected));
    expect(requests).toEqual(listRequests(each));
    expect(left).toEqual({ queries: 0, timers: 0 });
  });
});

/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import type { Finding } from "../../../src/taskpane/check/finding";
import { refreshFigures } from "../../../src/taskpane/check/refresh-figures";
import { toTexts } from "../../../src/taskpane/texts";
import { createFakeWorkbook } from "../fake-workbook";
import { cellOf, countRankings, enter, listRankings, serveSessions, session } from "../refresh-page";

serveSessions();

/** A finding that two cells show. */
const toFinding = (rule: Finding["rule"], ...addresses: string[]): Finding => {
  const places = addresses.map((address) => ({ sheet: "Sheet1", address }));
  const [place = { sheet: "Sheet1", address: "A1" }] = places;
  const evidence = places.map((each) => ({ place: each, figure: null, content: "" }));
  return { rule, gravity: "error", place, around: place, evidence, values: {}, count: 1, fix: null, key: "k" };
};

/** Refreshes a finding in a workbook of three rankings, and lists how many companies the new requests are for. */
async function refresh(finding: Finding): Promise<string[]> {
  await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!A2", 6), enter("Sheet1!A3", 7)]);
  const before = countRankings();
  const workbook = createFakeWorkbook([cellOf("A1", 5), cellOf("A2", 6), cellOf("A3", 7)]);
  await refreshFigures({ session, workbook, texts: toTexts("en"), notify: () => {}, open: () => {} }, finding);
  return listRankings()
    .slice(before)
    .map((url) => /page_size=(\d+)/.exec(url)?.[1] ?? "");
}

describe("the refresh of a finding", () => {
  it("refetches the formulas of its cells alone", async () => {
    expect((await refresh(toFinding("twoValues", "A1", "A3"))).sort()).toEqual(["5", "7"]);
  });

  it("refetches what is stale, wherever it stands: nothing here", async () => {
    expect(await refresh(toFinding("staleBesideFresh", "A1", "A3"))).toEqual([]);
  });
});

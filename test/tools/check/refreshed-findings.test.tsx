/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { expect, it } from "@jest/globals";
import { refreshFigures } from "../../../src/tools/check/Findings";
import type { Finding } from "../../../src/tools/check/finding";
import { openDesk, toCell } from "../../taskpane/desk";
import { enterFormula } from "../../taskpane/open-whole-pane";
import { companion, serveSessions, session } from "../../taskpane/pane-sessions";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

/** Subscribes a cell to a number of ranking rows. */
const enter = (address: string, top: number) =>
  enterFormula(session, address, session.feed.rankings.queryCompanies(RANGE, top), {
    given: { start: "2024-01-01", end: "2024-01-31", top },
  });

/** A cell with a number of ranking rows. */
const cellOf = (address: string, top: number) => ({
  ...toCell(address),
  formula: `=FEED.RANKING("2024-01-01","2024-01-31",${top})`,
});

/** Without other requests, which have another range. */
const listRankings = () =>
  companion.controls.requests.map(({ url }) => url).filter((url) => url.includes("2024-01-31"));

serveSessions();

/** A finding that A1 and A3 show. */
const toFinding = (rule: Finding["rule"]): Finding => {
  const places = ["A1", "A3"].map((address) => ({ sheet: "Sheet1", address }));
  const [place] = places as [(typeof places)[0]];
  const evidence = places.map((each) => ({ place: each, figure: null, content: "" }));
  return { rule, gravity: "error", place, around: place, evidence, values: {}, count: 1, key: "k" };
};

it.each<[string, Finding["rule"], string[], string]>([
  ["refetches the formulas of its cells alone", "twoValues", ["5", "7"], ""],
  ["refetches what is stale, wherever it stands: nothing here", "staleBesideFresh", [], "Nothing is stale any more."],
])("the refresh of a finding %s", async (_, rule, rows, words) => {
  await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!A2", 6), enter("Sheet1!A3", 7)]);
  const before = listRankings().length;
  const { desk, said } = openDesk({ session, cells: [cellOf("A1", 5), cellOf("A2", 6), cellOf("A3", 7)] });
  await refreshFigures(desk, toFinding(rule));
  const asked = listRankings().slice(before);
  expect(asked.map((url) => /page_size=(\d+)/.exec(url)?.[1]).sort()).toEqual(rows);
  expect(said()).toContain(words);
});

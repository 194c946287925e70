import type { FeedCell } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { enterFormula, toCell } from "./open-whole-pane";
import { companion, session } from "./pane-sessions";

export { serveSessions, session } from "./pane-sessions";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

export const queryTop = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);

/** Subscribes a cell to a number of ranking rows, until they are here or have failed. */
export const enter = (address: string, top: number, more: Partial<Call> = {}) =>
  enterFormula(session, address, queryTop(top), { given: { start: "2024-01-01", end: "2024-01-31", top }, ...more });

/** Subscribes two cells, each to rows of its own. */
export const enterTwo = (more?: Partial<Call>) =>
  Promise.all([enter("Sheet1!A1", 5, more), enter("Sheet1!B1", 6, more)]);

/** A cell with a number of ranking rows. */
export const cellOf = (address: string, top: number): FeedCell => ({
  ...toCell(address),
  formula: `=FEED.RANKING("2024-01-01","2024-01-31",${top})`,
});

/** Without other requests, which have another range. */
export const listRankings = () =>
  companion.controls.requests.map(({ url }) => url).filter((url) => url.includes("2024-01-31"));

export const countRankings = () => listRankings().length;

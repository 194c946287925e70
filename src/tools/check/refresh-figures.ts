import { showPlace } from "../../taskpane/addresses";
import { findCells } from "../../taskpane/cells";
import type { Desk } from "../../taskpane/commands/desk";
import { refreshStale } from "../../taskpane/commands/refresh";
import { refresh } from "../../taskpane/commands/refresh/run";
import type { Finding, RuleId } from "./finding";

/** Rules whose finding may end once its figures are refreshed, which edits nothing. */
export const REFRESHING: ReadonlySet<RuleId> = new Set(["twoValues", "staleBesideFresh"]);

/** Refreshes the formulas of a finding's cells; where an old one stands beside new ones, all that are stale. */
export async function refreshFigures(desk: Desk, { rule, evidence }: Finding): Promise<void> {
  const { session, workbook } = desk;
  const { pairs } = await findCells(workbook, session.calls.list(), "workbook");
  const places = new Set(evidence.map(({ place }) => showPlace(place)));
  const calls = [...new Set(pairs.filter(({ cell }) => places.has(showPlace(cell))).map(({ call }) => call))];
  if (rule === "staleBesideFresh" || calls.length === 0) await refreshStale(desk);
  else await refresh(desk, { calls });
}

import type { Alert, StoredAlerts } from "./alert";

/** A made sheet that has another key now: the host has told its id, or gives it a new one. */
export interface MovedSheet {
  from: string;
  to: string;
}

/** Moves rules and alerts with their sheets, in place of any that another sheet left there; null where there are none. */
export function moveSheets({ rules, alerts }: StoredAlerts, moved: readonly MovedSheet[]): StoredAlerts | null {
  const targets = new Map(moved.map(({ from, to }) => [from, to]));
  const isMoved = ([sheet]: readonly [string, unknown]) => targets.has(sheet);
  const all = Object.entries(rules);
  if (!all.some(isMoved) && !alerts.some(({ sheet }) => targets.has(sheet))) return null;
  const own = all.filter(isMoved).map(([sheet, each]) => [targets.get(sheet), each]);
  const toPlace = (alert: Alert) => ({ ...alert, sheet: targets.get(alert.sheet) ?? alert.sheet });
  return {
    rules: Object.fromEntries([...all.filter((each) => !isMoved(each)), ...own]),
    alerts: alerts.map(toPlace),
  };
}

import type { Scope } from "../../contract/workbook";
import type { Call } from "../../session/calls";
import { type CellOfCall, findCells } from "../cells";
import { attempt, type Desk } from "../pane";
import { listByScope } from "./freezing";
import { listStale, refreshAll, refreshCalls, refreshFound } from "./refresh";

/** Asks which formulas to refresh, with the number of each choice, then refreshes them; a single choice needs no question. */
export async function chooseRefresh(desk: Desk): Promise<void> {
  const { session, workbook, notify, texts } = desk;
  const { whatToRefresh, refreshNow } = texts.ofRefresh;
  const { formulasIn } = texts.ofCommands;
  const live = session.calls.list();
  const read = (scope: Scope) => findCells(workbook, live, scope);
  const { offered, whole } = await listByScope(desk, read, ({ cells }) => cells.length);
  const stale = listStale(session);
  const staleCells = countCells(stale, whole.pairs);
  const isSome = staleCells > 0 && staleCells !== whole.cells.length;
  const choices = [
    ...offered.map(({ scope, listed }) => ({
      what: formulasIn[scope](listed.cells.length),
      refresh: () => (listed.cells.length < whole.cells.length ? refreshFound(desk, listed) : refreshAll(desk)),
    })),
    ...(isSome ? [{ what: formulasIn.stale(staleCells), refresh: () => refreshCalls(desk, stale) }] : []),
  ];
  const [first, ...others] = choices;
  if (first === undefined) return notify({ intent: "info", text: texts.nothingToRefresh });
  if (others.length === 0) return first.refresh();
  const actions = choices.map(({ what, refresh }) => ({
    label: refreshNow(what),
    act: () => void attempt(desk, refresh),
  }));
  notify({ intent: "info", text: whatToRefresh, actions });
}

/** The number of cells that hold some live formulas; one whose cell is unknown counts as a cell. */
function countCells(calls: readonly Call[], pairs: readonly CellOfCall[]): number {
  const wanted = new Set(calls);
  const own = pairs.filter(({ call }) => wanted.has(call));
  const placed = new Set(own.map(({ call }) => call)).size;
  return new Set(own.map(({ cell }) => cell)).size + calls.length - placed;
}

import type { Scope } from "../../contract/workbook";
import type { Call } from "../../session/calls";
import { findFormulaCells } from "../cells";
import { attempt, type Desk } from "../pane";
import { listByScope } from "./freezing";
import { listErrors, listStale, refreshAll, refreshCalls, refreshSome } from "./refresh";

/** Asks which formulas to refresh, with the number of each choice, then refreshes them. */
export async function chooseRefresh(desk: Desk): Promise<void> {
  const { session, workbook, notify, texts } = desk;
  const { whatToRefresh, refreshNow } = texts.ofRefresh;
  const toAction = (scope: Scope | "stale" | "errors", count: number, refresh: () => Promise<void>) =>
    count === 0
      ? []
      : [{ label: refreshNow(texts.ofCommands.formulasIn[scope](count)), act: () => void attempt(desk, refresh) }];
  const found = await listByScope(desk, (scope) => workbook.listFeedCells(scope));
  const cellsOf = await findFormulaCells(workbook, session.calls.list());
  const toListed = (scope: "stale" | "errors", calls: readonly Call[]) => {
    const count = calls.reduce((sum, call) => sum + (cellsOf.get(call)?.length ?? 1), 0);
    return toAction(scope, count, () => refreshCalls(desk, calls));
  };
  const actions = [
    ...found.flatMap(({ scope, listed }) =>
      toAction(scope, listed.length, () => (scope === "workbook" ? refreshAll(desk) : refreshSome(desk, scope))),
    ),
    ...toListed("stale", listStale(session)),
    ...toListed("errors", listErrors(session)),
  ];
  notify(
    actions.length === 0
      ? { intent: "info", text: texts.nothingToRefresh }
      : { intent: "info", text: whatToRefresh, actions },
  );
}

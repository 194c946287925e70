import type { Call, Shown } from "../../session/calls";
import type { Session } from "../../session/session";
import { findCells } from "../cells";
import type { Notice } from "../pane";
import { attempt, type Desk } from "./desk";
import { showPane } from "./office";
import { refresh } from "./refresh/run";

/** A search that takes longer shows a message. */
const LOOKING_MS = 400;

/** Refetches the queries of all cells. */
export async function refreshAll(desk: Desk): Promise<void> {
  void showPane();
  await refresh(desk, {});
}

/** Refetches the queries of the selected cells, or of the shown sheet. */
export async function refreshSome(desk: Desk, scope: "selection" | "sheet"): Promise<void> {
  const { session, workbook, notify, texts } = desk;
  void showPane();
  const { looking, nothingToRefresh, noneKnown } = texts.ofRefresh;
  const callOff = session.ports.after(LOOKING_MS, () => notify({ intent: "info", text: looking }));
  const { cells, pairs, unknown } = await findCells(workbook, session.calls.list(), scope).finally(callOff);
  const calls = [...new Set(pairs.map(({ call }) => call))];
  if (cells.length === 0) notify({ intent: "info", text: nothingToRefresh[scope] });
  else if (calls.length > 0) await refreshCalls(desk, calls, unknown.length);
  else notify({ intent: "warning", text: noneKnown(unknown.length), actions: offerOthers(desk) });
}

/** Refetches stale answers, and those whose last refresh failed. */
export async function refreshStale(desk: Desk): Promise<void> {
  await refreshListed(desk, listStale(desk.session), desk.texts.ofRefresh.nothingStale);
}

/** Refetches the queries of formulas that show an error. */
export async function refreshErrors(desk: Desk): Promise<void> {
  await refreshListed(desk, listErrors(desk.session), desk.texts.ofRefresh.noErrors);
}

/** Cancels the running refresh. */
export async function cancelRefresh({ session, notify, texts }: Desk): Promise<void> {
  if (session.refreshing.state().running === null) notify({ intent: "info", text: texts.ofRefresh.nothingRunning });
  session.refreshing.cancel();
}

async function refreshListed(desk: Desk, calls: readonly Call[], none: string): Promise<void> {
  void showPane();
  if (calls.length > 0) await refreshCalls(desk, calls, 0);
  else desk.notify({ intent: "info", text: none });
}

async function refreshCalls(desk: Desk, calls: readonly Call[], unknown: number): Promise<void> {
  const { notify, open, texts } = desk;
  const { noQueries, showFormulas } = texts.ofRefresh;
  if (calls.some(({ queries }) => queries.length > 0)) await refresh(desk, { calls, unknown });
  else {
    const show = { label: showFormulas, act: () => open("changes") };
    notify({ intent: "info", text: noQueries(calls.length), actions: [show] });
  }
}

/** Offers the commands that need no match of cells. */
function offerOthers(desk: Desk): Notice["actions"] {
  const { refreshAll: all, refreshStale: stale, refreshErrors: errors } = desk.texts.ofCommands.commands;
  return [
    { label: all, act: () => void attempt(desk, refreshAll) },
    { label: stale, act: () => void attempt(desk, refreshStale) },
    { label: errors, act: () => void attempt(desk, refreshErrors) },
  ];
}

/** The live formulas with a stale answer or a failed refresh. */
const listStale = (session: Session): Call[] =>
  session.calls.list().filter(({ queries }) =>
    queries.some((query) => {
      const state = session.feed.queryCache.find(query)?.state;
      if (state?.status !== "answered") return false;
      return state.error !== null || session.isStale(query, state.answer.asOfMs);
    }),
  );

/** The live formulas that show an error in any cell. */
const listErrors = ({ calls }: Pick<Session, "calls">): Call[] =>
  calls.list().filter(({ error, shown }) => error !== null || (shown !== null && isShowingError(shown)));

const isShowingError = (shown: Shown): boolean =>
  Array.isArray(shown) ? shown.some((row: readonly unknown[]) => row.some(isError)) : true;

const isError = (cell: unknown): boolean => typeof cell === "object" && cell !== null && "code" in cell;

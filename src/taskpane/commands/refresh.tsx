import type { Refreshed } from "../../feed/query-cache";
import type { Call } from "../../session/calls";
import type { Session } from "../../session/session";
import { type FoundCells, findCells } from "../cells";
import { untilConfirmed, untilConnected, untilOtherChanges } from "../notice-ends";
import { attempt, type Desk } from "../pane";
import { showPane } from "./office";
import { Outcome, RefreshBar, readReport } from "./RefreshNotice";

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
  const callOff = notifyLooking(desk);
  const found = await findCells(workbook, session.calls.list(), scope).finally(callOff);
  if (found.cells.length === 0) notify({ intent: "info", text: texts.ofRefresh.nothingIn[scope] });
  else await refreshFound(desk, found);
}

/** Refetches the queries of cells that were found. */
export async function refreshFound(desk: Desk, { pairs, unknown }: FoundCells): Promise<void> {
  const { notify, texts } = desk;
  const calls = [...new Set(pairs.map(({ call }) => call))];
  if (calls.length > 0) return refreshCalls(desk, calls, unknown.length);
  notify({
    intent: "warning",
    text: texts.ofRefresh.noneKnown(unknown.length),
    actions: [{ label: texts.ofCommands.commands.refreshAll, act: () => void attempt(desk, refreshAll) }],
  });
}

/** Notifies of a search that takes long; the returned function calls that off. */
export const notifyLooking = ({ session, notify, texts }: Desk) =>
  session.ports.after(LOOKING_MS, () => notify({ intent: "info", text: texts.ofRefresh.looking }));

/** Cancels the running refresh. */
export async function cancelRefresh({ session, notify, texts }: Desk): Promise<void> {
  if (session.refreshing.state().running === null) notify({ intent: "info", text: texts.ofRefresh.nothingRunning });
  session.refreshing.cancel();
}

/** Refetches what some live formulas ask for. @param unknown number of cells whose formula is not known */
export async function refreshCalls(desk: Desk, calls: readonly Call[], unknown = 0): Promise<void> {
  const { notify, open, texts } = desk;
  const { noQueries, showFormulas } = texts.ofRefresh;
  if (calls.some(({ queries }) => queries.length > 0)) await refresh(desk, { calls, unknown });
  else {
    const show = { label: showFormulas, act: () => open("changes") };
    notify({ intent: "info", text: noQueries(calls.length), actions: [show] });
  }
}

/** The live formulas with a stale answer or a failed refresh. */
export const listStale = (session: Session): Call[] =>
  session.calls.list().filter(({ queries }) =>
    queries.some((query) => {
      const state = session.feed.queryCache.find(query)?.state;
      if (state?.status !== "answered") return false;
      return state.error !== null || session.isStale(query, state.answer.asOfMs);
    }),
  );

/** The scope of a refresh. */
interface RefreshRequest {
  /** The formulas to refresh; default all. */
  calls?: readonly Call[];
  /** Number of cells that match no live formula; default none. */
  unknown?: number;
}

/** Runs a refresh in a way that delivers the answers to their cells. */
type Push = (refresh: () => Promise<Refreshed>) => Promise<Refreshed>;

/** Refreshes; in a workbook with manual calculation it prompts first. */
export async function refresh(desk: Desk, request: RefreshRequest): Promise<void> {
  const { workbook, notify, texts } = desk;
  if (!(await workbook.isManual())) return run(desk, request, (work) => work());
  const { manual, deliverOnce, refreshAnyway } = texts.ofRefresh;
  const again = (push: Push) => void attempt(desk, () => run(desk, request, push));
  notify({
    intent: "warning",
    text: manual,
    actions: [
      { label: deliverOnce, act: () => again(workbook.deliver) },
      { label: refreshAnyway, act: () => again((work) => work()) },
    ],
  });
}

async function run(desk: Desk, request: RefreshRequest, push: Push): Promise<void> {
  const { session, notify, texts } = desk;
  const again = () => void attempt(desk, () => run(desk, request, push));
  if (!(await ensureConnection(desk, again))) return;
  const cancel = { label: texts.ofRefresh.cancel, act: session.refreshing.cancel };
  notify({ intent: "info", text: <RefreshBar />, actions: [cancel] });
  const refreshed = await push(() => session.refresh(request.calls));
  if (session.state().status !== "disconnected") return notifyOutcome(desk, request, refreshed);
  notify({ intent: "info", text: texts.disconnected, until: untilConnected(session) });
}

async function notifyOutcome(desk: Desk, request: RefreshRequest, refreshed: Refreshed): Promise<void> {
  const { session, workbook, notify, texts } = desk;
  const { refetched, failures, isCancelled } = refreshed;
  if (refetched === 0 && !isCancelled) {
    if (failures.length === 0) notify({ intent: "info", text: texts.nothingToRefresh });
    else notify({ intent: "info", text: texts.ofConfirm.held, until: untilConfirmed(session) });
    return;
  }
  const report = await readReport(workbook, session.feed.queryCache, request.calls ?? session.calls.list());
  const hasFailed = report.failed.length > 0 || report.refreshed === 0;
  notify({
    intent: isCancelled ? "info" : hasFailed ? "warning" : "success",
    text: <Outcome refreshed={refreshed} report={report} unknown={request.unknown ?? 0} />,
    until: untilOtherChanges(session),
  });
}

/** Tries to connect; without a connection it notifies the person and resolves to false. */
async function ensureConnection(desk: Desk, retry: () => void): Promise<boolean> {
  const { session, texts, notify, open } = desk;
  const { disconnectedByHand, notConnected, connectAndRefresh, showSettings } = texts.ofCommands;
  // The person disconnected on purpose, so only they connect again.
  if (session.state().status === "disconnected") {
    const connect = { label: connectAndRefresh, act: () => void session.connect().then(retry) };
    notify({ intent: "warning", text: disconnectedByHand, actions: [connect], until: untilConnected(session) });
    return false;
  }
  // Sample data on this machine needs no network, so an offline browser tries once too.
  if (session.state().status !== "connected" || session.offlineSinceMs() !== null) {
    notify({ intent: "info", text: texts.connecting });
    await connect(session);
  }
  if (session.state().status === "connected") return true;
  if (session.offlineSinceMs() !== null) {
    const again = { label: texts.ofCommands.retry, act: retry };
    notify({ intent: "warning", text: texts.ofOffline.nothingSent, actions: [again], until: untilConnected(session) });
    return false;
  }
  const show = { label: showSettings, act: () => open("settings") };
  notify({ intent: "error", text: notConnected, actions: [show], until: untilConnected(session) });
  return false;
}

/** Connects, or waits for the attempt that is under way. */
async function connect(session: Session): Promise<void> {
  if (session.state().status !== "connecting") return session.connect();
  await new Promise<void>((resolve) => {
    const stop = session.subscribe(() => {
      if (session.state().status === "connecting") return;
      stop();
      resolve();
    });
  });
}

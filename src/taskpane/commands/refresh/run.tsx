import type { Refreshed } from "../../../feed/query-cache";
import type { Call } from "../../../session/calls";
import type { Session } from "../../../session/session";
import { untilConfirmed, untilConnected, untilOtherChanges } from "../../notice-ends";
import { ensureConnection } from "../connection";
import { attempt, type Desk } from "../desk";
import { Outcome } from "./Outcome";
import { RefreshBar } from "./RefreshBar";
import { readReport } from "./report";

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
  const far = followDone(session);
  const cancel = { label: texts.ofRefresh.cancel, act: session.refreshing.cancel };
  notify({ intent: "info", text: <RefreshBar {...desk} />, actions: [cancel] });
  const refreshed = await push(() => session.refresh(request.calls)).finally(far.stop);
  if (session.state().status !== "disconnected") return notifyOutcome(desk, request, refreshed, far.done());
  notify({ intent: "info", text: texts.disconnected, until: untilConnected(session) });
}

/** Tracks a refresh's progress, which is no longer known once it has ended. */
function followDone({ refreshing, subscribe }: Session) {
  let done = 0;
  const stop = subscribe(() => {
    done = refreshing.state().running?.done ?? done;
  });
  return { stop, done: () => done };
}

async function notifyOutcome(desk: Desk, request: RefreshRequest, refreshed: Refreshed, done: number): Promise<void> {
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
    text: <Outcome refreshed={refreshed} done={done} report={report} unknown={request.unknown ?? 0} />,
    until: untilOtherChanges(session),
  });
}

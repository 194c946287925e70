import type { Refreshed } from "../../../feed/query-cache";
import type { Call } from "../../../session/calls";
import type { Session } from "../../../session/session";
import { Reason } from "../../Reason";
import { toRefreshedText } from "../../refreshed";
import { ensureConnection } from "../connection";
import { attempt, type Desk } from "../desk";
import { Changed } from "./Changed";
import { RefreshBar } from "./RefreshBar";

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
  if (session.state().status === "disconnected") notify({ intent: "info", text: texts.disconnected });
  else notifyOutcome(desk, request, refreshed, far.done());
}

/** Tracks a refresh's progress, which is no longer known once it has ended. */
function followDone({ refreshing, subscribe }: Session) {
  let done = 0;
  const stop = subscribe(() => {
    done = refreshing.state().running?.done ?? done;
  });
  return { stop, done: () => done };
}

function notifyOutcome(desk: Desk, { unknown = 0 }: RefreshRequest, refreshed: Refreshed, done: number): void {
  const { notify, texts } = desk;
  const { refetched, failures, isCancelled } = refreshed;
  if (refetched === 0 && !isCancelled) {
    notify({ intent: "info", text: failures.length > 0 ? texts.ofConfirm.held : texts.nothingToRefresh });
    return;
  }
  const text = (
    <>
      {toOutcome(desk, refreshed, done)}
      {unknown > 0 && ` ${texts.ofRefresh.someUnknown(unknown)}`}
      <Changed {...desk} />
      {!isCancelled && failures.length > 0 && <Reason error={failures[0]} />}
    </>
  );
  notify({ intent: isCancelled ? "info" : failures.length > 0 ? "warning" : "success", text });
}

function toOutcome({ texts }: Desk, refreshed: Refreshed, done: number): string {
  const { refetched, isCancelled } = refreshed;
  return isCancelled ? texts.ofRefresh.cancelled(done, refetched) : toRefreshedText(refreshed, texts);
}

import type { Session } from "../session/session";
import type { Host } from "./host";
import { toCount } from "./summary";

const SHOW_EVERY_MS = 200;
/** Back to the begin of the line, which is then erased. */
const ANEW = "\r\u001b[K";

/**
 * Shows on standard error how far a provider's answers are, where that is a terminal.
 * @param act What takes them, such as a calculation.
 */
export async function followRequests<T>({ feed }: Session, act: () => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return act();
  let shownMs = performance.now();
  const show = () => {
    if (performance.now() - shownMs < SHOW_EVERY_MS) return;
    shownMs = performance.now();
    const { activity } = feed;
    stderr.write(`${ANEW}${activity.requests()} requests sent, ${activity.pending()} answers to come`);
  };
  const stop = feed.activity.onChange(show);
  try {
    return await act();
  } finally {
    stop();
    stderr.write(ANEW);
  }
}

/** Ends a run whose requests would be more than it may take. @throws Error with the limit that it needs */
export function refuseHeldBack(host: Pick<Host, "heldBack">, most: number): void {
  const requests = host.heldBack();
  if (requests === 0) return;
  const allowed = `${most.toLocaleString("en")} ${most === 1 ? "is" : "are"} allowed`;
  throw new Error(
    `This takes ${toCount(requests, "request")} or more, and ${allowed}, so it ended without a result. To allow them: --max-requests ${requests}`,
  );
}

import type { Session } from "../session/session";

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

export const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));

/** What is looked at of thousands of cells is looked at ever more rarely. */
const LONGEST_PAUSE_MS = 100;

/** Lets go on in real time what needs no more of a clock; false where it has not come about within so many milliseconds. */
export async function within(limitMs: number, isSo: () => boolean): Promise<boolean> {
  const endsAtMs = Date.now() + limitMs;
  for (let pauseMs = 1; !isSo() && Date.now() < endsAtMs; pauseMs = Math.min(pauseMs * 1.1, LONGEST_PAUSE_MS))
    await pause(pauseMs);
  return isSo();
}

/**
 * Waits until each of these counts is 0.
 *
 * @returns what is left after so many milliseconds; null where nothing is
 */
export async function untilNothingIsLeft(limitMs: number, count: () => Record<string, number>): Promise<string | null> {
  const list = () => Object.entries(count()).filter(([, many]) => many > 0);
  const isOver = await within(limitMs, () => list().length === 0);
  return isOver ? null : `these are left: ${JSON.stringify(Object.fromEntries(list()))}`;
}

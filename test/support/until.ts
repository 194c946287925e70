/** How long a condition may take on a busy machine; below the tests' time limit, so that the failure is this one. */
const LONGEST_MS = 20_000;

/**
 * Waits for a condition while real requests, timers and frames run. Looks at once, then every millisecond.
 * @param isSo May take a step of its own first, such as awaiting a cell's next value.
 * @throws Error with the condition's own text once it has not come in time.
 */
export async function until(isSo: () => unknown, longestMs = LONGEST_MS): Promise<void> {
  const endMs = performance.now() + longestMs;
  for (;;) {
    const value = await withEnd(isSo, endMs);
    if (value === TOO_LATE || (!value && performance.now() > endMs)) {
      throw new Error(`Waited ${longestMs / 1000} s in vain for: ${isSo}`);
    }
    if (value) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const TOO_LATE = Symbol("too late");

/** A step that never ends is no way to wait for ever. */
async function withEnd(isSo: () => unknown, endMs: number): Promise<unknown> {
  const value = isSo();
  if (!(value instanceof Promise)) return value;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.max(0, endMs - performance.now()), TOO_LATE);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}

/** The most of these times within one second, its ends included; in milliseconds, ascending. */
export const countInSecond = (atMs: readonly number[]): number =>
  Math.max(0, ...atMs.map((fromMs, nth) => atMs.slice(nth).filter((each) => each <= fromMs + 1000).length));

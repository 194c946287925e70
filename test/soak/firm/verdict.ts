/** A figure at a moment, in milliseconds of one clock. */
export interface Point {
  atMs: number;
  value: number;
}

/** How a figure has developed after its warm-up, the first quarter of the time. */
export interface Trend {
  /** The median of the second quarter, and of the last. */
  second: number;
  last: number;
  /** What the figure has grown by from the second quarter to the end, by regression. */
  growth: number;
}

/** How much a figure may grow: by a share of its second quarter, or by an amount where that is more. */
export interface Allowance {
  share: number;
  amount: number;
}

/** @throws Error where a quarter has no point. */
export function toTrend(points: readonly Point[]): Trend {
  const [startMs, endMs] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0];
  const toQuarter = ({ atMs }: Point) => Math.min(3, Math.floor((4 * (atMs - startMs)) / (endMs - startMs)));
  const [second, last] = [1, 3].map((quarter) => median(points.filter((point) => toQuarter(point) === quarter)));
  const judged = points.filter((point) => toQuarter(point) > 0);
  return { second: second!, last: last!, growth: toSlope(judged) * (endMs - judged[0]!.atMs) };
}

/** Whether neither the last quarter nor the regression exceeds what is allowed. */
export function isFlat({ second, last, growth }: Trend, { share, amount }: Allowance): boolean {
  const most = Math.max(share * second, amount);
  return last - second <= most && growth <= most;
}

/** The least of each stretch of time: of a heap, what its collector cannot free. */
export function toFloor(points: readonly Point[], stretchMs: number): Point[] {
  const least = new Map<number, Point>();
  for (const point of points) {
    const stretch = Math.floor(point.atMs / stretchMs);
    const before = least.get(stretch);
    if (before === undefined || point.value < before.value) least.set(stretch, point);
  }
  return [...least.values()];
}

function median(points: readonly Point[]): number {
  if (points.length === 0) throw new Error("A quarter of the time has no sample.");
  const sorted = points.map(({ value }) => value).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** The slope of the straight line with the least squares, per millisecond. */
function toSlope(points: readonly Point[]): number {
  const mean = (pick: (point: Point) => number) => points.reduce((sum, each) => sum + pick(each), 0) / points.length;
  const [atMs, value] = [mean((each) => each.atMs), mean((each) => each.value)];
  const square = mean((each) => (each.atMs - atMs) ** 2);
  return square === 0 ? 0 : mean((each) => (each.atMs - atMs) * (each.value - value)) / square;
}

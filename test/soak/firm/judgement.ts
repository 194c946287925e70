import { median } from "../../bench/measure";
import type { Seen } from "../../firm/provider";
import type { Figure, Life, Point, Samples } from "./samples";

const MB = 2 ** 20;
const MINUTE_MS = 60_000;

/** How a figure has developed after its warm-up, the first quarter of the time. */
interface Trend {
  /** The median of the second quarter, and of the last. */
  second: number;
  last: number;
  /** What the figure has grown by from the second quarter to the end, by regression. */
  growth: number;
}

/** Shorter lives have caches that still fill up: their memory is shown, and only the cap counts. */
const SHORTEST_JUDGED_MS = 20 * MINUTE_MS;

/** A figure in words, and what it may grow by from the second to the last quarter: a share, or an amount if that is more. */
interface Judged {
  text: string;
  size: number;
  share: number;
  amount: number;
}

const FIGURES: Readonly<Record<Figure, Judged>> = {
  // The allocator's pages become sparse as full caches change, within three more fillings; then they stay.
  memory: { text: " MB of memory beside cached answers", size: MB, share: 0.1, amount: 40 * MB },
  used: { text: " MB used by Node beside cached answers", size: MB, share: 0.1, amount: 20 * MB },
  cached: { text: " MB of cached answers", size: MB, share: 0, amount: Number.POSITIVE_INFINITY },
  sockets: { text: " sockets", size: 1, share: 0.25, amount: 20 },
};

export interface Bounds {
  capBytes: number;
  perMinute: number;
  storeBytes: number;
  minutes: number;
}

export interface Judgement {
  lines: string[];
  complaints: string[];
}

export function judgeLives(lives: readonly Life[], { capBytes }: Pick<Bounds, "capBytes">): Judgement {
  const lines: string[] = [];
  const complaints: string[] = [];
  for (const { place, peakBytes, figures } of lives) {
    const who = `instance ${place + 1}`;
    const points = figures.memory;
    const livedMs = (points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0);
    const isJudged = livedMs >= SHORTEST_JUDGED_MS;
    lines.push(`${who}, ${Math.round(livedMs / MINUTE_MS)} minutes: ${toText(peakBytes / MB)} MB at its most`);
    if (peakBytes > capBytes) complaints.push(`${who} used more memory than its cap`);
    if (!isJudged) continue;
    for (const figure of Object.keys(FIGURES) as Figure[]) {
      const trend = toTrend(prepare(figure, figures[figure]));
      const line = `${who}: ${describe(figure, trend)}`;
      lines.push(line);
      if (!isFlat(trend, FIGURES[figure])) complaints.push(`not flat: ${line}`);
    }
  }
  return { lines, complaints };
}

/** Only what a collector cannot free counts as growth of what Node uses. */
const prepare = (figure: Figure, points: readonly Point[]): readonly Point[] =>
  figure === "used" ? toFloor(points, MINUTE_MS) : points;

function describe(figure: Figure, { second, last, growth }: Trend): string {
  const { text, size } = FIGURES[figure];
  const [from, to, grown] = [second, last, growth].map((value) => toText(value / size));
  return `${from} in the second quarter, ${to}${text} in the last, ${grown} by regression`;
}

/** Judges Redis: its memory has a limit, and its keys beside answers are those of people. */
export function judgeStore(
  store: Samples["store"],
  { storeBytes }: Pick<Bounds, "storeBytes">,
  people: number,
): Judgement {
  const most = (pick: (each: Samples["store"][number]) => number) => Math.max(0, ...store.map(pick));
  const [answers, others, bytes] = [most((each) => each.answers), most((each) => each.others), most((e) => e.bytes)];
  const lines = [`Redis: ${answers} answers, ${others} other keys and ${toText(bytes / MB)} MB at its most`];
  const complaints: string[] = [];
  // Its memory passes the limit for a moment, until it has evicted.
  if (bytes > 1.05 * storeBytes) complaints.push("Redis used more than its largest memory");
  if (others > KEYS_PER_PERSON * people) complaints.push(`Redis had ${others} keys beside answers`);
  return { lines, complaints };
}

/** Codes and sign-ins under way. */
const KEYS_PER_PERSON = 8;

/** Judges the requests to the provider: never more than agreed, and close to it for most of the time. */
export function judgeRate({ all, mostInMinute, mostInSecond }: Seen, { perMinute, minutes }: Bounds): Judgement {
  const share = all / (perMinute * minutes);
  const line = `to the provider: ${all} requests, ${toText(100 * share)} % of the agreed; at most ${mostInMinute} in a minute and ${mostInSecond} in a second`;
  const complaints: string[] = [];
  if (mostInMinute > perMinute + 1) complaints.push(`more than agreed ${line}`);
  if (share < LEAST_SHARE) complaints.push(`the readers were not at the limit: ${line}`);
  return { lines: [line], complaints };
}

/** Faults of the provider take some of the time. */
const LEAST_SHARE = 0.6;

const toText = (value: number): string => value.toFixed(Math.abs(value) < 100 ? 1 : 0);

function toTrend(points: readonly Point[]): Trend {
  const [startMs, endMs] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0];
  const toQuarter = ({ atMs }: Point) => Math.min(3, Math.floor((4 * (atMs - startMs)) / (endMs - startMs)));
  const [second, last] = [1, 3].map((quarter) =>
    median(points.filter((point) => toQuarter(point) === quarter).map(({ value }) => value)),
  );
  const judged = points.filter((point) => toQuarter(point) > 0);
  return { second: second!, last: last!, growth: toSlope(judged) * (endMs - judged[0]!.atMs) };
}

/** Whether neither the last quarter nor the regression exceeds what is allowed. */
function isFlat({ second, last, growth }: Trend, { share, amount }: Judged): boolean {
  const most = Math.max(share * second, amount);
  return last - second <= most && growth <= most;
}

/** The least of each stretch of time: of a heap, what its collector cannot free. */
function toFloor(points: readonly Point[], stretchMs: number): Point[] {
  const least = new Map<number, Point>();
  for (const point of points) {
    const stretch = Math.floor(point.atMs / stretchMs);
    const before = least.get(stretch);
    if (before === undefined || point.value < before.value) least.set(stretch, point);
  }
  return [...least.values()];
}

/** The slope of the straight line with the least squares, per millisecond. */
function toSlope(points: readonly Point[]): number {
  const mean = (pick: (point: Point) => number) => points.reduce((sum, each) => sum + pick(each), 0) / points.length;
  const [atMs, value] = [mean((each) => each.atMs), mean((each) => each.value)];
  const square = mean((each) => (each.atMs - atMs) ** 2);
  return square === 0 ? 0 : mean((each) => (each.atMs - atMs) * (each.value - value)) / square;
}

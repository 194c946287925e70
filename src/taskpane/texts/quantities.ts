/** A number with its noun in English: "1 cell", "1,200 cells". */
export const count = (number: number, one: string, several = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : several}`;

/** How far something is, in whole percent. */
export const toPercent = (done: number, total: number): number => Math.floor((done / Math.max(total, 1)) * 100);

/** How long ago something was, in the largest unit that counts: "5 minutes ago". */
export function toAgo(ageMs: number, language: string): string {
  const minutes = Math.floor(Math.max(0, ageMs) / 60_000);
  const [number, unit] = AGES.map(([size, name]) => [Math.floor(minutes / size), name] as const).find(
    ([whole]) => whole > 0,
  ) ?? [0, "minute" as const];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-number, unit);
}

const AGES = [
  [1440, "day"],
  [60, "hour"],
  [1, "minute"],
] as const;

/** How long something is, in a unit that keeps the number small: "7 minutes". */
export function toSpan(spanMs: number, language: string): string {
  const [size, unit] = SPANS.find(([size]) => spanMs >= 2 * size) ?? [1_000, "second"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 }).format(
    spanMs / size,
  );
}

const SPANS = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
] as const;

/** A time of day, with its date unless that is today. */
export function toTime(timeMs: number, nowMs: number, language: string): string {
  const [time, now] = [new Date(timeMs), new Date(nowMs)];
  const isToday = time.toDateString() === now.toDateString();
  const day = isToday ? {} : ({ year: "numeric", month: "short", day: "numeric" } as const);
  return time.toLocaleString(language, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

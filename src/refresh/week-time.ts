import { UsageError } from "../companion/commands/results";

/** A time on some days of every week, in the machine's own time zone. */
export interface WeekTime {
  /** As a person gave it, such as "MON-FRI 07:00". */
  text: string;
  /** 0 is Sunday; in order. */
  days: readonly number[];
  hour: number;
  minute: number;
}

export const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/**
 * Reads a time such as "MON 07:00", "MON-FRI 07:00", "MON,THU 7:00", "daily 06:30" or "06:30".
 * @throws UsageError
 */
export function readTime(text: string): WeekTime {
  const [, named = "daily", hours, minutes] = /^(?:(\S.*?)\s+)?(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  const [hour, minute, days] = [Number(hours), Number(minutes), readDays(named.toLowerCase())];
  if (hour < 24 && minute < 60 && days !== undefined) return { text: text.trim(), days, hour, minute };
  throw new UsageError(`"${text}" is no time of a week. Write "MON 07:00", "MON-FRI 07:00" or "daily 06:30".`);
}

/** Reads days such as "mon-wed,sat"; a range may pass Sunday. */
function readDays(text: string): number[] | undefined {
  if (text === "daily") return EVERY_DAY;
  const days = text.split(",").flatMap((part) => {
    const [first = -1, last = first, ...more] = part.split("-").map((name) => readDay(name.trim()));
    if (first < 0 || last < 0 || more.length > 0) return [-1];
    return EVERY_DAY.slice(0, ((last - first + 7) % 7) + 1).map((offset) => (first + offset) % 7);
  });
  return days.includes(-1) ? undefined : EVERY_DAY.filter((day) => days.includes(day));
}

const readDay = (name: string): number =>
  name.length < 3 ? -1 : DAYS.findIndex((day) => day.toLowerCase().startsWith(name));

/** Gives the first of some times after a moment. A time that a change of the clocks leaves out is an hour later. */
export function nextTime(times: readonly WeekTime[], now: Date): Date {
  const moments = times.flatMap(({ days, hour, minute }) =>
    [...EVERY_DAY, 7]
      .map((offset) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset, hour, minute))
      .filter((date) => date > now && days.includes(date.getDay())),
  );
  return new Date(Math.min(...moments.map(Number)));
}

/** Writes a moment as the machine's clock shows it, such as "2026-11-30 07:00". */
export const toLocalMinute = (date: Date): string => date.toLocaleString("sv-SE").slice(0, 16);

import type { Alert, AlertPeriod, AlertRule } from "./alert";

/** Fields that a row has, in this order; `name` and `code` are those of companies or of industries. */
export const toJudgedFields = (name: string, code: string): string[] => [
  ...["rank", "previous.rank", "status", name, code],
  ...["totalPageViews", "previous.totalPageViews"],
];

interface JudgedSheet {
  sheet: string;
  sheetName: string;
  rules: readonly AlertRule[];
  /** Places that the sheet shows: one that is and was below them raises no alert. */
  within: number;
  period: AlertPeriod;
}

const toNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);

/**
 * Lists the alerts that rows of FEED.RANKING.MOVERS raise. One company raises a rule once, until a period that shares no
 * day with that of its last alert: a window that moves from day to day tells one change once.
 *
 * @param rows with the fields of {@link toJudgedFields}; a value that is uncertain is no number, and raises nothing
 * @param known earlier alerts, read ones too
 */
export function judge(rows: readonly (readonly unknown[])[], judged: JudgedSheet, known: readonly Alert[]): Alert[] {
  const { sheet, sheetName, rules, within, period } = judged;
  return rows.flatMap((row) =>
    rules.flatMap((rule): Alert[] => {
      const found = toChange(row, rule, within);
      const [, , , name, code] = row;
      if (found === null) return [];
      const alert = { ...rule, ...period, ...found, sheet, sheetName, name: String(name), code: String(code ?? "") };
      return known.some((each) => isSame(each, alert)) ? [] : [{ ...alert, isRead: false }];
    }),
  );
}

/** The values before and now, where a rule applies. */
function toChange(row: readonly unknown[], { kind, amount }: AlertRule, within: number) {
  const [rank, formerRank, status, , , views, formerViews] = row;
  const [now, before] = [rank, formerRank].map(toNumber) as [number | null, number | null];
  const isNear = Math.min(now ?? Number.POSITIVE_INFINITY, before ?? Number.POSITIVE_INFINITY) <= within;
  if (kind === "enters") {
    const wasOut = before === null ? status === "new" : before > amount;
    return now !== null && now <= amount && wasOut ? { before, after: now } : null;
  }
  if (kind === "grows") {
    const [after, former] = [toNumber(views), toNumber(formerViews)];
    // Whole numbers, so that exactly 30 % counts; there is no growth from nothing.
    const isGrown = after !== null && former !== null && former > 0 && after * 100 >= former * (100 + amount);
    return isNear && isGrown ? { before: former, after } : null;
  }
  const hasFallen = now === null ? status === "gone" : before !== null && now - before >= amount;
  return isNear && hasFallen ? { before, after: now } : null;
}

const isSame = (one: Alert, other: Omit<Alert, "isRead">): boolean =>
  one.sheet === other.sheet &&
  one.kind === other.kind &&
  one.amount === other.amount &&
  (one.code === "" ? one.name === other.name : one.code === other.code) &&
  one.first <= other.last &&
  one.last >= other.first;

/** Alerts that a workbook keeps. */
const MOST_KEPT = 500;

/** Puts new alerts before the others; the oldest give way, read ones first. */
export function withAlerts(known: readonly Alert[], found: readonly Alert[]): readonly Alert[] {
  const all = [...found, ...known];
  const excess = all.length - MOST_KEPT;
  if (excess <= 0) return all;
  const byAge = all.map((alert, index) => ({ alert, index })).sort((one, other) => other.index - one.index);
  const dropped = [...byAge]
    .sort((one, other) => Number(other.alert.isRead) - Number(one.alert.isRead))
    .slice(0, excess);
  const gone = new Set(dropped.map(({ alert }) => alert));
  return all.filter((alert) => !gone.has(alert));
}

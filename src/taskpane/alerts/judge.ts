import type { Alert, AlertPeriod, AlertRule } from "./alert";

/** Fields that a row has, in this order; `name` and `code` are those of companies or of industries. */
export const toJudgedFields = (name: string, code: string): string[] => [
  ...["rank", "previous.rank", "status", name, code],
  ...["totalPageViews", "previous.totalPageViews"],
];

interface JudgedSheet {
  sheet: string;
  sheetName: string;
  /** "companies", "industries" or a page type, in lower case. */
  ranking: string;
  rules: readonly AlertRule[];
  /** Places that the sheet shows: what grows or falls below them raises no alert. */
  within: number;
  period: AlertPeriod;
  former: AlertPeriod;
}

/** What rows of FEED.RANKING.MOVERS say of a sheet's rules. */
export interface Judgement {
  found: Alert[];
  /** Known alerts whose change these rows certainly no longer have. */
  over: ReadonlySet<Alert>;
}

type Row = readonly unknown[];

const toNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);

/**
 * Judges rows of FEED.RANKING.MOVERS. One company raises a rule once, until a reading of the same days no longer has its
 * change, or until a period that shares no day with that of its last alert: a window that moves from day to day tells one
 * change once.
 *
 * @param rows with the fields of {@link toJudgedFields}; a value that is uncertain is no number, and decides nothing
 * @param known earlier alerts, read ones too
 */
export function judge(rows: readonly Row[], judged: JudgedSheet, known: readonly Alert[]): Judgement {
  const { rules, within, sheet, sheetName, ranking, period, former } = judged;
  const about = { sheet, sheetName, ranking, ...period, former };
  const own = known.filter((alert) => isAbout(alert, about));
  const byCompany = new Map(rows.map((row) => [toCompany(readCompany(row)), row]));
  const over = new Set(
    own.filter((alert) => {
      const row = byCompany.get(toCompany(alert));
      return row === undefined || judgeRow(row, alert) === "not";
    }),
  );
  const live = own.filter((alert) => !alert.isOver && !over.has(alert));
  const found = rows.flatMap((row) =>
    rules.flatMap((rule): Alert[] => {
      const change = judgeRow(row, rule);
      if (typeof change === "string" || (rule.kind !== "enters" && !isNear(row, within))) return [];
      const alert = { ...about, ...rule, ...readCompany(row), ...change };
      return live.some((each) => isSame(each, alert)) ? [] : [{ ...alert, isRead: false, isOver: false }];
    }),
  );
  return { found, over };
}

function readCompany([, , , name, code]: Row): Pick<Alert, "name" | "code"> {
  return { name: String(name), code: String(code ?? "") };
}

/** What names a company in a ranking: its code, or its name where it has none. */
const toCompany = ({ name, code }: Pick<Alert, "name" | "code">): string => (code === "" ? `name ${name}` : code);

function isNear([rank, formerRank]: Row, within: number): boolean {
  const [now, before] = [rank, formerRank].map((each) => toNumber(each) ?? Number.POSITIVE_INFINITY);
  return Math.min(now as number, before as number) <= within;
}

type Change = Pick<Alert, "before" | "after">;

/** The values before and now where a rule applies; whether it certainly does not. */
function judgeRow(row: Row, { kind, amount }: AlertRule): Change | "not" | "uncertain" {
  if (kind === "grows") return judgeGrowth(row, amount);
  const [rank, formerRank, status] = row;
  const [now, before] = [toNumber(rank), toNumber(formerRank)];
  if (kind === "enters") {
    if (now === null) return status === "gone" ? "not" : "uncertain";
    if (now > amount || (before !== null && before <= amount)) return "not";
    return before !== null || status === "new" ? { before, after: now } : "uncertain";
  }
  if (before === null) return status === "new" ? "not" : "uncertain";
  if (now === null) return status === "gone" ? { before, after: null } : "uncertain";
  return now - before >= amount ? { before, after: now } : "not";
}

function judgeGrowth([, , status, , , views, formerViews]: Row, amount: number): Change | "not" | "uncertain" {
  const [after, before] = [toNumber(views), toNumber(formerViews)];
  if (after === null || before === null) return status === "new" || status === "gone" ? "not" : "uncertain";
  // Whole numbers, so that exactly 30 % counts; there is no growth from nothing.
  return before > 0 && after * 100 >= before * (100 + amount) ? { before, after } : "not";
}

const overlap = (one: AlertPeriod, other: AlertPeriod): boolean => one.first <= other.last && one.last >= other.first;

type About = Pick<Alert, "sheet" | "ranking" | "former"> & AlertPeriod;

/** Whether two compare the same ranking of a sheet over days that both have. */
const isAbout = (one: About, other: About): boolean =>
  one.sheet === other.sheet &&
  one.ranking === other.ranking &&
  overlap(one, other) &&
  overlap(one.former, other.former);

type Told = Omit<Alert, "isRead" | "isOver">;

const isSame = (one: Told, other: Told): boolean =>
  isAbout(one, other) && one.kind === other.kind && one.amount === other.amount && toCompany(one) === toCompany(other);

/** Alerts that a workbook keeps. */
const MOST_KEPT = 500;

/**
 * Puts new alerts before the others, in place of those that they tell anew; the oldest give way, read ones first.
 */
export function withAlerts(known: readonly Alert[], { found, over }: Judgement): readonly Alert[] {
  const others = known
    .filter((alert) => !found.some((each) => isSame(each, alert)))
    .map((alert) => (over.has(alert) ? { ...alert, isOver: true } : alert));
  const all = [...found, ...others];
  const excess = all.length - MOST_KEPT;
  if (excess <= 0) return all;
  const byAge = all.map((alert, index) => ({ alert, index })).sort((one, other) => other.index - one.index);
  const dropped = [...byAge]
    .sort((one, other) => Number(other.alert.isRead) - Number(one.alert.isRead))
    .slice(0, excess);
  const gone = new Set(dropped.map(({ alert }) => alert));
  return all.filter((alert) => !gone.has(alert));
}

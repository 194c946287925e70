import type { CellState } from "../../contract/workbook";
import { CURRENCIES } from "../../feed/financials/unit";

/** Words of analysts for the metrics that the API document names (§2.3), folded as by `fold`. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  Revenue: "revenue revenues totalrevenue netrevenue sales netsales turnover 売上 売上高 売上収益 営業収益".split(" "),
  "Cost of Goods Sold": "costofgoodssold cogs costofsales costofrevenue 売上原価 原価".split(" "),
  "Gross Profit": "grossprofit 売上総利益 粗利 粗利益".split(" "),
  "Operating Expenses":
    "operatingexpenses operatingexpense opex sga sgaexpenses sellinggeneralandadministrativeexpenses 営業費用 販管費 販売費及び一般管理費".split(
      " ",
    ),
  EBITDA: ["ebitda"],
  EBIT: "ebit operatingincome operatingprofit 営業利益".split(" "),
  "Net Income":
    "netincome netprofit netearnings profitaftertax pat 純利益 当期純利益 親会社株主に帰属する当期純利益".split(" "),
  "Total Assets": "totalassets assets 総資産 資産合計".split(" "),
  "Total Liabilities": "totalliabilities liabilities 負債 負債合計 総負債".split(" "),
  "Cash and equivalents":
    "cashandequivalents cashandcashequivalents cashequivalents cash 現金 現預金 現金及び預金 現金及び現金同等物".split(
      " ",
    ),
  Inventory: "inventory inventories 棚卸資産 在庫".split(" "),
  "Accounts Receivable":
    "accountsreceivable receivables tradereceivables tradeandotherreceivables 売掛金 売上債権".split(" "),
  "Operating Cash Flow":
    "operatingcashflow cashflowfromoperations cashfromoperations cashflowfromoperatingactivities cashfromoperatingactivities ocf cfo 営業cf 営業キャッシュフロー 営業活動によるキャッシュフロー".split(
      " ",
    ),
  "Investing Cash Flow":
    "investingcashflow cashflowfrominvesting cashflowfrominvestingactivities cashfrominvestingactivities icf cfi 投資cf 投資キャッシュフロー 投資活動によるキャッシュフロー".split(
      " ",
    ),
  "Financing Cash Flow":
    "financingcashflow cashflowfromfinancing cashflowfromfinancingactivities cashfromfinancingactivities cff 財務cf 財務キャッシュフロー 財務活動によるキャッシュフロー".split(
      " ",
    ),
};

const METRICS_BY_WORD = new Map(
  Object.entries(WORDS).flatMap(([metric, words]) => words.map((word) => [word, metric] as const)),
);

/** Ratios, growth, counts and values per share: no figures of a statement. */
const RATIO =
  /%|\b(?:margins?|growth|ratios?|yields?|yoy|cagr|per share|eps|ro[aeic]+|returns?|turns|days|multiple|employees|headcount)\b|率|成長|伸び|前年比|前期比|回転|倍|比$|従業員|1株|一株|1人/i;

/** Rows and columns that summarise others. */
const SUMMARY =
  /^(?:grand|sub|the)?\s*(?:total|sum|average|avg|mean|median|max|maximum|min|minimum|peers?average|difference|change|check|rank)\b|^(?:合計|総計|小計|計|平均|平均値|中央値|最大|最小|最大値|最小値|差額|増減|順位|検算)$/i;

/** A word that tells the single company's own statements. */
const ALONE = /単体|非連結|個別|stand-?alone|unconsolidated|non-?consolidated|parent only/i;
const TOGETHER = /連結|consolidated/i;

/** Folds a label for look-ups: without brackets, width, letter case, spaces and marks. */
const fold = (text: string): string =>
  withoutBrackets(text)
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/sgand?a\b/, "sga")
    .replace(/[^\p{L}\p{N}%]/gu, "");

/** A label without what stands in brackets, which is a unit or a remark. */
export const withoutBrackets = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[([【〔][^)\]】〕]*[)\]】〕]/g, " ")
    .trim();

/** The metric that a label names, by the API document's words or an answer's own; null where it names none. */
export function readMetricWord(text: string, listed: readonly string[] = []): string | null {
  const word = fold(text);
  const own = listed.find((name) => fold(name) === word);
  return own ?? METRICS_BY_WORD.get(word) ?? METRICS_BY_WORD.get(word.replace(/^(?:連結|単体|非連結)/, "")) ?? null;
}

/** Whether a label names a ratio, a growth rate or a count, which no statement has. */
export const isRatioWord = (text: string): boolean =>
  readMetricWord(text) === null && RATIO.test(text.normalize("NFKC"));

/** Whether a label names a sum, an average or the like of other cells. */
export const isSummaryWord = (text: string): boolean =>
  readMetricWord(text) === null && SUMMARY.test(withoutBrackets(text));

/** The consolidation that a text names; null where it names none. */
export function readConsolidation(text: string): "CONSOLIDATED" | "NON_CONSOLIDATED" | null {
  if (ALONE.test(text)) return "NON_CONSOLIDATED";
  return TOGETHER.test(text) ? "CONSOLIDATED" : null;
}

/** The units that figures are typed in, as divisors. */
export const UNITS = [1, 1e3, 1e6, 1e8, 1e9] as const;
export type Unit = (typeof UNITS)[number];

const UNIT_WORDS: readonly (readonly [Unit, string])[] = [
  [1e9, "十億|bn|bln|billions?|b"],
  [1e8, "億"],
  [1e6, "百万|mn|mln|mm|millions?|m"],
  [1e3, "千|k|thousands?|'?000s?"],
  [1, "units?|whole|一"],
];
const CODES = ["RMB", ...CURRENCIES].join("|");
const CURRENCY = `(?:${CODES}|(?:us|hk|nt|s)?\\$|[¥€£₩₹฿]|円|ドル|ウォン|元)`;
const CODE = new RegExp(`^(?:${CODES})$`, "i");

/** Whether a label is a currency's code. */
export const isCurrencyCode = (label: string): boolean => CODE.test(label.trim());

const toPattern = (words: string) =>
  new RegExp(`^(?:単位[::]?|unit[s:]*|in)?\\s*${CURRENCY}?\\s*(?:${words})\\s*(?:of\\s*)?${CURRENCY}?$`, "i");
const PATTERNS = UNIT_WORDS.map(([unit, words]) => [unit, toPattern(words)] as const);
/** A currency alone means units of one. */
const MONEY = /^(?:単位[::]?|in)?\s*(?:円|yen|jpy|usd|us\$|dollars?)$/i;
const BRACKETS = /[([【〔]([^)\]】〕]*)[)\]】〕]/g;

/** The unit that a label or a title names, alone or in brackets: "¥m", "(百万円)", "in thousands"; null for none. */
export function readUnitLabel(label: string): Unit | null {
  const text = label.normalize("NFKC").trim();
  const inBrackets = [...text.matchAll(BRACKETS)].map(([, inner = ""]) => inner);
  const parts = [
    text,
    ...inBrackets,
    ...inBrackets.flatMap((inner) => inner.split(/[,;、/]/)),
    ...text.split(/[,;、]/),
  ];
  for (const part of parts.map((each) => each.trim())) {
    const found = PATTERNS.find(([, pattern]) => pattern.test(part));
    if (found !== undefined) return found[0];
    if (MONEY.test(part)) return 1;
  }
  return /\bin (?:\w+ )?millions\b/i.test(text) ? 1e6 : null;
}

/** A unit as FEED.FINANCIAL takes it; null for figures as they are. */
export function toUnitArgument(unit: Unit): string | number | null {
  if (unit === 1e3) return "k";
  if (unit === 1e6) return "m";
  if (unit === 1e9) return "bn";
  return unit === 1 ? null : unit;
}

/** The fiscal years that a label may mean, the likeliest first. */
interface YearLabel {
  years: readonly number[];
  /** Whether a formula reads the cell as the first of them. */
  isArgument: boolean;
}

export const [FIRST_YEAR, LAST_YEAR] = [1950, 2100];

const isYear = (year: number) => Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR;

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH = `(?:${MONTHS.join("|")})[a-z]*`;
/** Marks of actual and expected figures. */
const MARK = "(?:a|e|f|p|act|est|実績|予想|見込|計画)?";

const PLAIN = /^(?:fy\s?)?(\d{4})$/i;
const NAMED = new RegExp(`^(?:fy|cy)?\\s?'?(\\d{4}|\\d{2})(?:年度?|年|年通期)?\\s?${MARK}$`, "i");
const ENDING = [
  /^(?:fy|fye)?\s?(?<year>\d{4})(?:年|[-/.])(?<month>\d{1,2})月?(?:期|(?:[-/.]|月)\d{1,2}日?)?$/i,
  /^(?:fy|fye)\s?(?<month>\d{1,2})[-/.](?<year>\d{4}|\d{2})$/i,
  /^(?<month>\d{1,2})[-/.](?<year>\d{4})$/,
  /^\d{1,2}[-/.](?<month>\d{1,2})[-/.](?<year>\d{4})$/,
  new RegExp(`^(?:fy|fye|year to|ye)?\\s?(?:\\d{1,2}[-\\s])?(?<word>${MONTH})[-\\s'.]*(?<year>\\d{4}|\\d{2})$`, "i"),
];

const toFull = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year));

/**
 * Reads a label as a fiscal year. A label by the year's end also may mean the year before, as some providers count.
 *
 * @param format the cell's number format, by which a number is a date
 */
export function readYearLabel(value: unknown, format = "", dateSystem: 1900 | 1904 = 1900): YearLabel | null {
  if (typeof value === "number") {
    if (isDateFormat(format)) return value > LAST_YEAR ? toEnding(...toMonth(value, dateSystem)) : null;
    return isYear(value) ? { years: [value], isArgument: true } : null;
  }
  if (typeof value !== "string") return null;
  const [, plain] = PLAIN.exec(value.trim()) ?? [];
  if (plain !== undefined) return isYear(Number(plain)) ? { years: [Number(plain)], isArgument: true } : null;
  const text = withoutBrackets(value);
  const [, named] = NAMED.exec(text) ?? [];
  const isShort = named?.length === 2 && !/^(?:fy|cy|')/i.test(text);
  if (named !== undefined && !isShort) return toSingle(toFull(named));
  for (const pattern of ENDING) {
    const { year, month, word } = pattern.exec(text)?.groups ?? {};
    if (year === undefined) continue;
    const number = word === undefined ? Number(month) : MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1;
    if (number >= 1 && number <= 12) return toEnding(toFull(year), number);
  }
  return null;
}

const toSingle = (year: number): YearLabel | null => (isYear(year) ? { years: [year], isArgument: false } : null);

const toEnding = (year: number, month: number): YearLabel | null =>
  isYear(year) ? { years: month === 12 ? [year] : [year, year - 1], isArgument: false } : null;

/** The years in a title such as "Results FY2023". */
export const findYears = (text: string): number[] =>
  [...text.normalize("NFKC").matchAll(/(?<!\d)(?:19|20)\d\d(?!\d)/g)].map(([year]) => Number(year)).filter(isYear);

/** Whether a number format shows a date: a day, month or year outside of quotes and colours. */
export const isDateFormat = (format: string): boolean =>
  /[dyｙ年]|mmm|m\/|\/m/i.test(format.replace(/"[^"]*"|\[[^\]]*\]|\\.|_./g, "").replace(/general|standard/i, ""));

const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 } as const;

function toMonth(serial: number, dateSystem: 1900 | 1904): [year: number, month: number] {
  const day = new Date((Math.floor(serial) - DAYS_TO_1970[dateSystem]) * 86_400_000);
  return [day.getUTCFullYear(), day.getUTCMonth() + 1];
}

/** "1,234", "(1,234.5)", "△1,234", "-12": a number that was typed as text. */
const WRITTEN = /^([-+−△▲]?)\s*[¥$€£]?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$/;
const BRACKETED = /^\((.*)\)$/;
/** Text of digits alone: a year or a ticker has fewer, a registration number more. */
const DIGITS = /^\d+$/;
const FIGURE_DIGITS = /^[1-9]\d{4,8}$/;

/** The number that a person typed into a cell; null for a formula, a text, a date or a percentage. */
export function readTypedNumber({ value, formula, format }: CellState): number | null {
  if (formula !== "") return null;
  if (typeof value === "number") return isFigureFormat(format) && Number.isFinite(value) ? value : null;
  return typeof value === "string" ? readWrittenNumber(value) : null;
}

/** Whether a format shows a figure: no date, no percentage, no fraction. */
const isFigureFormat = (format: string) => !/%/.test(format.replace(/"[^"]*"/g, "")) && !isDateFormat(format);

function readWrittenNumber(written: string): number | null {
  const text = written.normalize("NFKC").trim();
  if (DIGITS.test(text) && !FIGURE_DIGITS.test(text)) return null;
  const [, inner] = BRACKETED.exec(text) ?? [];
  const [, sign, whole, rest = ""] = WRITTEN.exec((inner ?? text).trim()) ?? [];
  if (whole === undefined) return null;
  const size = Number(whole.replaceAll(",", "") + rest);
  const isNegative = inner !== undefined || /[-−△▲]/.test(sign ?? "");
  return isNegative && size !== 0 ? -size : size;
}

const MOST_DECIMALS = 6;

/** Decimals of a number as a person would write it. */
export function countDecimals(value: number): number {
  const [, decimals = ""] = /\.(\d+)$/.exec(String(Number(value.toPrecision(12)))) ?? [];
  return Math.min(MOST_DECIMALS, decimals.length);
}

/** How a typed number agrees with a figure. */
export type Agreement = "equal" | "rounded" | "differs";

/**
 * Compares a typed number with a figure in its unit: equal, or equal once rounded or cut to decimals.
 *
 * @param decimals those of the numbers around it
 */
export function compare(typed: number, figure: number, decimals: number): Agreement {
  const error = Math.abs(typed - figure);
  if (error <= 1e-9 * Math.max(Math.abs(typed), Math.abs(figure))) return "equal";
  const step = 10 ** -decimals;
  if (error <= (step / 2) * (1 + 1e-9)) return "rounded";
  const cut = Math.trunc(figure / step + Math.sign(figure) * 1e-9) * step;
  return Math.abs(typed - cut) <= step * 1e-6 ? "rounded" : "differs";
}

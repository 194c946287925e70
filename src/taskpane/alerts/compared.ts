import type { Call, Shown } from "../../session/calls";
import { toJudgedFields } from "./judge";

/** What a sheet compares. */
export interface Compared {
  /** The arguments of FEED.RANKING.MOVERS for the whole ranking. */
  given: readonly unknown[];
  /** "companies", "industries" or a page type, in lower case. */
  ranking: string;
  within: number;
}

const DEFAULT_TOP = 100;

/**
 * Reads what a formula compares: a sheet of movers its own periods, a trend its last two columns, or the last one with the
 * period before. Null for a formula that compares none, or has not shown any yet.
 */
export function toCompared({ name, given, shown }: Call): Compared | { reason: string | null } | null {
  if (name === "RANKING.MOVERS") {
    const { period, previous, ranking, top } = given;
    return toGiven(period, previous, ranking, isBlank(top) ? DEFAULT_TOP : (toCount(top) ?? Number.POSITIVE_INFINITY));
  }
  if (name !== "RANKING.TREND" || shown === null) return null;
  if (!isRows(shown)) return { reason: toMessage(shown) };
  const [former, period] = (shown[0] ?? []).slice(LABELS).slice(-2).map(toPeriod) as [Period, Period?];
  const [now, before] = period === undefined ? [former, null] : [period, former];
  if (typeof now !== "string") return { reason: null };
  return toGiven(now, before, given.ranking, toCount(given.names) ?? Number.POSITIVE_INFINITY);
}

/** Columns of a trend before its periods. */
const LABELS = 2;

type Period = string | null | undefined;

/** A heading of a trend as FEED.RANKING.MOVERS takes it. */
const toPeriod = (heading: unknown): Period =>
  typeof heading === "string" && heading !== "" ? heading.replace(" – ", ":") : null;

function toGiven(period: unknown, previous: unknown, ranking: unknown, within: number): Compared {
  const named = toText(ranking).toLowerCase() || "companies";
  const [name, code] = named === "industries" ? ["industryName", "industryId"] : ["companyName", "tickerSymbol"];
  const fields = [[toJudgedFields(name, code).join(",")]];
  return { given: [period, previous, "all", ranking, null, fields, false], ranking: named, within };
}

/** The text of an argument: a value, or one cell. */
const toText = (given: unknown): string => String(given ?? "").trim();

/** A blank cell comes as 0 or as an empty text. */
const isBlank = (given: unknown): boolean => ["", "0"].includes(toText(given));

/** The rows that a sheet asks for: a number, or a text such as "top 25"; null for "all" and for names. */
function toCount(given: unknown): number | null {
  const [, digits] = /^(?:top\s*)?(\d+)$/i.exec(toText(given)) ?? [];
  return digits === undefined ? null : Number(digits);
}

export const isRows = (shown: Shown): shown is readonly (readonly unknown[])[] => Array.isArray(shown);

/** The sentence of a cell's error, without its code. */
export const toMessage = (shown: Exclude<Shown, readonly unknown[]>): string =>
  (shown.message ?? shown.code).replace(/^FEED_[A-Z_]+: /, "");

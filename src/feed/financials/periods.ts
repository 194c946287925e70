import { either, type Message, msg } from "../../client/messages";
import { type Financials, type FinancialYear, readText } from "../decode";
import { toName } from "./names";

/** The kind of a version's period; null where it has no period at all. */
type Span = "annual" | "interim" | null;

const ANNUAL = /^(annual(ly)?|full-?year|year(ly)?|fy(4|\d{4})?)$/;
/** A part of a year, or months that are no fiscal year: HY2, Q1, 1H, 2024Q3, 9M, semi-annual, LTM. */
const INTERIM =
  /half|semi|quarter|interim|monthly|trailing|rolling|ytd|^[lt]tm|(^|\d)(hy?|[qst])-?[1-4]|\d[hq]|^[1-9]m(?!\d)/;

/** Length of a fiscal year in days: about eleven months to a year and a half. */
const [FEWEST_DAYS, MOST_DAYS] = [330, 550];
const DAY_MS = 86_400_000;

const toWord = (value: unknown): string => toName(String(value ?? ""));
const readDay = (value: unknown): number => Date.parse(String(value).slice(0, 10));

/** Spans by version, since every cell needs those of its year. */
const spans = new WeakMap<FinancialYear, Span>();

function toSpan(version: FinancialYear): Span {
  const known = spans.get(version);
  if (known !== undefined) return known;
  const span = readSpan(version);
  spans.set(version, span);
  return span;
}

/**
 * Reads the kind of a version's period. A word for a part of a year decides first, then the period type ANNUAL, then the
 * length of the period, then the period FY4 where there is no period type. Any other word means an interim period.
 */
function readSpan({ fields }: FinancialYear): Span {
  const [type, period] = [toWord(fields.periodType), toWord(fields.period)];
  if ([type, period, toWord(fields.financialType)].some((word) => INTERIM.test(word))) return "interim";
  if (ANNUAL.test(type)) return "annual";
  const days = (readDay(fields.financialPeriodEnd) - readDay(fields.financialPeriodStart)) / DAY_MS;
  if (days > 0) return days < FEWEST_DAYS || days > MOST_DAYS ? "interim" : "annual";
  if (type !== "") return "interim";
  if (period === "") return null;
  return ANNUAL.test(period) ? "annual" : "interim";
}

export const isInterim = (version: FinancialYear): boolean => toSpan(version) === "interim";

/** Lists the texts by which a basis names an interim version. */
export function listInterimTexts(version: FinancialYear): string[] {
  const { period, periodType, financialType } = version.fields;
  const kind = INTERIM.test(toWord(financialType)) ? [financialType] : [];
  return [period, periodType, ...kind].filter(
    (text): text is string => typeof text === "string" && text !== "" && !ANNUAL.test(toName(text)),
  );
}

/**
 * Picks the versions of a fiscal year that figures come from: the annual ones, unless the basis names an interim period.
 * A version without a period counts as annual where no other version of the year is.
 */
export function pickVersions({ years }: Financials, year: number, basis: readonly string[]): readonly FinancialYear[] {
  const all = years.filter((version) => version.year === year);
  const annual = all.filter((version) => toSpan(version) === "annual");
  const named =
    basis.length === 0 ? [] : all.filter((version) => isInterim(version) && isNamed(version, basis, annual));
  if (named.length > 0) return named;
  return annual.length > 0 ? annual : all.filter((version) => toSpan(version) === null);
}

/** Whether a basis names an interim version; a text that an annual version has too names that one. */
function isNamed(version: FinancialYear, basis: readonly string[], annual: readonly FinancialYear[]): boolean {
  const shared = annual.flatMap(({ fields }) => [toWord(fields.period), toWord(fields.periodType)]);
  const wanted = [...basis, basis.join(",")].map(toName);
  return listInterimTexts(version)
    .map(toName)
    .some((text) => wanted.includes(text) && !shared.includes(text));
}

/** Lists the fiscal years with annual versions, ascending; or those with the interim period that the basis names. */
export function listYears(financials: Financials, basis: readonly string[] = []): number[] {
  const distinct = [...new Set(financials.years.map(({ year }) => year))].sort((one, other) => one - other);
  const found = distinct.map((year) => ({ year, versions: pickVersions(financials, year, basis) }));
  const named = found.filter(({ versions }) => versions.some(isInterim));
  return (named.length > 0 ? named : found.filter(({ versions }) => versions.length > 0)).map(({ year }) => year);
}

/** Lists the versions that figures of a basis come from, of all answers and years. */
export const listVersions = (answers: readonly Financials[], basis: readonly string[]): readonly FinancialYear[] =>
  answers.flatMap((answer) => {
    const picked = new Set(listYears(answer, basis).flatMap((year) => pickVersions(answer, year, basis)));
    return answer.years.filter((version) => picked.has(version)); // in the answer's order: the first spelling counts
  });

/** Finds the latest fiscal year with an annual statement; null where there is none. */
export function findLatestYear({ years }: Financials): number | null {
  let latest: number | null = null;
  for (const version of years) {
    if (version.statements.length > 0 && !isInterim(version)) latest = Math.max(latest ?? version.year, version.year);
  }
  return latest;
}

/** Whether every version has the bounds of its period (§2.3: sure only in a single company's answer). */
export const hasBounds = ({ years }: Financials): boolean =>
  years.every(({ fields }) => readText(fields.financialPeriodStart) && readText(fields.financialPeriodEnd));

/** Whether two versions are surely of one period: no row may have figures of two. */
export function isSamePeriod(one: FinancialYear, other: FinancialYear): boolean {
  const [end, otherEnd] = [one, other].map(({ fields }) => toWord(fields.financialPeriodEnd).slice(0, 10));
  if (end !== "" && otherEnd !== "" && end !== otherEnd) return false;
  const hasSame = (name: string) => toWord(one.fields[name]) === toWord(other.fields[name]);
  return !isInterim(one) || (hasSame("period") && hasSame("periodType"));
}

/** Makes the text of a year with interim figures alone, and names the basis for them. */
export function toInterimText(subject: unknown, versions: readonly FinancialYear[]): Message {
  const names = [...new Set(versions.flatMap((version) => listInterimTexts(version).slice(0, 1)))];
  if (names.length === 0)
    return msg`${subject} has only interim figures, which have no name to ask for; give another year`;
  const quoted = either(names.map((name) => `"${name}"`));
  return msg`${subject} has only interim figures (${names.join(", ")}); add ${quoted} as basis`;
}

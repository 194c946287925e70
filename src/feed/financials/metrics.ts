import { findClosest } from "../../client/closest";
import { DecodeError, NoValueError } from "../../client/errors";
import { either, type Message, msg } from "../../client/messages";
import type { Financials, FinancialYear } from "../decode";
import { isMeant, listTexts, toName } from "./names";
import { isInterim, isSamePeriod, listYears, pickVersions, toInterimText } from "./periods";

/** Facts of a fiscal year or of its statements that have a name like a metric, and their fields. */
const YEAR_FACTS = {
  currency: "currency",
  periodStart: "financialPeriodStart",
  periodEnd: "financialPeriodEnd",
  periodType: "periodType",
  period: "period",
  periodYear: "periodYear",
  financialType: "financialType",
  consolidationType: "consolidationType",
} as const;

/** Facts that only a single company's answer is sure to carry (§2.3). */
const PERIOD_FACTS: ReadonlySet<string> = new Set(["periodStart", "periodEnd", "periodYear"]);

export interface MetricChoice {
  /** A metric's name, alone or behind its statement and a dot ("CASH_FLOW.Operating Cash Flow"), or a year's fact. */
  name: string;
  /** Picks among several versions: values of consolidationType, period, periodType or financialType. */
  basis: readonly string[];
}

/** A figure of the answer that matches a choice. */
export interface Candidate {
  value: unknown;
  name: string;
  statementType: string;
  consolidationType: string;
  year: FinancialYear;
}

interface Picked {
  /** A finite number, or a fact's text (dates as YYYY-MM-DD). */
  value: number | string;
  /** Its occurrences in the answer. */
  places: readonly Candidate[];
}

/** Facts of a figure; null where the answer has none, or its occurrences differ. */
interface FigureFacts {
  currency: string | null;
  periodEnd: string | null;
  statementType: string | null;
  consolidationType: string | null;
}

export const isYearFact = (name: string): boolean => factOf(name) !== undefined;

/** Gives the field of a year's fact; undefined for any other name. */
export function toFactField(name: string): string | undefined {
  const fact = factOf(name);
  return fact && YEAR_FACTS[fact];
}

/** Whether a metric's answer must carry period bounds. */
export const isPeriodFact = (name: string): boolean => PERIOD_FACTS.has(factOf(name) ?? "");

/** A metric's name without its statement. */
const toBare = (name: string): string => name.slice(name.indexOf(".") + 1);

/**
 * Picks one value of a fiscal year: of its annual statement, or of the interim period that the basis names. Of several,
 * CONSOLIDATED comes first; several different ones are ambiguous.
 *
 * @throws NoValueError (FEED_NO_VALUE, FEED_AMBIGUOUS); DecodeError (FEED_RESPONSE_MALFORMED) for a value that is no number
 */
export function pickMetric(financials: Financials, year: number, choice: MetricChoice): Picked {
  const fact = factOf(choice.name);
  const versions = pickVersions(financials, year, choice.basis);
  const fitting = pickBasis(toNamed(versions, choice.name), choice.basis);
  if (fitting.length === 0) throw noValue(toAbsentText(financials, year, choice, versions));
  const rest = preferConsolidated(fitting);
  const [first] = rest as [Candidate, ...Candidate[]];
  const others = listOtherPeriods(rest, versions, choice.basis);
  if (others.length > 0 || rest.some(({ value }) => value !== first.value)) {
    throw new NoValueError("FEED_AMBIGUOUS", toAmbiguousText(rest, others, year));
  }
  const isNumber = fact === undefined || (fact === "periodYear" && first.value !== null && first.value !== undefined);
  return { value: isNumber ? readNumber(first, year) : readFact(first, year), places: rest };
}

/** Prefers CONSOLIDATED among the versions of one period. */
function preferConsolidated(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length === 1) return candidates;
  const preferred = candidates.filter(({ consolidationType }) => toName(consolidationType) === "consolidated");
  const isDecided = (candidate: Candidate) =>
    preferred.some(
      (other) =>
        other.year === candidate.year ||
        (isSamePeriod(other.year, candidate.year) && toPeriod(other) === toPeriod(candidate)),
    );
  return candidates.filter((candidate) => preferred.includes(candidate) || !isDecided(candidate));
}

const toPeriod = ({ year: { fields } }: Candidate): string =>
  JSON.stringify([fields.period, fields.periodType, fields.financialType]);

/** Lists matching versions of other periods that lack the figure: a row would mix the periods. */
function listOtherPeriods(
  found: readonly Candidate[],
  versions: readonly FinancialYear[],
  basis: readonly string[],
): Candidate[] {
  const lacking = versions.filter((version) => found.every(({ year }) => year !== version));
  const others = lacking.filter((version) => found.some(({ year }) => !isSamePeriod(year, version)));
  const [first] = found as [Candidate, ...Candidate[]];
  return others.flatMap((year) =>
    pickBasis(
      year.statements.map(({ consolidationType }) => ({ ...first, consolidationType, value: null, year })),
      basis,
    ),
  );
}

/** Gives the facts on which all occurrences of a figure agree. */
export function toFigureFacts(places: readonly Candidate[]): FigureFacts {
  const [first] = places;
  const agree = (read: (place: Candidate) => unknown) => {
    const text = first && read(first);
    return typeof text === "string" && text !== "" && places.every((place) => read(place) === text) ? text : null;
  };
  return {
    currency: agree(({ year }) => year.fields.currency),
    periodEnd: agree(({ year }) => year.fields.financialPeriodEnd),
    statementType: agree(({ statementType }) => statementType),
    consolidationType: agree(({ consolidationType }) => consolidationType),
  };
}

const FACTS_BY_NAME = new Map(Object.keys(YEAR_FACTS).map((fact) => [toName(fact), fact as keyof typeof YEAR_FACTS]));

function factOf(name: string): keyof typeof YEAR_FACTS | undefined {
  return FACTS_BY_NAME.get(toName(name));
}

/** Finds a metric by its name, alone or behind its statement, or a fact. */
function toNamed(versions: readonly FinancialYear[], name: string): Candidate[] {
  const fact = factOf(name);
  if (fact !== undefined) return toFacts(versions, fact);
  const wanted = toName(name);
  return toCandidates(versions, (metric, statementType) => isMeant(metric, statementType, wanted));
}

/** Finds metrics of some versions. It allocates only the results, since every cell searches them. */
export function toCandidates(
  versions: readonly FinancialYear[],
  isWanted: (name: string, statementType: string) => boolean,
): Candidate[] {
  const found: Candidate[] = [];
  for (const year of versions) {
    for (const { statementType, consolidationType, metrics } of year.statements) {
      for (const { name, value } of metrics) {
        if (isWanted(name, statementType)) found.push({ value, name, statementType, consolidationType, year });
      }
    }
  }
  return found;
}

/** Repeats a year's facts for each of its statements, so that a basis picks facts like figures. */
function toFacts(versions: readonly FinancialYear[], fact: keyof typeof YEAR_FACTS): Candidate[] {
  const none = { statementType: "", consolidationType: "" };
  return versions.flatMap((year) =>
    (year.statements.length > 0 ? year.statements : [none]).map(({ statementType, consolidationType }) => {
      const value = fact === "consolidationType" ? consolidationType : year.fields[YEAR_FACTS[fact]];
      return { value, name: fact, statementType, consolidationType, year };
    }),
  );
}

/** Picks the candidates that have all the texts, or that have them as one text with commas. */
export function pickBasis(candidates: readonly Candidate[], basis: readonly string[]): readonly Candidate[] {
  if (basis.length === 0) return candidates;
  const [names, whole] = [basis.map(toName), toName(basis.join(","))];
  return candidates.filter((candidate) => {
    const known = toBases(candidate).map(toName);
    return names.every((name) => known.includes(name)) || known.includes(whole);
  });
}

export function toBases({ consolidationType, year }: Candidate): string[] {
  const { period, periodType, financialType } = year.fields;
  return [consolidationType, period, periodType, financialType].filter(
    (text) => typeof text === "string" && text !== "",
  ) as string[];
}

const noValue = (text: Message) => new NoValueError("FEED_NO_VALUE", text);

/** @throws NoValueError (FEED_NO_VALUE) where it is empty; DecodeError (FEED_RESPONSE_MALFORMED) where it is no number */
export function readNumber({ value, name }: Candidate, year: number): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value === null || value === undefined) {
    throw noValue(msg`${name} of ${year} is empty at the provider; ask for another year or metric`);
  }
  throw new DecodeError(msg`${name} of ${year} is no number in the provider's answer; report it to the provider`);
}

function readFact({ value, name }: Candidate, year: number): number | string {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" && value !== "") return value;
  throw noValue(msg`the provider does not give ${name} for ${year}; ask for another year or metric`);
}

/** Explains a missing figure: other versions have it, the year has other metrics, or the year is missing. */
function toAbsentText(
  financials: Financials,
  year: number,
  { name, basis }: MetricChoice,
  versions: readonly FinancialYear[],
): Message {
  const all = financials.years.filter((version) => version.year === year);
  if (all.length === 0) return toYearText(financials, year);
  const named = toNamed(all, name);
  const isLacking = toNamed(versions, name).length === 0 && !versions.some(isInterim);
  const interim = named.filter((place) => isInterim(place.year)).map((place) => place.year);
  if (versions.length === 0) return toInterimText(year, interim.length > 0 ? interim : all);
  if (isLacking && interim.length > 0) return toInterimText(msg`${name} of ${year}`, interim);
  if (named.length > 0) {
    return msg`${name} of ${year} has no basis "${basis.join(", ")}"; give one of ${listTexts(named.flatMap(toBases))}`;
  }
  const elsewhere = listTexts(toNamed(versions, toBare(name)).map((found) => `"${found.statementType}.${found.name}"`));
  if (elsewhere !== "") return msg`no "${name}" in ${year}; ask for ${elsewhere}`;
  const known = toCandidates(versions, () => true).map((metric) => metric.name);
  const closest = findClosest(toBare(name), [...new Set(known)], MOST_EDITED);
  if (closest.length > 0) {
    const quoted = closest.map((each) => `"${each}"`);
    return msg`no metric "${name}" in ${year}; do you mean ${either(quoted)}?`;
  }
  return known.length === 0
    ? msg`no metric "${name}" in ${year}; the year has none, ask for another`
    : msg`no metric "${name}" in ${year}; ask for one of ${listTexts(known)}`;
}

/** Share of a metric's letters: by a third, one kind of cash flow could pass for another. */
const MOST_EDITED = 1 / 4;

function toYearText(financials: Financials, year: number): Message {
  const known = listTexts(listYears(financials).map(String));
  // An answer narrowed to one year says nothing of the others.
  return known === ""
    ? msg`no fiscal year ${year}; ask for another one, or "FY0" for the latest`
    : msg`no fiscal year ${year}; ask for one of ${known}`;
}

/** Explains several values: names the statements where these differ, else the differing basis texts. */
function toAmbiguousText(found: readonly Candidate[], others: readonly Candidate[], year: number): Message {
  const candidates = [...found, ...others];
  const [{ name }] = candidates as [Candidate, ...Candidate[]];
  const statements = new Set(candidates.map(({ statementType }) => statementType));
  if (statements.size > 1 && !isYearFact(name)) {
    const qualified = [...statements].flatMap((statement) => (statement === "" ? [] : `"${statement}.${name}"`));
    return msg`${name} of ${year} stands in several statements; ask for ${either(qualified)}`;
  }
  const isShared = (text: string) => candidates.every((each) => toBases(each).map(toName).includes(toName(text)));
  const telling = listTexts(found.flatMap(toBases).filter((text) => !isShared(text)));
  if (telling === "") {
    return msg`${name} of ${year} stands twice in the provider's answer with different values; report it to the provider`;
  }
  return others.length > 0
    ? msg`${name} of ${year} stands in only one of several periods; give a basis: ${telling}`
    : msg`${name} of ${year} has several values; give a basis: ${telling}`;
}

/** A year's figures by folded names; NaN where a name needs {@link pickMetric}. */
interface YearFigures {
  /** Of consolidated statements, which come first. */
  consolidated: Map<string, number>;
  others: Map<string, number>;
}

/** The annual figures of an answer that need no choice, by year and name. Years are indexed when first looked up. */
export class FigureIndex {
  readonly #years = new Map<number, YearFigures | null>();

  constructor(private readonly financials: Financials) {}

  /**
   * Finds the number that {@link pickMetric} would pick without a basis.
   *
   * @param name a metric's name as {@link toName} folds it
   * @returns null where a choice, a fact or an error is to be explained: the year has several versions, the name several
   *   values, none, or one that is no number
   */
  find(year: number, name: string): number | null {
    if (name.includes(".")) return null; // behind its statement
    let figures = this.#years.get(year);
    if (figures === undefined) {
      figures = indexYear(pickVersions(this.financials, year, []));
      this.#years.set(year, figures);
    }
    const value = figures?.consolidated.get(name) ?? figures?.others.get(name);
    return value === undefined || Number.isNaN(value) ? null : value;
  }
}

function indexYear([version, ...others]: readonly FinancialYear[]): YearFigures | null {
  if (version === undefined || others.length > 0) return null;
  const figures: YearFigures = { consolidated: new Map(), others: new Map() };
  for (const { consolidationType, metrics } of version.statements) {
    const found = toName(consolidationType) === "consolidated" ? figures.consolidated : figures.others;
    for (const metric of metrics) {
      const name = toName(metric.name);
      const value = typeof metric.value === "number" && Number.isFinite(metric.value) ? metric.value : Number.NaN;
      const known = found.get(name);
      if (known === undefined) found.set(name, value);
      else if (known !== value) found.set(name, Number.NaN);
    }
  }
  return figures;
}

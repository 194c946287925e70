import { findClosest } from "../../client/closest";
import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import { METRICS, STATEMENT_TYPES } from "../../contract/parameter-values";
import type { Financials, FinancialYear } from "../decode";
import { type Candidate, isYearFact, pickBasis, toCandidates } from "./metrics";
import { isMeant, toName } from "./names";
import { pickVersions } from "./periods";

/** A metric of a statement, as an answer or the API document spells it. */
export interface ListedMetric {
  readonly statementType: string;
  readonly name: string;
}

/** The metrics that the API document names, in its order (§2.3). */
const DOCUMENTED: readonly ListedMetric[] = STATEMENT_TYPES.flatMap((statementType) =>
  METRICS[statementType].map((name) => ({ statementType, name })),
);

/** Whether text is a metric that the API document names, or a fact of a year. */
export const isKnownMetric = (name: string): boolean =>
  isYearFact(name) || DOCUMENTED.some((metric) => toName(metric.name) === toName(name));

/** A metric's name behind its statement, which is unique. */
export const toQualifiedName = ({ statementType, name }: ListedMetric): string => `${statementType}.${name}`;

const toKey = (metric: ListedMetric): string => toName(toQualifiedName(metric));
const PLACES = new Map(DOCUMENTED.map((metric, place) => [toKey(metric), place]));

/**
 * Lists the metrics of some versions, each once per statement in its first spelling. Those of the API document come
 * first, in its order (§2.3).
 */
export function listMetrics(versions: readonly FinancialYear[]): ListedMetric[] {
  const found = new Map<string, ListedMetric>();
  for (const { statements } of versions) {
    for (const { statementType, metrics } of statements) {
      for (const { name } of metrics) {
        const key = toKey({ statementType, name });
        if (!found.has(key)) found.set(key, { statementType, name });
      }
    }
  }
  const placeOf = (key: string) => PLACES.get(key) ?? DOCUMENTED.length;
  return [...found].sort(([one], [other]) => placeOf(one) - placeOf(other)).map(([, metric]) => metric);
}

/** The shortest unique name of a metric in the list: alone, or behind its statement. */
export function toShortName(metric: ListedMetric, listed: readonly ListedMetric[]): string {
  const isShared = listed.some((other) => other !== metric && toName(other.name) === toName(metric.name));
  return isShared || metric.name === "" || isYearFact(metric.name) ? toQualifiedName(metric) : metric.name;
}

/**
 * Finds the metrics of a name, one for each statement that has it, in the answers or else in the API document.
 *
 * @param listed the metrics of the answers
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) naming the closest when neither has it
 */
export function findMetrics(name: string, listed: readonly ListedMetric[]): readonly ListedMetric[] {
  for (const known of [listed, DOCUMENTED]) {
    const found = known.filter((metric) => isMeant(metric.name, metric.statementType, toName(name)));
    if (found.length > 0) return found;
  }
  if (listed.length === 0) return [{ statementType: "", name }]; // without an answer no name is known to be wrong
  const names = listed.flatMap((metric) => [metric.name, toQualifiedName(metric)]);
  const [closest] = findClosest(name, names, Number.POSITIVE_INFINITY);
  throw new ArgumentError(msg`metrics has "${name.slice(0, 60)}", which no answer has; the closest is "${closest}"`);
}

interface FigureFilter {
  /** Fiscal years, in the order of the list. */
  years: readonly number[];
  /** Metrics, alone or behind their statement; null for all. */
  names: readonly string[] | null;
  /** Values of consolidationType, period, periodType or financialType that all must have. */
  basis: readonly string[];
}

/** Lists the figures of every annual version, or of the period that the basis names, without duplicates. */
export function listFigures(financials: Financials, { years, names, basis }: FigureFilter): Candidate[] {
  const wanted = names?.map(toName);
  const isWanted = (name: string, statementType: string) =>
    wanted?.some((each) => isMeant(name, statementType, each)) ?? true;
  return years.flatMap((year) => {
    const fitting = pickBasis(toCandidates(pickVersions(financials, year, basis), isWanted), basis);
    return [...new Map(fitting.map((figure) => [toIdentity(figure), figure])).values()];
  });
}

const toIdentity = ({ year, ...figure }: Candidate): string =>
  JSON.stringify([figure, { ...year.fields, statements: null }]);

import { FeedError, NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import { STATEMENT_TYPES } from "../../contract/parameter-values";
import type { Financials } from "../../feed/decode";
import { FINANCIAL_FIELDS, toReadable } from "../../feed/field-tables";
import { pickField } from "../../feed/fields";
import {
  findMetrics,
  type ListedMetric,
  listFigures,
  listMetrics,
  toQualifiedName,
  toShortName,
} from "../../feed/financials/metric-lists";
import { type Candidate, isYearFact, readNumber, toBases, toFactField } from "../../feed/financials/metrics";
import { listTexts, toName } from "../../feed/financials/names";
import { isInterim, listVersions, listYears, toInterimText } from "../../feed/financials/periods";
import type { Unit } from "../../feed/financials/unit";
import type { Answer } from "../../feed/query-cache";
import { assertMayFit, Figure, type Table } from "../cells";
import { assertCurrency, CURES, pickFigure, toAmount } from "../figures";
import { pickYear, toNoAnnual, type YearChoice } from "../financial-arguments";
import { toFieldValue } from "./table";

/** The columns of the wide layout that stand before the metrics. */
export const LEADING_COLUMNS: readonly string[] = ["Company", "Year", "Currency"];

/** Lays companies out by year, a row for each, with metrics across. */
export function toWideTable(companies: readonly CompanyAnswer[], options: FinancialsTableOptions): Table {
  assertAnswered(companies, options);
  const columns = toColumns(companies, options);
  const header = [...LEADING_COLUMNS, ...columns.map((column) => column.header)];
  const years = companies.map((company) => (isAnswered(company) ? listChoices(company, options) : []));
  assertMayFit(years.reduce((sum, { length }) => sum + Math.max(1, length), 0) * header.length, CURES);
  const picker = createPicker(options);
  const pickCurrency = columns.length > 0 ? picker.peek : picker.pick; // alone, the currency is the requested value
  const rows = companies.flatMap((company, at): unknown[][] => {
    if (!isAnswered(company)) return [toErrorRow(company, header.length)];
    const toRow = (year: YearChoice) => [
      company.given,
      showYear(company, year, options),
      pickCurrency(company, year, "currency"),
      ...columns.map(({ name }) => picker.pick(company, year, name)),
    ];
    return years[at]?.length ? years[at].map(toRow) : [[company.given]];
  });
  picker.assertFound();
  return toFinancialsTable(header, rows, options);
}

/** Lays one company out as statements are printed: metrics down, by statement, and years across. */
export function toStatementTable(company: CompanyAnswer, options: FinancialsTableOptions): Table {
  assertAnswered([company], options);
  if (!isAnswered(company)) throw company.error;
  const years = listChoices(company, options);
  const sections = toSections(company, options);
  const facts = (options.metrics ?? []).filter(isYearFact);
  const named = sections.flatMap(({ metrics }) => metrics);
  assertMayFit((named.length + facts.length) * (years.length + 1), CURES);
  const picker = createPicker(options);
  const toLine = (header: string, show: (year: YearChoice) => unknown) => [header, ...years.map(show)];
  const toFactLine = (pick: typeof picker.pick, fact: string) =>
    toLine(toFactHeader(fact), (year) => pick(company, year, fact));
  const currency = toFactLine(named.length + facts.length > 0 ? picker.peek : picker.pick, "currency");
  const end = toFactLine(picker.peek, "periodEnd");
  const leading = end.slice(1).every((day) => day === "") ? [currency] : [currency, end];
  const head = [...leading, ...facts.map((fact) => toFactLine(picker.pick, fact))];
  const body = sections.flatMap(({ title, metrics }) => [
    [title],
    ...metrics.map((metric) => toLine(metric.name, (year) => picker.pick(company, year, toQualifiedName(metric)))),
  ]);
  picker.assertFound();
  const distinct = new Map(head.map((line) => [line[0], line]));
  const header = toLine("Year", (year) => showYear(company, year, options));
  return toFinancialsTable(header, [...distinct.values(), ...body], options);
}

interface Column {
  header: string;
  /** The metric's name for FINANCIAL. */
  name: string;
}

/**
 * The columns of the metrics wanted. Among all, one that stands in two statements has a column for each; one
 * that is named stays one column, whose cells say what to name instead where they differ.
 */
function toColumns(companies: readonly CompanyAnswer[], options: FinancialsTableOptions): Column[] {
  const { metrics: names } = options;
  if (names === null) {
    const listed = listShown(companies, options);
    const shorts = listed.map((metric) => toShortName(metric, listed));
    return shorts.map((name) => ({ header: name, name }));
  }
  const known = listKnown(companies);
  return names.map((name) => {
    if (isYearFact(name)) return { header: toFactHeader(name), name };
    const [metric] = findMetrics(name, known);
    const isAlone = metric === undefined || toName(metric.name) === toName(name);
    return { header: isAlone ? (metric?.name ?? name) : toQualifiedName(metric), name };
  });
}

interface Section {
  title: string;
  metrics: ListedMetric[];
}

/** The metrics wanted, by statement: the API document's statements first. */
function toSections(company: CompanyAnswer, options: FinancialsTableOptions): Section[] {
  const known = listKnown([company]);
  const named = options.metrics?.filter((name) => !isYearFact(name)).flatMap((name) => findMetrics(name, known));
  const wanted = named ?? listShown([company], options);
  const types = new Map<string, string>(
    [...STATEMENT_TYPES, ...wanted.map((metric) => metric.statementType)].map((type) => [toName(type), type]),
  );
  const sections = [...types].map(([key, type]) => ({
    title: type === "" ? "Other" : toReadable(type),
    metrics: wanted.filter(({ statementType }) => toName(statementType) === key),
  }));
  return sections.filter(({ metrics }) => metrics.length > 0);
}

/** A fact's name as the table of single numbers has it. */
function toFactHeader(fact: string): string {
  const field = toFactField(fact);
  return FINANCIAL_FIELDS.find(({ name }) => name.split(".").at(-1) === field)?.header ?? fact;
}

/** The fiscal year that a choice means for a company; empty where it has none such. */
function showYear({ answer }: Answered, year: YearChoice, { basis }: FinancialsTableOptions): unknown {
  try {
    return pickYear(answer.value, year, basis);
  } catch (error) {
    return isAbsence(error) ? "" : error;
  }
}

/** Picks cells as FINANCIAL does, empty where there is no value, and an error where FINANCIAL has one. */
function createPicker(options: FinancialsTableOptions) {
  let isFound = false;
  let absence: unknown = null;
  const read = (company: Answered, year: YearChoice, name: string) => {
    try {
      return { value: pickFigure(company.answer, year, { name, basis: options.basis }, options) };
    } catch (error) {
      return { value: isAbsence(error) ? "" : error, ...(isAbsence(error) && { absence: error }) };
    }
  };
  return {
    /** A requested cell. */
    pick(company: Answered, year: YearChoice, name: string): unknown {
      const found = read(company, year, name);
      if ("absence" in found) absence ??= found.absence;
      else isFound = true;
      return found.value;
    },
    /** An additional cell. */
    peek: (company: Answered, year: YearChoice, name: string): unknown => read(company, year, name).value,
    /** A table without a single value says why instead. @throws NoValueError (FEED_NO_VALUE) */
    assertFound() {
      if (absence !== null && !isFound) throw absence;
    },
  };
}

/** Lists the numbers of companies, a row for each with all that the answer says of it, in every version of its period. */
export function toLongTable(companies: readonly CompanyAnswer[], options: FinancialsTableOptions): Table {
  assertAnswered(companies, options);
  const metrics = listKnown(companies);
  for (const name of options.metrics ?? []) findMetrics(name, metrics); // throws for an unknown metric
  const header = FINANCIAL_FIELDS.map((field) => field.header);
  const rows: unknown[][] = [];
  let isMissing = false;
  let isFound = false;
  for (const company of companies) {
    const own = isAnswered(company) ? toRows(company, options) : [toErrorRow(company, header.length)];
    if (own.length > 0) isFound = true;
    else if (isAnswered(company)) {
      isMissing ||= listChoices(company, options).length > 0;
      own.push([company.given, company.answer.value.companyId]);
    }
    for (const row of own) rows.push(row); // a call has no room for all of them
    assertMayFit(rows.length * header.length, CURES);
  }
  if (isMissing && !isFound) throw toNoNumber(companies.filter(isAnswered), options);
  return toFinancialsTable(header, rows, options);
}

/** The rows of one company's numbers, or one of its error where it cannot be told which year is meant. */
function toRows(company: Answered, options: FinancialsTableOptions): unknown[][] {
  try {
    return listOwn(company, options).map((figure) => toRow(company, figure, options));
  } catch (error) {
    return [toErrorRow({ given: company.given, error }, FINANCIAL_FIELDS.length)];
  }
}

function listOwn(company: Answered, options: FinancialsTableOptions): Candidate[] {
  const { metrics: names, basis } = options;
  return listFigures(company.answer.value, { years: listNamed(company, options), names, basis });
}

/** The fiscal years that the choices mean. */
function listNamed(company: Answered, options: FinancialsTableOptions): number[] {
  return listChoices(company, options).flatMap((year) => {
    try {
      return [pickYear(company.answer.value, year, options.basis)];
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  });
}

const VALUE = FINANCIAL_FIELDS.at(-1);

function toRow({ given, answer }: Answered, figure: Candidate, options: FinancialsTableOptions): unknown[] {
  const { year, statementType, consolidationType, name } = figure;
  const statements = { statementType, consolidationType, metrics: { name } };
  const record = {
    company: given,
    companyId: answer.value.companyId,
    years: { ...year.fields, year: year.year, statements },
  };
  return FINANCIAL_FIELDS.map((field) =>
    field === VALUE ? showNumber(figure, options) : toFieldValue(pickField(record, field.name), field),
  );
}

function showNumber(figure: Candidate, unit: FinancialsTableOptions): unknown {
  const show = (value: unknown) => new Figure(value, [figure]);
  try {
    assertCurrency([figure], unit.currency);
    return show(toAmount(readNumber(figure, figure.year.year), unit));
  } catch (error) {
    return isAbsence(error) ? show("") : error;
  }
}

/** Why there is not a single number: interim ones alone, a basis that none has, or years without any. */
function toNoNumber(companies: readonly Answered[], options: FinancialsTableOptions): NoValueError {
  const others = companies.flatMap((company) => listOwn(company, { ...options, basis: [] }));
  const bases = [...new Set(others.flatMap(toBases))].join(", ");
  const interim = companies.flatMap((company) => {
    const years = listNamed(company, options);
    return company.answer.value.years.filter((version) => years.includes(version.year) && isInterim(version));
  });
  let reason = msg`the provider has no such numbers; ask for other years, metrics or companies`;
  if (bases !== "") reason = msg`no number has the basis "${options.basis.join(", ")}"; give one of ${bases}`;
  else if (interim.length > 0) reason = toInterimText(listTexts(interim.map(({ year }) => String(year))), interim);
  return new NoValueError("FEED_NO_VALUE", reason);
}

/** A company of a table: its cell's content, and its financials or error. */
export type CompanyAnswer = Answered | { given: unknown; error: unknown };

interface Answered {
  given: unknown;
  answer: Answer<Financials>;
}

/** The options of a table of financials. */
export interface FinancialsTableOptions extends Unit {
  /** Fiscal years in the order wanted; null for all of each answer, ascending. */
  years: readonly YearChoice[] | null;
  /** Metrics or facts of a year in the order wanted; null for all metrics of the answers. */
  metrics: readonly string[] | null;
  /** The versions to prefer. */
  basis: readonly string[];
  /** Whether a header row comes first. */
  headers: boolean;
}

const isAnswered = (company: CompanyAnswer): company is Answered => "answer" in company;

/** Whether an error means a missing value, which a table leaves empty. */
const isAbsence = (error: unknown): boolean => error instanceof FeedError && error.code === "FEED_NO_VALUE";

/** The answered financials. */
const toFinancials = (companies: readonly CompanyAnswer[]): Financials[] =>
  companies.filter(isAnswered).map(({ answer }) => answer.value);

/** The metrics of a table that names none, by its versions. */
const listShown = (companies: readonly CompanyAnswer[], { basis }: FinancialsTableOptions): ListedMetric[] =>
  listMetrics(listVersions(toFinancials(companies), basis));

/** All metrics of the answers, in any version, to check named ones against. */
const listKnown = (companies: readonly CompanyAnswer[]): ListedMetric[] =>
  listMetrics(toFinancials(companies).flatMap(({ years }) => years));

/** The years wanted of a company. */
function listChoices({ answer }: Answered, { years, basis }: FinancialsTableOptions): readonly YearChoice[] {
  return years ?? listYears(answer.value, basis).map((year) => ({ kind: "fiscal", year }));
}

/**
 * Throws the error of a single company, since it is the formula's.
 *
 * @throws what the company's query failed with; NoValueError (FEED_NO_VALUE) when all of no years is wanted
 */
function assertAnswered(companies: readonly CompanyAnswer[], options: FinancialsTableOptions): void {
  const [company, ...others] = companies;
  if (company === undefined || others.length > 0) return;
  if (!isAnswered(company)) throw company.error;
  if (listChoices(company, options).length === 0) throw toNoAnnual(company.answer.value);
}

/** The row of a failed company: each cell has its error. */
function toErrorRow({ given, error }: Exclude<CompanyAnswer, Answered>, width: number): unknown[] {
  return [given, ...Array.from({ length: width - 1 }, () => error)];
}

/** Makes the table, with its header row where wanted. */
function toFinancialsTable(
  header: readonly unknown[],
  body: readonly (readonly unknown[])[],
  { headers }: FinancialsTableOptions,
): Table {
  const rows = headers ? [header, ...body] : body;
  return { rows, cures: CURES };
}

import { STATEMENT_TYPES } from "../contract/constants";
import { FINANCIAL_FIELDS, toReadable } from "../feed/field-tables";
import { findMetrics, type ListedMetric, toQualifiedName, toShortName } from "../feed/financials/metric-lists";
import { isYearFact, toFactField } from "../feed/financials/metrics";
import { toName } from "../feed/financials/names";
import { assertMayFit, type Table } from "./cells";
import { pickFigure } from "./figures";
import {
  type Answered,
  assertAnswered,
  type CompanyAnswer,
  CURES,
  type FinancialsTableOptions,
  isAbsence,
  isAnswered,
  listChoices,
  listKnown,
  listShown,
  toErrorRow,
  toFinancialsTable,
} from "./financial-answers";
import { pickYear, type YearChoice } from "./years";

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
  const pickCurrency = columns.length > 0 ? picker.peek : picker.pick; // where it is all there is, it is what was asked for
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
  /** What FINANCIAL is asked for the same figure. */
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
    /** A cell of what was asked for. */
    pick(company: Answered, year: YearChoice, name: string): unknown {
      const found = read(company, year, name);
      if ("absence" in found) absence ??= found.absence;
      else isFound = true;
      return found.value;
    },
    /** A cell that only goes with others. */
    peek: (company: Answered, year: YearChoice, name: string): unknown => read(company, year, name).value,
    /** A table without a single value says why instead. @throws NoValueError (FEED_NO_VALUE) */
    assertFound() {
      if (absence !== null && !isFound) throw absence;
    },
  };
}

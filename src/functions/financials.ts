import type { Financials } from "../feed/decode";
import { ArgumentError } from "../feed/errors";
import { FINANCIAL_FIELDS } from "../feed/field-tables";
import type { CompanyRef, FinancialsOptions } from "../feed/financials";
import { isPeriodFact, isYearFact, type MetricChoice } from "../feed/metrics";
import type { Answer, Question } from "../feed/watch";
import { session } from "../session/current";
import {
  type Argument,
  isBlank,
  type Reading,
  readCells,
  readChoice,
  readCompany,
  readHeaders,
  readNames,
  readUnit,
} from "./arguments";
import { assertMayFit, type Table } from "./cells";
import { type CompanyAnswer, CURES, type FinancialsTableOptions } from "./company-answers";
import {
  type GivenCompany,
  readCompanies,
  readMetric,
  readMetrics,
  readSpreadYear,
  readYears,
  spreadYears,
} from "./figure-arguments";
import { toLongTable } from "./figure-list";
import { pickFigure } from "./figures";
import { overlay, trim } from "./grid";
import { toCompanies, toGiven } from "./ranges";
import { LEADING_COLUMNS, toStatementTable, toWideTable } from "./statement-table";
import { type Settled, stream, type View } from "./stream";
import { toYearOptions, type YearChoice } from "./years";

/**
 * One figure of a company's financials, or a grid of them: a column of companies and a row of years spill the table.
 * @customfunction FINANCIAL
 * @param company A company id or registration number, or a range of them, e.g. A2:A20
 * @param year A fiscal year such as 2023, "FY0" for the latest, "FY-1", "2019:2023", a date, or a range
 * @param metric A metric such as "Revenue" or "CASH_FLOW.Operating Cash Flow", or currency, periodEnd and the like, or a range
 * @param [basis] Which version when there are several, e.g. "CONSOLIDATED" or "NON_CONSOLIDATED,FY4"
 * @param [unit] "k", "m", "bn" or a number to divide by
 * @param invocation Streams the figure
 * @streaming
 */
export function financial(
  company: any[][],
  year: any[][],
  metric: any[][],
  basis: any,
  unit: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, () => openFinancial(company, year, metric, basis, unit));
}

/**
 * The financials of one company or several as a table: by year with metrics across, as printed statements, or a row for each number.
 * @customfunction FINANCIALS
 * @param companies Company ids or registration numbers, as a range, e.g. A2:A20, or as text with commas
 * @param [years] Fiscal years such as 2023, "2019:2023", "FY-4:FY0", or a range of them; all when left out
 * @param [metrics] Metrics such as "Revenue,EBIT", or a range of them; all when left out
 * @param [layout] "wide" for a row per company and year, "statement" for one company's statements, "long" for a row per number
 * @param [basis] Which version when there are several, e.g. "CONSOLIDATED" or "NON_CONSOLIDATED,FY4"
 * @param [unit] "k", "m", "bn" or a number to divide by
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 */
export function financials(
  companies: any[][],
  years: any[][],
  metrics: any[][],
  layout: any,
  basis: any,
  unit: any,
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, () => {
    const { dateSystem } = session.settings;
    return openTable(readCompanies(companies), readChoice(layout, "layout", LAYOUTS, "wide"), {
      years: readYears(years, dateSystem),
      metrics: readMetrics(metrics),
      basis: readNames(basis, "basis") ?? [],
      divisor: readUnit(unit),
      headers: readHeaders(headers),
      dateSystem,
    });
  });
}

/** One cell of the grid: what it asks and how its figure is found in the answer. */
interface Wish {
  year: YearChoice;
  metric: MetricChoice;
}

type GridCell = { kind: "wish"; at: number; wish: Wish } | { kind: "blank" } | { kind: "error"; error: unknown };

function openFinancial(
  company: Argument[][],
  year: Argument[][],
  metric: Argument[][],
  basis: Argument,
  unit: Argument,
): View {
  const divisor = readUnit(unit);
  const bases = readNames(basis, "basis") ?? [];
  const { dateSystem } = session.settings;
  const given = {
    company: toCompanies(company, "company"),
    year: spreadYears(toGiven(year, "year"), dateSystem),
    metric: toGiven(metric, "metric"),
  };
  const ranges = trim(given, isBlank);
  const grid = overlay({
    company: readCells(ranges.company, readCompany),
    year: readCells(ranges.year, (value) => readSpreadYear(value, dateSystem)),
    metric: readCells(ranges.metric, (value) => ({ name: readMetric(value), basis: bases })),
  });
  const questions = createQuestions();
  const cells = grid.map((row) => row.map((readings) => toGridCell(readings, questions)));
  return {
    questions: questions.list,
    isRelative: false,
    show: (settled) =>
      showGrid(cells, settled, ({ year, metric }, answer) => pickFigure(answer, year, metric, { divisor, dateSystem })),
  };
}

interface Readings {
  company: Reading<CompanyRef>;
  year: Reading<YearChoice>;
  metric: Reading<MetricChoice>;
}

function toGridCell({ company, year, metric }: Readings, questions: Questions): GridCell {
  const failed = [company, year, metric].find((reading) => reading.kind === "error");
  if (failed !== undefined) return failed as GridCell;
  if (company.kind !== "value" || year.kind !== "value" || metric.kind !== "value") return { kind: "blank" };
  const at = questions.add(company.value, toOptions([year.value], [metric.value.name]));
  return { kind: "wish", at, wish: { year: year.value, metric: metric.value } };
}

/** What the answer must hold for some years and metrics: one year alone is asked for by its number. */
function toOptions(years: readonly YearChoice[] | null, metrics: readonly string[] | null): FinancialsOptions {
  const each = years?.map(toYearOptions) ?? [];
  return {
    year: each.length === 1 ? (each[0]?.year ?? null) : null,
    withPeriods: each.some(({ withPeriods }) => withPeriods) || (metrics ?? []).some(isPeriodFact),
  };
}

/** The questions of a formula, in which equal ones are one. */
function createQuestions() {
  const places = new Map<string, number>();
  const list: Question<Financials>[] = [];
  return {
    list,
    /** Gives the question's place. */
    add(company: CompanyRef, options: FinancialsOptions): number {
      const question = session.feed.financials.ask(company, options);
      const key = JSON.stringify(question.key);
      const at = places.get(key) ?? list.push(question) - 1;
      places.set(key, at);
      return at;
    },
  };
}

type Questions = ReturnType<typeof createQuestions>;

/** A cell that fails shows its own error; where the whole formula is that one cell, so does the formula. */
function showGrid(
  cells: readonly (readonly GridCell[])[],
  settled: readonly Settled[],
  toValue: (wish: Wish, answer: Answer<Financials>) => unknown,
): Table {
  const rows = cells.map((row) =>
    row.map((cell) => {
      if (cell.kind !== "wish") return cell.kind === "error" ? cell.error : "";
      const state = settled[cell.at] as Settled;
      if (state.status === "failed") return state.error;
      try {
        return toValue(cell.wish, state.answer as Answer<Financials>);
      } catch (error) {
        return error;
      }
    }),
  );
  return { rows, expected: rows.length, cures: CURES };
}

const LAYOUTS = ["wide", "statement", "long"] as const;

function openTable(
  given: readonly GivenCompany[],
  layout: (typeof LAYOUTS)[number],
  options: FinancialsTableOptions,
): View {
  const { years, metrics } = options;
  if (layout === "statement" && given.length > 1) {
    throw new ArgumentError(
      `layout "statement" shows one company, and companies has ${given.length}; give one, or the layout "wide" or "long"`,
    );
  }
  const fact = layout === "long" ? metrics?.find(isYearFact) : undefined;
  if (fact !== undefined) {
    throw new ArgumentError(`metrics has "${fact}", which is a column of the layout "long"; leave it out`);
  }
  const inWide = (years?.length ?? 1) * (LEADING_COLUMNS.length + (metrics?.length ?? 0));
  assertMayFit(given.length * (layout === "long" ? FINANCIAL_FIELDS.length : inWide), CURES);
  const questions = createQuestions();
  const places = given.map(({ reading }) =>
    reading.kind === "value" ? questions.add(reading.value, toOptions(years, metrics)) : null,
  );
  return {
    questions: questions.list,
    isRelative: false,
    show(settled) {
      const companies = given.map((company, index) => toCompanyAnswer(company, settled[places[index] ?? -1]));
      if (layout === "wide") return toWideTable(companies, options);
      if (layout === "long") return toLongTable(companies, options);
      return toStatementTable(companies[0] as CompanyAnswer, options);
    },
  };
}

function toCompanyAnswer({ given, reading }: GivenCompany, settled: Settled | undefined): CompanyAnswer {
  if (reading.kind === "error") return { given, error: reading.error };
  if (settled?.status !== "answered") return { given, error: settled?.error };
  return { given, answer: settled.answer as Answer<Financials> };
}

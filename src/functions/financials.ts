import type { Financials } from "../feed/decode";
import type { CompanyRef } from "../feed/financials";
import { isPeriodFact, type MetricChoice } from "../feed/metrics";
import type { Answer, Question } from "../feed/watch";
import { session } from "../session/current";
import { type Argument, isBlank, type Reading, readCells, readCompany, readNames, readUnit } from "./arguments";
import type { Table } from "./cells";
import { readMetric, readSpreadYear, spreadYears } from "./figure-arguments";
import { pickFigure } from "./figures";
import { overlay, trim } from "./grid";
import { toCompanies, toGiven } from "./ranges";
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

/** One cell of the grid: what it asks and how its figure is found in the answer. */
interface Wish {
  question: Question<Financials>;
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
  const questions = new Map<string, { at: number; question: Question<Financials> }>();
  const cells = grid.map((row) => row.map((readings) => toGridCell(readings, questions)));
  return {
    questions: [...questions.values()].map(({ question }) => question),
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

/** Equal questions of a grid are one. */
function toGridCell(
  { company, year, metric }: Readings,
  questions: Map<string, { at: number; question: Question<Financials> }>,
): GridCell {
  const failed = [company, year, metric].find((reading) => reading.kind === "error");
  if (failed !== undefined) return failed as GridCell;
  if (company.kind !== "value" || year.kind !== "value" || metric.kind !== "value") return { kind: "blank" };
  const { year: fiscalYear = null, withPeriods = false } = toYearOptions(year.value);
  const options = { year: fiscalYear, withPeriods: withPeriods || isPeriodFact(metric.value.name) };
  const question = session.feed.financials.ask(company.value, options);
  const key = JSON.stringify(question.key);
  const known = questions.get(key) ?? { at: questions.size, question };
  questions.set(key, known);
  return { kind: "wish", at: known.at, wish: { question, year: year.value, metric: metric.value } };
}

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
  return { rows, expected: rows.length };
}

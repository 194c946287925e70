import type { CompanyRef } from "../client/ids";
import type { Financials } from "../feed/decode";
import type { MetricChoice } from "../feed/financials/metrics";
import type { Unit } from "../feed/financials/unit";
import type { Answer, Query } from "../feed/query-cache";
import type { Call } from "../session/calls";
import { session } from "../session/current";
import {
  type Argument,
  type Given,
  isBlank,
  isSingle,
  type Reading,
  readCell,
  readCells,
  readCompany,
  readNames,
  readUnit,
  toCompanies,
  toGiven,
} from "./arguments";
import { CURES, pickFigure } from "./figures";
import { readMetric, readSpreadYear, spreadYears, toOptions, type YearChoice } from "./financial-arguments";
import { type CellQuery, join, openGrid, overlay, trim } from "./grid";
import { JAPANESE, streamPlainFigure } from "./plain-figures";
import { lazily, opensListed, stream } from "./stream";
import type { View } from "./view-observer";

/**
 * One figure of a company's financials, or a grid of them: a column of companies and a row of years spill the table.
 * @customfunction FINANCIAL
 * @param company A company's name, ticker, registration number or id, or a range of them, e.g. A2:A20
 * @param year A fiscal year such as 2023, "FY0" for the latest, "FY-1", "2019:2023", a date, or a range
 * @param metric A metric such as "Revenue" or "CASH_FLOW.Operating Cash Flow", or currency, periodEnd and the like, or a range
 * @param [basis] Which version, e.g. "CONSOLIDATED", or "HY2" for a half-year; annual figures when left out
 * @param [unit] "k", "m", "bn" or a number to divide by, alone or with the currency that the figures must be in, e.g. "JPY m"
 * @param invocation Streams the figure
 * @streaming
 * @requiresStreamAddress
 */
export function financial(
  company: any[][],
  year: any[][],
  metric: any[][],
  basis: any,
  unit: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  const given = { company, year, metric, basis, unit };
  if (streamPlainFigure(session, invocation, given, openFigures as (given: Call["given"]) => View)) return;
  const isJapanese = JAPANESE.test(JSON.stringify([metric, basis, unit]));
  stream(session, invocation, "FINANCIAL", given, isJapanese ? openJapanese : openFinancial);
}

const openFinancial = opensListed("company", openFigures);

const openJapanese = lazily(async () => {
  const { withJapanese } = await import(/* webpackChunkName: "views" */ "./views/financials");
  return withJapanese(openFinancial);
});

/**
 * The financials of one company or several as a table: by year with metrics across, as printed statements, or a row for each number.
 * @customfunction FINANCIALS
 * @param companies Names, tickers, registration numbers or ids, as a range, e.g. A2:A20, or as text with commas
 * @param [years] Fiscal years such as 2023, "2019:2023", "FY-4:FY0", or a range of them; all when left out
 * @param [metrics] Metrics such as "Revenue,EBIT", or a range of them; all when left out
 * @param [layout] "wide" for a row per company and year, "statement" for one company's statements, "long" for a row per number
 * @param [basis] Which version, e.g. "CONSOLIDATED", or "HY2" for a half-year; annual figures when left out
 * @param [unit] "k", "m", "bn" or a number to divide by, alone or with the currency that the figures must be in, e.g. "JPY m"
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
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
  const given = { companies, years, metrics, layout, basis, unit, headers };
  stream(session, invocation, "FINANCIALS", given, openTable);
}

const loadTable = () => import(/* webpackChunkName: "views" */ "./views/financials");
const openTable = lazily(async () => opensListed("companies", (await loadTable()).openTable));

function openFigures(given: Record<"company" | "year" | "metric", Argument[][]> & Given<"basis" | "unit">): View {
  const { company, year, metric, basis, unit } = given;
  const { dateSystem } = session.settings;
  const scale = readUnit(unit);
  const bases = readNames(basis, "basis") ?? [];
  const cells = {
    company: toCompanies(company, "company"),
    year: spreadYears(toGiven(year, "year"), dateSystem),
    metric: toGiven(metric, "metric"),
  };
  const readings = readPlaces(cells, {
    company: (value) => readCompany(value, session.settings.country),
    year: (value) => readSpreadYear(value, dateSystem),
    metric: (value) => ({ name: readMetric(value), basis: bases }),
  });
  const toCell = (place: Place) =>
    join(place, ({ company, year, metric }) => new FigureQuery(company, year, metric, scale));
  return openGrid(
    readings.map((row) => row.map(toCell)),
    CURES,
  );
}

/** A cell of the grid. */
class FigureQuery implements CellQuery<Financials> {
  readonly query: Query<Financials>;

  constructor(
    company: CompanyRef,
    private readonly year: YearChoice,
    private readonly metric: MetricChoice,
    private readonly unit: Unit,
  ) {
    this.query = session.feed.financials.query(company, toOptions([year], [metric.name]));
  }

  show(answer: Answer<Financials>): unknown {
    return pickFigure(answer, this.year, this.metric, this.unit);
  }
}

/** The readings behind a cell. */
type Place = { company: Reading<CompanyRef>; year: Reading<YearChoice>; metric: Reading<MetricChoice> };

type Readers = { [K in keyof Place]: (value: Argument) => Place[K] extends Reading<infer T> ? T : never };

function readPlaces(cells: Record<keyof Place, Argument[][]>, { company, year, metric }: Readers): Place[][] {
  if (isSingle(cells.company) && isSingle(cells.year) && isSingle(cells.metric)) {
    // Most formulas show one figure, and there are thousands of them: no overlay is needed.
    const [[id], [when], [what]] = [cells.company[0] ?? [], cells.year[0] ?? [], cells.metric[0] ?? []];
    // A year in the metric's place says more than what stands in its own.
    return [[{ company: readCell(id, company), metric: readCell(what, metric), year: readCell(when, year) }]];
  }
  const ranges = trim(cells, isBlank);
  return overlay({
    company: readCells(ranges.company, company),
    metric: readCells(ranges.metric, metric),
    year: readCells(ranges.year, year),
  });
}

session.formulas.offer({ FINANCIAL: financial, FINANCIALS: financials });

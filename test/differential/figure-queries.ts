import type { Chance } from "../support/chance";
import { SHARED_NUMBERS, toCompanyId, toName, toRegistration } from "./addresses";
import type { FigureSet } from "./figure-answers";
import { SLOT } from "./list-rows";
import type { Formula } from "./page";
import { type Figure, findLatestAnnual, METRICS, readFigure, YEARS } from "./statements";

/** The expected content of a cell: a figure or an error, or a text. */
export interface Expected {
  entity: number;
  figure: Figure | { text: string };
}

/** A formula and its expected cells: by position, or for a table by each row's identifying cells. */
export interface FigureQuery {
  figures: FigureSet;
  formula: Formula;
  cells: Expected[][];
  /** Whether it is a table with a header and a row for each company and year. */
  isTable: boolean;
}

interface QueryContext {
  figures: FigureSet;
  chance: Chance;
  /** Whether another country shares the numbers of the first companies. */
  isShared: boolean;
}

const booksOf = ({ set, behaviour }: FigureSet) => ({ set, content: behaviour.content });

const expectFigure = (entity: number, figure: Expected["figure"]): Expected => ({ entity, figure });

const listEntities = ({ companies }: FigureSet): number[] => Array.from({ length: companies }, (_, entity) => entity);

interface Grid {
  entities: readonly number[];
  metric: number;
  /** The periods as they are typed, and the years of a company that they mean. */
  periods: readonly unknown[];
  toYears: (entity: number) => readonly number[];
  isByNumber?: boolean;
}

/** A column of companies by a row of periods, for one metric. */
function queryPeriods(
  context: QueryContext,
  { entities, metric, periods, toYears, isByNumber = false }: Grid,
): FigureQuery {
  const { figures } = context;
  const ids = entities.map((entity) => [(isByNumber ? toRegistration : toCompanyId)(figures.set, entity)]);
  const formula = { name: "FINANCIAL", given: [ids, [periods], [[METRICS[metric]!.name]], null, null] };
  const toFigure = (entity: number, year: number) =>
    isByNumber && isAmbiguous(context, entity) ? "ambiguous" : readFigure(booksOf(figures), entity, year, metric);
  const cells = entities.map((entity) => toYears(entity).map((year) => expectFigure(entity, toFigure(entity, year))));
  return { figures, formula, cells, isTable: false };
}

export const queryGrid = (context: QueryContext, entities: readonly number[], metric: number): FigureQuery =>
  queryPeriods(context, { entities, metric, periods: YEARS, toYears: () => YEARS });

const pickMetric = ({ chance }: QueryContext): number => chance.below(METRICS.length);

function queryLatest(context: QueryContext): FigureQuery {
  const toYears = (entity: number) => {
    const latest = findLatestAnnual(booksOf(context.figures), entity) ?? 0;
    return [latest - 1, latest];
  };
  const entities = listEntities(context.figures);
  return queryPeriods(context, { entities, metric: pickMetric(context), periods: ["FY-1", "FY0"], toYears });
}

const DAY_MS = 86_400_000;
/** An Excel serial inside each period that starts in the second half of a year. */
const toSerial = (year: number): number => (Date.UTC(year, 10, 15) - Date.UTC(1899, 11, 30)) / DAY_MS;

function queryDay(context: QueryContext): FigureQuery {
  const [metric, year] = [pickMetric(context), context.chance.pick(YEARS)];
  const entities = listEntities(context.figures);
  return queryPeriods(context, { entities, metric, periods: [toSerial(year)], toYears: () => [year] });
}

function queryTable({ figures }: QueryContext): FigureQuery {
  const entities = listEntities(figures);
  const ids = entities.map((entity) => [toCompanyId(figures.set, entity)]);
  const names = METRICS.map(({ name }) => name);
  const formula = { name: "FINANCIALS", given: [ids, [["2019:2024"]], [names], null, null, null, true] };
  const cells = entities.flatMap((entity) =>
    YEARS.map((year) =>
      METRICS.map((_, metric) => expectFigure(entity, readFigure(booksOf(figures), entity, year, metric))),
    ),
  );
  return { figures, formula, cells, isTable: true };
}

const isAmbiguous = ({ isShared }: QueryContext, entity: number): boolean => isShared && entity < SHARED_NUMBERS;

export function queryByNumber(context: QueryContext, entities: readonly number[]): FigureQuery {
  const years = YEARS.slice(2, 4);
  const metric = pickMetric(context);
  return queryPeriods(context, { entities, metric, periods: years, toYears: () => years, isByNumber: true });
}

function queryRecords(context: QueryContext, entities: readonly number[], isByNumber: boolean): FigureQuery {
  const { set } = context.figures;
  const keys = entities.map((entity) => [isByNumber ? toRegistration(set, entity) : toCompanyId(set, entity)]);
  const formula = { name: "COMPANY", given: [keys, [["companyName", "employees.nonConsolidated.employeeCount"]]] };
  const cells = entities.map((entity) => {
    if (isByNumber && isAmbiguous(context, entity))
      return [expectFigure(entity, "ambiguous"), expectFigure(entity, "ambiguous")];
    const count = { slot: SLOT.employees, isNegative: false };
    return [expectFigure(entity, { text: toName(set, entity) }), expectFigure(entity, count)];
  });
  return { figures: context.figures, formula, cells, isTable: false };
}

export function createQueries(context: QueryContext): FigureQuery[] {
  const { figures, chance } = context;
  const all = listEntities(figures);
  const some = all.slice(0, 12);
  return [
    ...METRICS.map((_, metric) => queryGrid(context, all, metric)),
    queryLatest(context),
    queryTable(context),
    ...(chance.happens(0.4) ? [queryDay(context)] : []),
    queryByNumber(context, some),
    ...(chance.happens(0.6) ? [queryRecords(context, some, true)] : []),
    queryRecords(context, all.slice(-3), false),
  ];
}

export const toCapitals = (query: FigureQuery): FigureQuery => ({
  ...query,
  formula: {
    ...query.formula,
    given: query.formula.given.map((each, at) =>
      at === 0 ? (each as string[][]).map((row) => row.map((id) => id.toUpperCase())) : each,
    ),
  },
});

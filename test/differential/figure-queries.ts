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

/** A column of companies by a row of years, for one metric. */
export function queryGrid({ figures }: QueryContext, entities: readonly number[], metric: number): FigureQuery {
  const ids = entities.map((entity) => [toCompanyId(figures.set, entity)]);
  const formula = { name: "FINANCIAL", given: [ids, [[...YEARS]], [[METRICS[metric]!.name]], null, null] };
  const cells = entities.map((entity) =>
    YEARS.map((year) => expectFigure(entity, readFigure(booksOf(figures), entity, year, metric))),
  );
  return { figures, formula, cells, isTable: false };
}

/** The latest year and the one before. */
function queryLatest({ figures, chance }: QueryContext): FigureQuery {
  const metric = chance.below(METRICS.length);
  const entities = listEntities(figures);
  const ids = entities.map((entity) => [toCompanyId(figures.set, entity)]);
  const formula = { name: "FINANCIAL", given: [ids, [["FY-1", "FY0"]], [[METRICS[metric]!.name]], null, null] };
  const cells = entities.map((entity) => {
    const latest = findLatestAnnual(booksOf(figures), entity) ?? 0;
    return [latest - 1, latest].map((year) => expectFigure(entity, readFigure(booksOf(figures), entity, year, metric)));
  });
  return { figures, formula, cells, isTable: false };
}

const DAY_MS = 86_400_000;
/** An Excel serial inside each period that starts in the second half of a year. */
const toSerial = (year: number): number => (Date.UTC(year, 10, 15) - Date.UTC(1899, 11, 30)) / DAY_MS;

/** The fiscal year that contains a day. */
function queryDay({ figures, chance }: QueryContext): FigureQuery {
  const [metric, year] = [chance.below(METRICS.length), chance.pick(YEARS)];
  const entities = listEntities(figures);
  const ids = entities.map((entity) => [toCompanyId(figures.set, entity)]);
  const formula = { name: "FINANCIAL", given: [ids, [[toSerial(year)]], [[METRICS[metric]!.name]], null, null] };
  const cells = entities.map((entity) => [expectFigure(entity, readFigure(booksOf(figures), entity, year, metric))]);
  return { figures, formula, cells, isTable: false };
}

/** A table, a row for each company and year. */
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

/** Figures by registration number. */
export function queryByNumber(context: QueryContext, entities: readonly number[]): FigureQuery {
  const { figures, chance } = context;
  const metric = chance.below(METRICS.length);
  const numbers = entities.map((entity) => [toRegistration(figures.set, entity)]);
  const years = YEARS.slice(2, 4);
  const formula = { name: "FINANCIAL", given: [numbers, [years], [[METRICS[metric]!.name]], null, null] };
  const cells = entities.map((entity) =>
    years.map((year) =>
      expectFigure(
        entity,
        isAmbiguous(context, entity) ? "ambiguous" : readFigure(booksOf(figures), entity, year, metric),
      ),
    ),
  );
  return { figures, formula, cells, isTable: false };
}

/** Records by id or by registration number. */
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

/** The formulas of a page for a data set. */
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

/** Writes the ids of a formula in capitals. */
export const toCapitals = (query: FigureQuery): FigureQuery => ({
  ...query,
  formula: {
    ...query.formula,
    given: query.formula.given.map((each, at) =>
      at === 0 ? (each as string[][]).map((row) => row.map((id) => id.toUpperCase())) : each,
    ),
  },
});

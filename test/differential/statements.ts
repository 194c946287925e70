import { createChance } from "../support/chance";
import { toNumber } from "./numbers";
import facts from "./statement-facts.json";

/** The statements of a data set beside the consolidated annual figures. */
export interface Content {
  /** Half-years and quarters beside the annual statements, before or after them. */
  interims: "first" | "last" | null;
  /** Annual statements without a metric that an interim one has, and years with interim statements alone. */
  lacks: boolean;
  /** A second consolidation, and companies with that alone. */
  consolidations: boolean;
  nulls: boolean;
  texts: boolean;
  /** Two annual statements of a year with different figures. */
  restated: boolean;
}

export const YEARS = [2019, 2020, 2021, 2022, 2023, 2024] as const;

export const METRICS = facts.metrics;
const PERIODS = facts.periods;

/** The version of a figure that a number belongs to. */
const VERSIONS = ["CONSOLIDATED", "NON_CONSOLIDATED", "HY1", "HY2", "Q1", "Q2", "Q3", "Q4", "PRELIMINARY"] as const;

type Version = (typeof VERSIONS)[number];

const toSlot = (year: number, metric: number, version: Version): number =>
  ((year - YEARS[0]) * 16 + metric) * 16 + VERSIONS.indexOf(version);

/** The expected content of a cell of company, year and metric: a slot's figure, or an error. */
export type Figure = { slot: number; isNegative: boolean } | "absent" | "ambiguous" | "text";

/** A figure's own random number, 0 to 1, so that statements need no memory. */
function draw(set: number, entity: number, year: number, what: number): number {
  return createChance(((set * 4_099 + entity) * 31 + year) * 131 + what * 7_919).next();
}

const LACKING = 20;
const NULL = 40;
const TEXT = 60;
const RESTATED = 80;
const ONLY_INTERIM = 81;
const ONE_CONSOLIDATION = 82;

interface StatementPolicy {
  set: number;
  content: Content;
}

function hasAnnual({ set, content }: StatementPolicy, entity: number, year: number): boolean {
  if (!YEARS.includes(year as never)) return false;
  if (draw(set, entity, year, 83) < 0.05) return false;
  return !(content.interims !== null && content.lacks && draw(set, entity, year, ONLY_INTERIM) < 0.2);
}

export const findLatestAnnual = (books: StatementPolicy, entity: number): number | undefined =>
  [...YEARS].reverse().find((year) => hasAnnual(books, entity, year));

export function readFigure(books: StatementPolicy, entity: number, year: number, metric: number): Figure {
  const { set, content } = books;
  if (!hasAnnual(books, entity, year) || isLacking(books, entity, year, metric)) return "absent";
  if (content.nulls && draw(set, entity, year, NULL + metric) < 0.1) return "absent";
  if (content.texts && draw(set, entity, year, TEXT + metric) < 0.1) return "text";
  if (content.restated && draw(set, entity, year, RESTATED) < 0.1) return "ambiguous";
  const slot = toSlot(year, metric, hasConsolidated(books, entity) ? "CONSOLIDATED" : "NON_CONSOLIDATED");
  return { slot, isNegative: isNegative(metric) };
}

const isNegative = (metric: number): boolean => METRICS[metric]?.name === "Investing Cash Flow";

const isLacking = ({ set, content }: StatementPolicy, entity: number, year: number, metric: number): boolean =>
  content.lacks && draw(set, entity, year, LACKING + metric) < 0.2;

const hasConsolidated = ({ set, content }: StatementPolicy, entity: number): boolean =>
  !content.consolidations || draw(set, entity, 0, ONE_CONSOLIDATION) < 0.8;

/** Writes a company's fiscal years in the API's form, in an edition. */
export function writeYears(books: StatementPolicy, entity: number, year: number | null, edition: number): object[] {
  const { set, content } = books;
  return YEARS.filter((each) => year === null || each === year).flatMap((each) => {
    const interims = content.interims === null ? [] : writeInterims(books, entity, each, edition);
    const annual = hasAnnual(books, entity, each) ? [writeAnnual(books, entity, each, edition)] : [];
    if (annual.length > 0 && content.restated && draw(set, entity, each, RESTATED) < 0.1)
      annual.push(writePreliminary(books, entity, each, edition));
    return content.interims === "first" ? [...interims, ...annual] : [...annual, ...interims];
  });
}

function writeEntry(
  year: number,
  { periodType, period, from, to }: (typeof PERIODS)["FY4"],
  statements: object[],
  financialType = "FULL",
) {
  const bounds = { financialPeriodStart: `${year}-${from}`, financialPeriodEnd: `${year}-${to}` };
  return { year, currency: "JPY", periodType, period, periodYear: year, ...bounds, financialType, statements };
}

function writeAnnual(books: StatementPolicy, entity: number, year: number, edition: number): object {
  const types = hasConsolidated(books, entity) ? ["CONSOLIDATED" as const] : [];
  const both = books.content.consolidations ? [...types, "NON_CONSOLIDATED" as const].reverse() : types;
  const statements = both.flatMap((type) => writeStatements(books, { entity, year, edition, version: type, type }));
  return writeEntry(year, PERIODS.FY4, statements);
}

function writePreliminary(books: StatementPolicy, entity: number, year: number, edition: number): object {
  const type = hasConsolidated(books, entity) ? "CONSOLIDATED" : "NON_CONSOLIDATED";
  const statements = writeStatements(books, { entity, year, edition, version: "PRELIMINARY", type });
  return writeEntry(year, PERIODS.FY4, statements, "PRELIMINARY");
}

const INTERIMS = [["HY1", "HY2"], ["HY2"], ["HY1"], ["Q1", "Q4"], ["Q4"]] as const;

/** Interim statements have every metric, including those an annual one lacks. */
function writeInterims(books: StatementPolicy, entity: number, year: number, edition: number): object[] {
  const periods = INTERIMS[Math.floor(draw(books.set, entity, 0, 90) * INTERIMS.length)]!;
  return periods.map((period) => {
    const statements = writeStatements(books, { entity, year, edition, version: period, type: "CONSOLIDATED" });
    return writeEntry(year, PERIODS[period], statements);
  });
}

interface Wanted {
  entity: number;
  year: number;
  edition: number;
  version: Version;
  type: string;
}

const isOfYear = (version: Version): boolean => ["CONSOLIDATED", "NON_CONSOLIDATED", "PRELIMINARY"].includes(version);

function writeStatements(books: StatementPolicy, { entity, year, edition, version, type }: Wanted): object[] {
  const { set, content } = books;
  const write = (metric: number): unknown => {
    if (isOfYear(version) && content.nulls && draw(set, entity, year, NULL + metric) < 0.1) return null;
    const amount = toNumber({ set, entity, slot: toSlot(year, metric, version), edition });
    const value = isNegative(metric) ? -amount : amount;
    return content.texts && draw(set, entity, year, TEXT + metric) < 0.1 ? String(value) : value;
  };
  const types = [...new Set(METRICS.map(({ statementType }) => statementType))];
  return types.map((statementType) => {
    const metrics = METRICS.flatMap((each, metric) => {
      const isLeftOut = isOfYear(version) && isLacking(books, entity, year, metric);
      return each.statementType !== statementType || isLeftOut ? [] : [{ name: each.name, value: write(metric) }];
    });
    return { statementType, consolidationType: type, metrics };
  });
}

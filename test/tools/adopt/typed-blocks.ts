import type { CellState } from "../../../src/contract/workbook";
import { type Chance, createChance } from "../../support/chance";
import words from "./typed-block-words.json";

/** A company of the provider, read without the feed. */
export interface SourceCompany {
  id: string;
  registrationNumber: string;
  /** Its name, where no other company of the index has it. */
  name: string | null;
  /** Figures by fiscal year, consolidation and metric. */
  years: ReadonlyMap<number, Readonly<Record<string, Readonly<Record<string, number>>>>>;
}

const LAYOUTS = ["companiesByYears", "companiesByMetrics"] as const;
type Layout = (typeof LAYOUTS)[number];
type CompanyLabel = "id" | "number" | "name";
const YEAR_STYLES = ["number", "FY", "ja", "end"] as const;
type YearStyle = (typeof YEAR_STYLES)[number];

const NAMES = words.metrics as Record<string, string[]>;
const METRICS = Object.keys(NAMES);
const UNIT_TITLES: Record<number, readonly string[]> = words.units;

const state = (value: CellState["value"], format = ""): CellState => ({ value, formula: "", format });
const EMPTY = state(null);
const round = (value: number, digits: number) => Number(value.toFixed(digits));

interface Plan {
  layout: Layout;
  companies: readonly SourceCompany[];
  years: readonly number[];
  metrics: readonly string[];
  consolidation: string;
}

interface Labels {
  metrics: "en" | "ja" | "none";
  years: YearStyle;
  kind: CompanyLabel;
}

function toYearLabel(year: number, style: YearStyle): CellState {
  if (style === "number") return state(year);
  if (style === "FY") return state(`FY${year}`);
  return state(style === "ja" ? `${year}年度` : `${year}年3月期`);
}

const toCompanyLabel = ({ id, registrationNumber, name }: SourceCompany, kind: CompanyLabel): CellState =>
  state(kind === "id" ? id : kind === "number" ? registrationNumber : name);

const toMetricLabel = (metric: string, language: Labels["metrics"]): CellState =>
  language === "none" ? EMPTY : state(NAMES[metric]?.[language === "en" ? 0 : 1] ?? metric);

/** What a typed number is. */
export interface Truth {
  company: string;
  year: number;
  metric: string;
  consolidation: string;
  unit: number;
  sign: 1 | -1;
  /** The provider's figure in the unit, with the sign. */
  figure: number;
  /** A number that was typed wrongly; it is not to be replaced. */
  isWrong: boolean;
}

/** A block as an analyst types it, from A1 on. */
export interface TypedBlock {
  layout: Layout;
  /** What the labels are. */
  labels: Labels;
  cells: CellState[][];
  /** Rows and columns of the selection, counted from 0. */
  selection: { row: number; column: number; rows: number; columns: number };
  /** By "row,column", counted from 0. */
  truths: ReadonlyMap<string, Truth>;
  /** Typed numbers that are no figures: ratios and sums. */
  decoys: ReadonlySet<string>;
}

/** Makes a block from a seed. */
export function createTypedBlock(seed: number, companies: readonly SourceCompany[]): TypedBlock {
  const chance = createChance(seed);
  const layout = LAYOUTS[seed % LAYOUTS.length] as Layout;
  const isTurned = chance.happens(0.3);
  const labels: Labels = {
    metrics: chance.pick(["en", "ja", "none"]),
    years: chance.pick(YEAR_STYLES),
    kind: chance.pick(["id", "number", "name"]),
  };
  const grid = fillGrid(chance, toPlan(chance, layout, companies, labels.kind), labels);
  const { truths, decoys, ...block } = isTurned ? turn(grid) : grid;
  const columns = Math.max(...block.cells.map((row) => row.length));
  const cells = block.cells.map((row) => Array.from({ length: columns }, (_, c) => row[c] ?? EMPTY));
  const whole = { row: 0, column: 0, rows: cells.length, columns };
  const selection = chance.happens(0.3) ? toNumbersAlone(truths) : whole;
  return { layout, labels, cells, selection, truths, decoys };
}

function toPlan(chance: Chance, layout: Layout, all: readonly SourceCompany[], kind: CompanyLabel): Plan {
  const isAlone = chance.happens(0.2);
  const consolidation = isAlone ? "NON_CONSOLIDATED" : "CONSOLIDATED";
  const able = all.filter(
    ({ name, years }) =>
      (kind !== "name" || name !== null) &&
      years.size >= 6 &&
      [...years.values()].every((year) => METRICS.every((metric) => year[consolidation]?.[metric] !== undefined)) &&
      (!isAlone || [...years.values()].every((year) => year.CONSOLIDATED !== undefined)),
  );
  const pick = <T>(items: readonly T[], count: number) => {
    const left = [...items];
    return Array.from(
      { length: Math.min(count, left.length) },
      () => left.splice(chance.below(left.length), 1)[0] as T,
    );
  };
  const companies = pick(able, 3 + chance.below(8));
  const common = [...(companies[0]?.years.keys() ?? [])].filter((year) =>
    companies.every(({ years }) => years.has(year)),
  );
  const from = chance.below(Math.max(1, common.length - 4));
  const years = common
    .sort((one, other) => one - other)
    .slice(from, from + (layout === "companiesByMetrics" ? 1 : 3 + chance.below(2)));
  const ordered = chance.happens(0.25) ? [...years].reverse() : years;
  const wanted = layout === "companiesByYears" ? 1 : 3 + chance.below(5);
  return { layout, companies, years: ordered, metrics: pick(METRICS, wanted), consolidation };
}

/** A selection of the numbers without their labels. */
function toNumbersAlone(truths: ReadonlyMap<string, Truth>): TypedBlock["selection"] {
  const places = [...truths.keys()].map((key) => key.split(",").map(Number) as [number, number]);
  const [rows, columns] = [places.map(([row]) => row), places.map(([, column]) => column)];
  const [row, column] = [Math.min(...rows), Math.min(...columns)];
  return { row, column, rows: Math.max(...rows) - row + 1, columns: Math.max(...columns) - column + 1 };
}

type Grid = Pick<TypedBlock, "cells"> & { truths: Map<string, Truth>; decoys: Set<string> };

/** How numbers are typed: the unit in which the middle figure has three digits at least, and the decimals. */
interface Typing {
  unit: number;
  digits: number;
  sign: (metric: string) => 1 | -1;
  format: string;
  /** Whether further digits are cut, as Japanese statements do. */
  isCut: boolean;
  /** How a negative number is typed. */
  negative: "number" | "brackets" | "triangle";
}

function toTyping(chance: Chance, { companies, years, metrics, consolidation }: Plan): Typing {
  const figures = companies.flatMap((company) =>
    years.flatMap((year) => metrics.map((metric) => Math.abs(company.years.get(year)?.[consolidation]?.[metric] ?? 0))),
  );
  const sorted = figures.sort((one, other) => one - other);
  const small = sorted[Math.floor(sorted.length / 4)] ?? 0;
  const digits = chance.below(4);
  const able = [1, 1e3, 1e6, 1e8, 1e9].filter((unit) => (small / unit) * 10 ** digits >= 50);
  const minus = new Set(["Cost of Goods Sold", "Operating Expenses"].filter(() => chance.happens(0.3)));
  return {
    unit: able.length > 0 ? chance.pick(able) : 1,
    digits,
    sign: (metric) => (minus.has(metric) ? -1 : 1),
    isCut: chance.happens(0.25),
    negative: chance.pick(["number", "number", "brackets", "triangle"] as const),
    format: chance.pick(["", "#,##0", "#,##0.0;(#,##0.0)", "#,##0_);[Red](#,##0)"]),
  };
}

function fillGrid(chance: Chance, plan: Plan, labels: Labels): Grid {
  const typing = toTyping(chance, plan);
  const grid: Grid = { cells: [], truths: new Map(), decoys: new Set() };
  const write = (row: number, column: number, content: CellState) => {
    while (grid.cells.length <= row) grid.cells.push([]);
    (grid.cells[row] as CellState[])[column] = content;
  };
  const isTitled = chance.happens(0.5);
  const title = plan.consolidation === "NON_CONSOLIDATED" ? "単体" : "Peers";
  const unit = chance.pick(UNIT_TITLES[typing.unit] as readonly string[]);
  if (isTitled) write(0, 0, state(`${title} ${unit}`));
  const top = isTitled ? 2 : 0;
  const type = (row: number, column: number, company: SourceCompany, year: number, metric: string) => {
    if (chance.happens(0.06)) return; // a gap
    const sign = typing.sign(metric);
    const own = company.years.get(year)?.[plan.consolidation]?.[metric];
    if (own === undefined) return;
    const figure = (sign * own) / typing.unit;
    const wrong = chance.happens(0.04) ? toWrong(chance, figure, typing.digits) : null;
    write(row, column, toTyped(wrong ?? figure, typing));
    const { consolidation } = plan;
    const truth = { company: company.id, year, metric, consolidation, unit: typing.unit, sign, figure };
    grid.truths.set(`${row},${column}`, { ...truth, isWrong: wrong !== null });
  };
  const decoy = (row: number, column: number, content: CellState) => {
    write(row, column, content);
    if (content.formula === "") grid.decoys.add(`${row},${column}`);
  };
  FILLERS[plan.layout]({ chance, plan, labels, top, write, type, decoy });
  return grid;
}

/** A number as it is typed: rounded or cut, a negative one perhaps as a text. */
function toTyped(figure: number, { digits, isCut, negative, format }: Typing): CellState {
  const step = 10 ** digits;
  const typed = isCut ? Math.trunc(Number((figure * step).toPrecision(15))) / step : round(figure, digits);
  if (typed >= 0 || negative === "number") return state(typed, format);
  const size = Math.abs(typed).toLocaleString("en", { maximumFractionDigits: 3 });
  return state(negative === "brackets" ? `(${size})` : `△${size}`, "@");
}

/** Exchanges two neighbouring digits; null where that changes nothing. */
function toWrong(chance: Chance, figure: number, digits: number): number | null {
  const text = String(Math.abs(Math.round(figure * 10 ** digits)));
  const at = chance.below(Math.max(1, text.length - 2));
  if (text.length < 4 || text[at] === text[at + 1] || (at === 0 && text[1] === "0")) return null;
  const exchanged = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
  return (Math.sign(figure) * Number(exchanged)) / 10 ** digits;
}

/** Exchanges rows and columns. */
function turn({ cells, truths, decoys }: Grid): Grid {
  const width = Math.max(...cells.map((row) => row.length));
  const turned = Array.from({ length: width }, (_, c) => cells.map((row) => row[c] ?? EMPTY));
  const toKey = (key: string) => key.split(",").reverse().join();
  return {
    cells: turned,
    truths: new Map([...truths].map(([key, truth]) => [toKey(key), truth])),
    decoys: new Set([...decoys].map(toKey)),
  };
}

interface Filling {
  chance: Chance;
  plan: Plan;
  labels: Labels;
  top: number;
  write: (row: number, column: number, content: CellState) => void;
  type: (row: number, column: number, company: SourceCompany, year: number, metric: string) => void;
  decoy: (row: number, column: number, content: CellState) => void;
}

function each<T>(items: readonly T[], visit: (item: T, index: number) => void): void {
  for (const [index, item] of items.entries()) visit(item, index);
}

/** Writes the labels and numbers of each layout. */
const FILLERS: Record<Layout, (filling: Filling) => void> = {
  companiesByYears({ chance, plan, labels, top, write, type, decoy }) {
    const [metric = ""] = plan.metrics;
    if (labels.metrics !== "none") write(top, 0, toMetricLabel(metric, labels.metrics));
    const header = top + 1;
    each(plan.years, (year, index) => write(header, 1 + index, toYearLabel(year, labels.years)));
    each(plan.companies, (company, index) => {
      write(header + 1 + index, 0, toCompanyLabel(company, labels.kind));
      each(plan.years, (year, column) => type(header + 1 + index, 1 + column, company, year, metric));
    });
    const end = header + 1 + plan.companies.length;
    write(end, 0, state(labels.metrics === "ja" ? "合計" : "Total"));
    each(plan.years, (_, column) =>
      decoy(
        end,
        1 + column,
        chance.happens(0.5) ? state(round(chance.next() * 1e5, 1)) : { value: 5, formula: "=SUM(2,3)", format: "" },
      ),
    );
    write(header, 1 + plan.years.length, state("CAGR"));
    each(plan.companies, (_, index) =>
      decoy(header + 1 + index, 1 + plan.years.length, state(round(chance.next() * 20, 1))),
    );
  },
  companiesByMetrics({ chance, plan, labels, top, write, type, decoy }) {
    const [year = 0] = plan.years;
    write(top, 0, toYearLabel(year, labels.years === "end" ? "FY" : labels.years));
    each(plan.metrics, (metric, index) => write(top + 1, 1 + index, toMetricLabel(metric, labels.metrics)));
    write(top + 1, 1 + plan.metrics.length, state("Margin %"));
    each(plan.companies, (company, index) => {
      const row = top + 2 + index;
      write(row, 0, toCompanyLabel(company, labels.kind));
      for (const [column, metric] of plan.metrics.entries()) type(row, 1 + column, company, year, metric);
      decoy(row, 1 + plan.metrics.length, state(round(chance.next() * 30, 1)));
    });
  },
};

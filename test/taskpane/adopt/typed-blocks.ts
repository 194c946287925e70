import type { CellState } from "../../../src/contract/workbook";
import { type Chance, createChance } from "../../support/chance";
import {
  type CompanyLabel,
  EMPTY,
  LAYOUTS,
  type Labels,
  type Layout,
  METRICS,
  type Plan,
  round,
  type SourceCompany,
  state,
  UNIT_TITLES,
  YEAR_STYLES,
  type YearStyle,
} from "./typed-block-cells";
import { FILLERS } from "./typed-block-layouts";

export type { SourceCompany } from "./typed-block-cells";

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
  labels: { companies: CompanyLabel; metrics: "en" | "ja" | "none"; years: YearStyle };
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
  const metrics = chance.pick(["en", "ja", "none"] as const);
  const years = chance.pick(YEAR_STYLES);
  const kind = chance.pick(["id", "number", "name"] as const);
  const plan = toPlan(chance, layout, companies, kind);
  const grid = fillGrid(chance, plan, { metrics, years, kind });
  const block = isTurned ? turn(grid) : grid;
  const height = block.cells.length;
  const width = Math.max(...block.cells.map((row) => row.length));
  const cells = block.cells.map((row) => Array.from({ length: width }, (_, c) => row[c] ?? EMPTY));
  const { truths, decoys } = block;
  const labels = { companies: kind, metrics, years };
  const whole = { row: 0, column: 0, rows: height, columns: width };
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
  const count = layout === "statement" ? 1 : 3 + chance.below(8);
  const companies = pick(able, count);
  const common = [...(companies[0]?.years.keys() ?? [])].filter((year) =>
    companies.every(({ years }) => years.has(year)),
  );
  const from = chance.below(Math.max(1, common.length - 4));
  const years = common
    .sort((one, other) => one - other)
    .slice(from, from + (layout === "companiesByMetrics" ? 1 : 3 + chance.below(2)));
  const ordered = chance.happens(0.25) ? [...years].reverse() : years;
  const wanted = layout === "companiesByYears" ? 1 : layout === "groups" ? 2 : 3 + chance.below(5);
  return { layout, companies, years: ordered, metrics: pick(METRICS, wanted), consolidation };
}

/** A selection of the numbers without their labels. */
function toNumbersAlone(truths: ReadonlyMap<string, Truth>): TypedBlock["selection"] {
  const places = [...truths.keys()].map((key) => key.split(",").map(Number) as [number, number]);
  const [rows, columns] = [places.map(([row]) => row), places.map(([, column]) => column)];
  const [row, column] = [Math.min(...rows), Math.min(...columns)];
  return { row, column, rows: Math.max(...rows) - row + 1, columns: Math.max(...columns) - column + 1 };
}

interface Grid {
  cells: CellState[][];
  truths: Map<string, Truth>;
  decoys: Set<string>;
}

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
  if (isTitled) write(0, 0, state(`${plan.layout === "statement" ? "" : title} ${unit}`.trim()));
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

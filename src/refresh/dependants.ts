import type { Area } from "./book";

/** A formula as its dependence is followed. */
export interface Dependant {
  readonly areas: readonly Area[];
  /** Whether it can read any cell. */
  readonly readsAll: boolean;
}

/** Leaves of a tree: Excel's rows, as many as a power of two. */
const LEAVES = 2 ** 20;

/** References to whole rows are followed so far beyond the last column that has anything. */
const FURTHER_COLUMNS = 256;

/**
 * Finds the formulas that read cells, each formula once. Each column has a tree over its rows whose nodes list the
 * formulas that read all rows below the node: a cell's readers are on the way from its leaf to the root, and what has
 * been found is taken off, so that all of it costs no more than the references that there are.
 */
export class Readers<Formula extends Dependant> {
  readonly #columns = new Map<number, Map<number, Formula[]>>();
  readonly #found = new Set<Formula>();
  readonly #columnCount: number;
  #readingAll: Formula[] = [];

  /** @param columnCount of the widest sheet */
  constructor(formulas: Iterable<Formula>, columnCount: number) {
    this.#columnCount = columnCount + FURTHER_COLUMNS;
    for (const formula of formulas) {
      if (formula.readsAll) this.#readingAll.push(formula);
      for (const area of formula.areas) this.#add(area, formula);
    }
  }

  #add({ sheet, top, left, bottom, right }: Area, formula: Formula): void {
    const last = Math.min(right, this.#columnCount - 1);
    for (let column = left; column <= last; column++) {
      const key = toKey(sheet, column);
      const nodes = this.#columns.get(key) ?? new Map<number, Formula[]>();
      this.#columns.set(key, nodes);
      let [low, high] = [top + LEAVES, bottom + LEAVES + 1];
      for (; low < high; low = low >> 1, high = high >> 1) {
        if (low & 1) list(nodes, low++, formula);
        if (high & 1) list(nodes, --high, formula);
      }
    }
  }

  /** The formulas that read a cell and have not been found before. */
  touch(sheet: number, row: number, column: number): Formula[] {
    const news = this.#readingAll.filter((formula) => this.#take(formula));
    this.#readingAll = [];
    const nodes = this.#columns.get(toKey(sheet, column));
    if (nodes === undefined) return news;
    for (let node = row + LEAVES; node >= 1; node = node >> 1) this.#empty(nodes, node, news);
    return news;
  }

  /** The formulas that read any cell of a column and of those to its right, where a spill of unknown size may be. */
  touchFrom(sheet: number, column: number): Formula[] {
    const news: Formula[] = [];
    for (let each = column; each < this.#columnCount; each++) {
      const nodes = this.#columns.get(toKey(sheet, each));
      for (const node of [...(nodes?.keys() ?? [])]) this.#empty(nodes!, node, news);
    }
    return news;
  }

  #empty(nodes: Map<number, Formula[]>, node: number, news: Formula[]): void {
    const formulas = nodes.get(node);
    if (formulas === undefined) return;
    nodes.delete(node);
    for (const formula of formulas) if (this.#take(formula)) news.push(formula);
  }

  #take(formula: Formula): boolean {
    if (this.#found.has(formula)) return false;
    this.#found.add(formula);
    return true;
  }
}

const toKey = (sheet: number, column: number) => sheet * 16_384 + column;

function list<Formula>(nodes: Map<number, Formula[]>, node: number, formula: Formula): void {
  const formulas = nodes.get(node);
  if (formulas === undefined) nodes.set(node, [formula]);
  else formulas.push(formula);
}

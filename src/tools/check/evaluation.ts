import type { BinaryExpression, Identifier } from "@borgar/fx";
import type { NamedTable } from "../../contract/workbook";
import { readArea } from "../../taskpane/addresses";
import {
  listParts,
  parseExpression,
  readReference,
  readStructured,
  type Tree,
  toCalled,
  type WrittenArea,
} from "./grammar";
import {
  type CellKey,
  type CheckedModel,
  columnOf,
  type FormulaCell,
  rowOf,
  type SheetBlock,
  sheetOf,
  toPlainName,
} from "./model";
import {
  type Contrast,
  DIMENSIONS,
  type Dimension,
  findContrast,
  join,
  joinAlternatives,
  type Nature,
  PLAIN,
  scale,
  toLiteral,
  toNature,
  UNKNOWN,
} from "./natures";

/** A calculation whose figures differ in a dimension, though each of its parts is of one. */
export interface Clash extends Contrast {
  /** The cell of the calculation. */
  at: CellKey;
  dimension: Dimension;
}

/** Functions that add or compare their arguments, and how many of the first ones are no values. */
const AGGREGATES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    [
      ..."SUM AVERAGE AVERAGEA MIN MINA MAX MAXA MEDIAN LARGE SMALL RANK RANK.EQ RANK.AVG GEOMEAN HARMEAN".split(" "),
      ..."STDEV STDEV.S STDEV.P VAR VAR.S VAR.P PERCENTILE PERCENTILE.INC PERCENTILE.EXC QUARTILE".split(" "),
      ..."QUARTILE.INC QUARTILE.EXC TRIMMEAN PERCENTRANK PERCENTRANK.INC PERCENTRANK.EXC".split(" "),
    ].map((name) => [name, 0]),
  ),
  SUBTOTAL: 1,
  AGGREGATE: 2,
};

/** Functions whose result is what their first argument is. */
const TRANSPARENT = new Set("ABS ROUND ROUNDUP ROUNDDOWN INT TRUNC MROUND N VALUE SINGLE IFERROR IFNA".split(" "));

const BUT_UNITS = DIMENSIONS.filter((dimension) => dimension !== "unit");

const COMPARISONS = new Set(["=", "<>", "<", ">", "<=", ">="]);

type Names = ReadonlyMap<string, Nature>;

/** Finds out what each cell's value is, through ordinary formulas, and where figures that differ meet. */
export class Evaluation {
  readonly clashes: Clash[] = [];
  readonly #references: References;
  readonly #natures = new Map<CellKey, Nature>();
  readonly #blocks = new Map<string, Nature>();
  /** Cells under evaluation: a circular reference leads to one of them again. */
  readonly #open = new Set<CellKey>();
  /** The figures of the formula under evaluation, in the order of its calls. */
  #parts: { key: CellKey; next: number } | null = null;
  /** Names under evaluation. */
  readonly #names = new Set<string>();

  constructor(private readonly model: CheckedModel) {
    this.#references = new References(model);
  }

  /** Evaluates all formulas, each after those that it refers to. */
  run(): void {
    for (const { key } of this.model.formulas.values()) this.#runFrom(key);
  }

  #natureOf(key: CellKey): Nature {
    return this.#natures.get(key) ?? this.#readPlain(key);
  }

  /** An explicit stack: models chain thousands of cells, more than calls may nest. */
  #runFrom(first: CellKey): void {
    const stack: { formula: FormulaCell; missing: Iterator<CellKey> }[] = [];
    const enter = (key: CellKey) => {
      const formula = this.model.formulas.get(key);
      if (formula === undefined || this.#natures.has(key)) return;
      this.#open.add(key);
      stack.push({ formula, missing: this.#listMissing(formula) });
    };
    enter(first);
    for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
      const { formula, missing } = last;
      const next = this.model.attempt(formula.key, () => missing.next());
      if (next !== null && next.done !== true) {
        enter(next.value);
        continue;
      }
      this.#natures.set(formula.key, this.model.attempt(formula.key, () => this.#evaluateCell(formula)) ?? UNKNOWN);
      this.#open.delete(formula.key);
      stack.pop();
    }
  }

  /** The formula cells before a formula that are not evaluated yet. */
  *#listMissing({ key, tree }: FormulaCell): Generator<CellKey> {
    if (this.model.figures.has(key)) return;
    for (const block of this.listBlocks(tree, key)) {
      if (this.#blocks.has(toId(block))) continue;
      for (const each of this.model.listCells(block)) {
        if (this.model.formulas.has(each) && !this.#natures.has(each) && !this.#open.has(each)) yield each;
      }
    }
  }

  /** The blocks that an expression refers to, through names too. */
  listBlocks(tree: Tree, from: CellKey, names: readonly string[] = []): SheetBlock[] {
    const blocks: SheetBlock[] = [];
    const left = [tree];
    while (left.length > 0) {
      const part = left.pop() ?? null;
      if (part?.type === "ReferenceIdentifier") {
        const target = this.#references.find(part.value, part.kind, from);
        if (target?.kind === "block") blocks.push(target.block);
        else if (target !== null && !names.includes(target.name)) {
          blocks.push(...this.listBlocks(target.tree, from, [...names, target.name]));
        }
      } else if (part?.type === "UnaryExpression" && part.operator === "#") {
        const spills = this.listBlocks(part.arguments[0] ?? null, from, names);
        blocks.push(...spills.map((block) => this.#references.findSpill(block)));
      } else left.push(...[...listParts(part)].reverse());
    }
    return blocks;
  }

  #evaluateCell({ key, tree }: FormulaCell): Nature {
    const figure = this.model.figureAt(key);
    if (figure !== null) return toNature(key, figure);
    this.#parts = { key, next: 0 };
    return this.#evaluate(tree, key, new Map());
  }

  #readPlain(key: CellKey): Nature {
    const figure = this.model.figureAt(key);
    if (figure !== null) return toNature(key, figure);
    const value = this.model.valueAt(key);
    // A round number in a cell of its own may be an exchange rate, as 1,000 won for a dollar.
    return this.model.isTyped(key) && typeof value === "number" ? PLAIN : UNKNOWN;
  }

  #evaluate(tree: Tree, at: CellKey, names: Names): Nature {
    switch (tree?.type) {
      case "Literal":
        return typeof tree.value === "number" ? toLiteral(tree.value) : UNKNOWN;
      case "ReferenceIdentifier":
        return names.get(tree.value.toLowerCase()) ?? this.#evaluateReference(tree.value, tree.kind, at);
      case "UnaryExpression":
        return this.#evaluateUnary(tree.operator, tree.arguments[0] ?? null, at, names);
      case "BinaryExpression":
        return this.#evaluateBinary(tree, at, names);
      case "CallExpression":
        return this.#evaluateCall(tree, at, names);
      case "LambdaExpression":
        this.#evaluate(tree.body, at, new Map([...names, ...tree.params.map(toParameter)]));
        return UNKNOWN;
      case "LetExpression": {
        const known = new Map(names);
        for (const { id, init } of tree.declarations) {
          known.set(id.name.toLowerCase(), this.#evaluate(init, at, known));
        }
        return this.#evaluate(tree.body, at, known);
      }
      default:
        return UNKNOWN;
    }
  }

  #evaluateReference(written: string, kind: string, at: CellKey): Nature {
    const target = this.#references.find(written, kind, at);
    if (target === null) return UNKNOWN;
    if (target.kind === "block") return this.#evaluateBlock(target.block);
    if (this.#names.has(target.name)) return UNKNOWN;
    this.#names.add(target.name);
    try {
      return this.#evaluate(target.tree, at, new Map());
    } finally {
      this.#names.delete(target.name);
    }
  }

  #evaluateBlock(block: SheetBlock): Nature {
    const id = toId(block);
    const known = this.#blocks.get(id);
    if (known !== undefined) return known;
    const keys = [...this.model.listCells(block)];
    const natures = keys.map((key) => this.#natureOf(key));
    const nature = keys.length === 1 ? (natures[0] as Nature) : withoutNewMixes(join(natures), natures);
    if (keys.every((key) => !this.#open.has(key))) this.#blocks.set(id, nature);
    return nature;
  }

  #evaluateUnary(operator: string, operand: Tree, at: CellKey, names: Names): Nature {
    if (operator === "#") {
      const natures = this.listBlocks(operand, at).map((block) =>
        this.#evaluateBlock(this.#references.findSpill(block)),
      );
      return natures[0] ?? UNKNOWN;
    }
    const nature = this.#evaluate(operand, at, names);
    if (operator === "%") return nature.kind === "amount" ? scale(nature, PLAIN, true) : PLAIN;
    return operator === "-" && nature.literal !== null ? toLiteral(-nature.literal) : nature;
  }

  /** A sum of thousands of terms nests to the left: a loop goes through them. */
  #evaluateBinary(tree: BinaryExpression, at: CellKey, names: Names): Nature {
    const chain: BinaryExpression[] = [];
    let first: Tree = tree;
    for (; first?.type === "BinaryExpression"; first = first.arguments[0] ?? null) chain.push(first);
    return chain.reduceRight(
      (left, { operator, arguments: [, right = null] }) =>
        this.#combine(operator, left, this.#evaluate(right, at, names), at),
      this.#evaluate(first, at, names),
    );
  }

  #combine(operator: string, left: Nature, right: Nature, at: CellKey): Nature {
    const natures = [left, right];
    if (operator === "," || operator === "+" || operator === "-") {
      return operator === "," ? withoutNewMixes(join(natures), natures) : this.#meetEach(natures, at);
    }
    if (COMPARISONS.has(operator)) {
      this.#meetEach(natures, at);
      return PLAIN;
    }
    if (operator === "/" && right.kind === "amount") {
      // Sales in millions for each employee are of two units, and meant.
      const isOfOne = left.metric !== null && left.metric === right.metric;
      if (left.kind === "amount") this.#meetEach(natures, at, isOfOne ? DIMENSIONS : BUT_UNITS);
      return UNKNOWN;
    }
    if (operator === "/") return left.kind === "amount" ? scale(left, right, true) : UNKNOWN;
    if (operator !== "*" || left.kind === right.kind) return UNKNOWN;
    if (left.kind === "amount") return scale(left, right, false);
    return right.kind === "amount" ? scale(right, left, false) : UNKNOWN;
  }

  #evaluateCall(tree: Tree, at: CellKey, names: Names): Nature {
    const called = toCalled(tree);
    if (called !== null && this.model.isFeed(called.name)) return this.#takePart();
    const natures = listParts(tree).map((each) => this.#evaluate(each, at, names));
    if (called === null) return UNKNOWN;
    const name = toPlainName(called.name);
    const skipped = AGGREGATES[name];
    if (skipped !== undefined) return this.#meet(natures.slice(skipped), at);
    if (name === "IF") return joinAlternatives(natures.slice(1));
    return TRANSPARENT.has(name) ? (natures[0] ?? UNKNOWN) : UNKNOWN;
  }

  /** The figure of a call within a larger formula. */
  #takePart(): Nature {
    const own = this.#parts;
    if (own === null) return UNKNOWN;
    const figure = this.model.facts.get(own.key)?.parts[own.next++] ?? null;
    return figure === null ? UNKNOWN : toNature(own.key, figure);
  }

  /** Joins the sides of an operator, which takes ranges cell by cell: what differs within one of them does not meet. */
  #meetEach(natures: readonly Nature[], at: CellKey, dimensions: readonly Dimension[] = DIMENSIONS): Nature {
    const isAlike = (dimension: Dimension) =>
      natures.every(({ spreads }) => findContrast(dimension, spreads[dimension] ?? []) === null);
    return this.#meet(natures, at, dimensions.filter(isAlike));
  }

  /** Joins values that a formula adds or compares, and records in which dimensions they clash. */
  #meet(natures: readonly Nature[], at: CellKey, dimensions: readonly Dimension[] = DIMENSIONS): Nature {
    const joined = join(natures);
    const mixed = new Set(natures.flatMap((nature) => [...nature.mixed]));
    for (const dimension of dimensions) {
      if (natures.some((nature) => nature.mixed.has(dimension))) continue;
      const contrast = findContrast(dimension, joined.spreads[dimension] ?? []);
      if (contrast === null) continue;
      this.clashes.push({ ...contrast, at, dimension });
      mixed.add(dimension);
    }
    return { ...joined, mixed };
  }
}

const toId = ({ sheet, top, left, bottom, right }: SheetBlock) => `${sheet} ${top} ${left} ${bottom} ${right}`;

/** What a lambda is given is not known before it is called. */
const toParameter = ({ name }: Identifier): [string, Nature] => [name.toLowerCase(), UNKNOWN];

/** A block alone adds nothing: only the mixes of its cells are old ones. */
function withoutNewMixes(joined: Nature, natures: readonly Nature[]): Nature {
  return { ...joined, mixed: new Set(natures.flatMap(({ mixed }) => [...mixed])) };
}

/** Cells, or the expression that a name stands for. */
type Target = { kind: "block"; block: SheetBlock } | { kind: "expression"; tree: Tree; name: string };

/** Follows references of formulas to cells: ranges, names, tables, and spills. */
class References {
  readonly #names: ReadonlyMap<string, string>;
  readonly #tables: ReadonlyMap<string, NamedTable>;
  readonly #expressions = new Map<string, Tree>();

  constructor(private readonly model: CheckedModel) {
    const { names, tables } = model.input;
    this.#names = new Map(names.map(({ name, sheet, formula }) => [toNameKey(name, sheet), formula]));
    this.#tables = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  }

  /** Where a reference of a cell's formula leads; null where that is not known. */
  find(written: string, kind: string, from: CellKey): Target | null {
    if (kind === "table") return toBlock(this.#findColumns(written, from));
    const reference = readReference(written);
    if (reference.kind === "area") return toBlock(this.#toBlock(reference.area, sheetOf(from)));
    if (reference.kind === "other") return null;
    return this.#findName(reference.name, reference.sheet, from);
  }

  /** The block that a spill operator means behind a cell: the cell alone where its table is not known. */
  findSpill(block: SheetBlock): SheetBlock {
    const [anchor] = this.model.listCells(block);
    const [rows, columns] = (anchor === undefined ? null : this.model.facts.get(anchor)?.spill) ?? [1, 1];
    return { ...block, bottom: block.top + rows - 1, right: block.left + columns - 1 };
  }

  #findName(name: string, sheet: string | null, from: CellKey): Target | null {
    const own = this.model.input.sheets[sheetOf(from)]?.sheet ?? "";
    const key = [toNameKey(name, sheet ?? own), toNameKey(name, null)].find((each) => this.#names.has(each));
    if (key === undefined) {
      const table = this.#tables.get(name.toLowerCase());
      return table === undefined ? null : toBlock(this.#toBody(table));
    }
    const formula = this.#names.get(key) ?? "";
    const tree = this.#expressions.get(key) ?? parseExpression(formula);
    this.#expressions.set(key, tree);
    return { kind: "expression", tree, name: key };
  }

  #toBlock({ sheet, top, bottom, left, right }: WrittenArea, own: number): SheetBlock | null {
    const index = sheet === null ? own : this.model.findSheet(sheet);
    if (index === null) return null;
    const used = this.model.usedOf(index);
    return {
      sheet: index,
      top: top ?? used.top,
      bottom: bottom ?? used.bottom,
      left: left ?? used.left,
      right: right ?? used.right,
    };
  }

  #findColumns(written: string, from: CellKey): SheetBlock | null {
    const reference = readStructured(written);
    if (reference === null) return null;
    const table = reference.table === "" ? this.#findAround(from) : this.#tables.get(reference.table.toLowerCase());
    if (table === undefined) return null;
    const body = this.#toBody(table);
    const [first, last = first] = reference.columns.map((name) =>
      table.columns.findIndex((column) => column.toLowerCase() === name.toLowerCase()),
    );
    if (body === null || first === -1 || last === -1) return null;
    const across = {
      left: body.left + (first ?? 0),
      right: first === undefined ? body.right : body.left + (last ?? 0),
    };
    if (reference.sections.includes("this row")) return { ...body, ...across, top: rowOf(from), bottom: rowOf(from) };
    return reference.sections.some((section) => section !== "data") ? null : { ...body, ...across };
  }

  #findAround(key: CellKey): NamedTable | undefined {
    return [...this.#tables.values()].find((table) => {
      const { row, column, rows, columns } = readArea(table.address);
      return (
        this.model.findSheet(table.sheet) === sheetOf(key) &&
        rowOf(key) >= row &&
        rowOf(key) < row + rows &&
        columnOf(key) >= column &&
        columnOf(key) < column + columns
      );
    });
  }

  /** A table without its headers and totals. */
  #toBody({ sheet, address, hasHeaders, hasTotals }: NamedTable): SheetBlock | null {
    const index = this.model.findSheet(sheet);
    if (index === null) return null;
    const { row, column, rows, columns } = readArea(address);
    return {
      sheet: index,
      top: row + Number(hasHeaders),
      bottom: row + rows - 1 - Number(hasTotals),
      left: column,
      right: column + columns - 1,
    };
  }
}

const toBlock = (block: SheetBlock | null): Target | null => block && { kind: "block", block };

const toNameKey = (name: string, sheet: string | null) => `${(sheet ?? "").toLowerCase()}!${name.toLowerCase()}`;

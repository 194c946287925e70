import type { CellKey, SheetBlock } from "./cell-keys";
import { type Contrast, DIMENSIONS, type Dimension, findContrast } from "./dimensions";
import type { Tree } from "./grammar";
import { type CheckedModel, type FormulaCell, toPlainName } from "./model";
import { join, joinAlternatives, type Nature, PLAIN, scale, toLiteral, toNature, UNKNOWN } from "./natures";
import { References } from "./references";

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

const COMPARISONS = new Set(["=", "<>", "<", ">", "<=", ">="]);

type Names = ReadonlyMap<string, Nature>;

/** Finds out what each cell's value is, through ordinary formulas, and where figures that differ meet. */
export class Evaluation {
  readonly clashes: Clash[] = [];
  readonly references: References;
  readonly #natures = new Map<CellKey, Nature>();
  readonly #blocks = new Map<string, Nature>();
  /** Cells under evaluation: a circular reference leads to one of them again. */
  readonly #open = new Set<CellKey>();
  /** The figures of the formula under evaluation, in the order of its calls. */
  #parts: { key: CellKey; next: number } | null = null;
  #isInName = 0;

  constructor(private readonly model: CheckedModel) {
    this.references = new References(model);
  }

  /** Evaluates all formulas, each after those that it refers to. */
  run(): void {
    for (const { key } of this.model.formulas.values()) this.#runFrom(key);
  }

  natureOf(key: CellKey): Nature {
    return this.#natures.get(key) ?? this.#readPlain(key);
  }

  /** An explicit stack: models chain thousands of cells, more than calls may nest. */
  #runFrom(first: CellKey): void {
    const stack = [first];
    while (stack.length > 0) {
      const key = stack.at(-1) as CellKey;
      const formula = this.model.formulas.get(key);
      if (formula === undefined || this.#natures.has(key)) {
        stack.pop();
        continue;
      }
      const missing = this.#open.has(key) ? [] : this.#listMissing(formula);
      this.#open.add(key);
      if (missing.length === 0) {
        this.#natures.set(key, this.#evaluateCell(formula));
        this.#open.delete(key);
        stack.pop();
      } else stack.push(...missing);
    }
  }

  /** The formula cells before a formula that are not evaluated yet. */
  #listMissing({ key, tree }: FormulaCell): CellKey[] {
    if (this.model.figures.has(key)) return [];
    return this.listBlocks(tree, key).flatMap((block) => {
      if (this.#blocks.has(toId(block))) return [];
      return [...this.model.listCells(block)].filter(
        (each) => this.model.formulas.has(each) && !this.#natures.has(each) && !this.#open.has(each),
      );
    });
  }

  /** The blocks that an expression refers to, through names too. */
  listBlocks(tree: Tree, from: CellKey, depth = 0): SheetBlock[] {
    if (tree === null || depth > MOST_NESTED) return [];
    if (tree.type === "ReferenceIdentifier") {
      const target = this.references.find(tree.value, tree.kind, from);
      if (target === null) return [];
      return target.kind === "block" ? [target.block] : this.listBlocks(target.tree, from, depth + 1);
    }
    if (tree.type === "UnaryExpression" && tree.operator === "#") {
      return this.listBlocks(tree.arguments[0] ?? null, from, depth + 1).map((block) =>
        this.references.findSpill(block),
      );
    }
    return listParts(tree).flatMap((part) => this.listBlocks(part, from, depth + 1));
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
    return this.model.isTyped(key) && typeof value === "number" ? toLiteral(value) : UNKNOWN;
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
        return this.#evaluateBinary(tree.operator, tree.arguments, at, names);
      case "CallExpression":
        return this.#evaluateCall(tree.callee.name, tree.arguments, at, names);
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
    const target = this.references.find(written, kind, at);
    if (target === null) return UNKNOWN;
    if (target.kind === "block") return this.#evaluateBlock(target.block);
    if (this.#isInName > MOST_NESTED) return UNKNOWN;
    this.#isInName++;
    const nature = this.#evaluate(target.tree, at, new Map());
    this.#isInName--;
    return nature;
  }

  #evaluateBlock(block: SheetBlock): Nature {
    const id = toId(block);
    const known = this.#blocks.get(id);
    if (known !== undefined) return known;
    const keys = [...this.model.listCells(block)];
    const natures = keys.map((key) => this.natureOf(key));
    const nature = keys.length === 1 ? (natures[0] as Nature) : withoutNewMixes(join(natures), natures);
    if (keys.every((key) => !this.#open.has(key))) this.#blocks.set(id, nature);
    return nature;
  }

  #evaluateUnary(operator: string, operand: Tree, at: CellKey, names: Names): Nature {
    if (operator === "#") {
      const natures = this.listBlocks(operand, at).map((block) =>
        this.#evaluateBlock(this.references.findSpill(block)),
      );
      return natures[0] ?? UNKNOWN;
    }
    const nature = this.#evaluate(operand, at, names);
    if (operator === "%") return nature.kind === "amount" ? scale(nature, PLAIN, true) : PLAIN;
    return operator === "-" && nature.literal !== null ? toLiteral(-nature.literal) : nature;
  }

  #evaluateBinary(operator: string, operands: readonly Tree[], at: CellKey, names: Names): Nature {
    const natures = operands.map((operand) => this.#evaluate(operand, at, names));
    const [left = UNKNOWN, right = UNKNOWN] = natures;
    if (operator === "," || operator === "+" || operator === "-") {
      return operator === "," ? withoutNewMixes(join(natures), natures) : this.#meet(natures, at);
    }
    if (COMPARISONS.has(operator)) {
      this.#meet(natures, at);
      return PLAIN;
    }
    if (operator === "/" && right.kind === "amount") {
      if (left.kind === "amount") this.#meet(natures, at);
      return UNKNOWN;
    }
    if (operator === "/") return left.kind === "amount" ? scale(left, right, true) : UNKNOWN;
    if (operator !== "*" || left.kind === right.kind) return UNKNOWN;
    if (left.kind === "amount") return scale(left, right, false);
    return right.kind === "amount" ? scale(right, left, false) : UNKNOWN;
  }

  #evaluateCall(written: string, given: readonly Tree[], at: CellKey, names: Names): Nature {
    if (this.model.isFeed(written)) return this.#takePart();
    const name = toPlainName(written);
    const natures = given.map((each) => this.#evaluate(each, at, names));
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

  /** Joins values that a formula adds or compares, and records in which dimensions they clash. */
  #meet(natures: readonly Nature[], at: CellKey): Nature {
    const joined = join(natures);
    const mixed = new Set(joined.mixed);
    for (const dimension of DIMENSIONS) {
      if (natures.some((nature) => nature.mixed.has(dimension))) continue;
      const contrast = findContrast(dimension, joined.spreads[dimension] ?? []);
      if (contrast === null) continue;
      this.clashes.push({ ...contrast, at, dimension });
      mixed.add(dimension);
    }
    return { ...joined, mixed };
  }
}

/** Deeper formulas are not followed: Excel nests 64 levels. */
const MOST_NESTED = 200;

const toId = ({ sheet, top, left, bottom, right }: SheetBlock) => `${sheet} ${top} ${left} ${bottom} ${right}`;

/** A block alone adds nothing: only the mixes of its cells are old ones. */
function withoutNewMixes(joined: Nature, natures: readonly Nature[]): Nature {
  return { ...joined, mixed: new Set(natures.flatMap(({ mixed }) => [...mixed])) };
}

/** The parts of an expression. */
export function listParts(tree: Tree): Tree[] {
  switch (tree?.type) {
    case "UnaryExpression":
    case "BinaryExpression":
      return tree.arguments;
    case "CallExpression":
      return tree.arguments;
    case "LetExpression":
      return [...tree.declarations.map(({ init }) => init), tree.body];
    default:
      return [];
  }
}

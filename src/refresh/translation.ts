import { type ArrayExpression, type AstExpression, isReference, parse, type Token, tokenize } from "@borgar/fx";
import { type Area, type Book, CallRefused, isOneCell, type Place, Unreadable } from "./book";
import { areNear, areUnordered, isLong } from "./doubts";
import { isKnown, judge, listParameters, type Reliance } from "./library";
import { type Given, isError, type Matrix, type Result, toEngineCode, type Value } from "./values";

/** What a formula reads while it is calculated. */
export interface Grid {
  cell(sheet: number, row: number, column: number): Value;
  range(area: Area): Matrix;
  sum(area: Area): Value;
  /** The cells that the array formula of a cell fills at present; null where it is none. */
  spill(place: Place): Area | null;
  call(name: string, given: Given[]): Result;
  /** Notes that Excel's result may be another. */
  doubt(): void;
}

type Step = (grid: Grid) => Given;

/** A file's formula as it is calculated here. */
export interface Translation {
  /** Null where the formula cannot be read here. */
  run: ((grid: Grid) => Result) | null;
  /** Why no Excel could read it; null where one might. */
  refusal: string | null;
  /** The cells that it reads, besides the spills that begin in them. */
  areas: readonly Area[];
  /** Whether it can read any cell, or changes by itself. */
  readsAll: boolean;
  /** Whether it changes by itself, so that an earlier value says nothing. */
  isOfNow: boolean;
  /** Whether it calls functions of the add-in. */
  isFeed: boolean;
  /** Of its functions, the least; the add-in's own are proven. */
  reliance: Reliance;
}

/** A formula's place, and whether it is an array formula: others give one value. */
export interface FormulaPlace extends Place {
  isArray: boolean;
}

/** Reads a formula as a file stores it. */
export function translate(stored: string, place: FormulaPlace, book: Book): Translation {
  const formula = toFormula(stored, book);
  const translator = new Translator(book, place);
  try {
    const step = translator.read(formula);
    const run = (grid: Grid) => step(grid) ?? { value: 0 };
    return { run, refusal: null, ...translator.found };
  } catch (error) {
    if (!(error instanceof Unreadable) && !(error instanceof SyntaxError)) {
      if (!(error instanceof Error) || !("sourceOffset" in error)) throw error;
    }
    const refusal = error instanceof CallRefused ? error.message : null;
    return { run: null, refusal, ...translator.found, ...listRead(formula, place, book), reliance: "unknown" };
  }
}

/** A reference to a sheet whose cells are gone. */
const GONE = /(?:'(?:[^']|'')+'|[\p{L}\p{N}_.]+)!#REF!/gu;

/** The cells that a formula names which cannot be calculated here. */
function listRead(formula: string, place: Place, book: Book): Pick<Translation, "areas" | "readsAll" | "isFeed"> {
  const areas: Area[] = [];
  let readsAll = false;
  let isFeed = false;
  const visit = (tokens: readonly Token[], isFixed: boolean, depth: number) => {
    for (const token of tokens) {
      if (isCallOfAddIn(token.value, book)) isFeed = true;
      if (READING_ALL.has(token.value.toUpperCase()) && token.type === "func") readsAll = true;
      if (!isReference(token)) continue;
      const name = token.type === "range_named" ? book.findName(token.value, place) : undefined;
      try {
        if (name !== undefined && depth < MOST_NAMES) visit(tokenize(toFormula(name, book)), true, depth + 1);
        else if (token.type === "structured" || book.isTable(token.value))
          areas.push(book.readTable(token.value, place));
        else if (token.type !== "range_named") areas.push(book.readArea(token.value, place, isFixed));
      } catch {
        readsAll ||= !token.value.startsWith("[");
      }
    }
  };
  visit(tokenize(formula), false, 0);
  return { areas, readsAll, isFeed };
}

const toFormula = (stored: string, book: Book) => book.functions.fromFile(stored).replace(GONE, "#REF!");

const toRefusal = (name: string) =>
  isKnown(name)
    ? `${name} takes fewer arguments; leave the last ones out`
    : `there is no function ${name}; correct its name`;

const isCallOfAddIn = (name: string, book: Book) => name.toUpperCase().startsWith(`${book.namespace}.`);

/** A name may lead to others, but not forever. */
const MOST_NAMES = 20;

/** Functions whose values change by themselves, and those that may read any cell. */
const CHANGING = new Set(["NOW", "TODAY", "RAND", "RANDARRAY", "RANDBETWEEN", "CELL", "INFO"]);
const READING_ALL = new Set([...CHANGING, "INDIRECT", "OFFSET"]);

/** What an expression is read for: one value; a range that a function takes as it is; or values of any number. */
type Mode = "one" | "range" | "array";

const OPERATORS: Readonly<Record<string, string>> = {
  "+": "ADD",
  "-": "MINUS",
  "*": "MULTIPLY",
  "/": "DIVIDE",
  "^": "POW",
  "&": "&",
  "=": "EQ",
  "<>": "NE",
  "<": "LT",
  ">": "GT",
  "<=": "LTE",
  ">=": "GTE",
};
const PREFIXES: Readonly<Record<string, string>> = { "-": "UMINUS", "+": "UPLUS", "%": "UNARY.PERCENT" };

/** Functions whose arguments are calculated as arrays in any formula. */
const OF_ARRAYS = new Set(
  `SUMPRODUCT MMULT SUMX2MY2 SUMX2PY2 SUMXMY2 FILTER SORT UNIQUE XLOOKUP TAKE DROP CHOOSECOLS CHOOSEROWS VSTACK HSTACK
  TOCOL TOROW WRAPROWS WRAPCOLS EXPAND`.split(/\s+/),
);

/** Reads one formula, and notes what it depends on. */
class Translator {
  readonly found = {
    areas: [] as Area[],
    readsAll: false,
    isOfNow: false,
    isFeed: false,
    reliance: "proven" as Reliance,
  };
  readonly #book: Book;
  readonly #place: FormulaPlace;
  /** What the names of LET stand for, the inner ones last. */
  readonly #variables: { name: string; step: Step }[] = [];
  /** How many names the present expression is within. */
  #depth = 0;
  /** How many ranges have been taken for one of their cells. */
  #intersections = 0;

  constructor(book: Book, place: FormulaPlace) {
    this.#book = book;
    this.#place = place;
  }

  read(formula: string): Step {
    return this.#read(parse(tokenize(formula)), this.#place.isArray ? "array" : "one");
  }

  #read(node: AstExpression | null, mode: Mode): Step {
    switch (node?.type) {
      case undefined:
        return () => undefined;
      case "Literal":
        if (isError(node.value as Value["value"])) throw new Unreadable("a text that reads like an error");
        return toConstant({ value: node.value as Value["value"] });
      case "ErrorLiteral":
        return toConstant({ value: toEngineCode(node.value) });
      case "ArrayExpression":
        return this.#readArray(node, mode);
      case "ReferenceIdentifier":
        return this.#readReference(node.value, node.kind, mode);
      case "UnaryExpression":
        return this.#readUnary(node.operator, node.arguments[0] ?? null, mode);
      case "BinaryExpression":
        return this.#readBinary(node.operator, node.arguments, mode);
      case "CallExpression":
        if (node.callee?.type !== "Identifier") throw new Unreadable("LAMBDA");
        return this.#readCall(node.callee.name.toUpperCase(), node.arguments, mode);
      case "LetExpression":
        return this.#readLet(node.declarations, node.body, mode);
      default:
        throw new Unreadable(String(node?.type));
    }
  }

  #readArray({ elements }: ArrayExpression, mode: Mode): Step {
    const rows = elements.map((row) =>
      row.map((element): Value => {
        if (element.type === "Literal") return { value: element.value as Value["value"] };
        if (element.type === "ErrorLiteral") return { value: toEngineCode(element.value) };
        throw new Unreadable("an array of formulas");
      }),
    );
    const matrix = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]!));
    const first = matrix[0]?.[0];
    return toConstant(mode === "one" ? first : matrix);
  }

  #readReference(written: string, kind: string, mode: Mode): Step {
    const variable = this.#variables.findLast(({ name }) => name === written.toLowerCase());
    if (variable !== undefined)
      return mode === "one" ? (grid) => toOne(variable.step(grid), this.#place) : variable.step;
    if (kind === "table" || (kind === "name" && this.#book.isTable(written))) {
      return this.#readArea(this.#book.readTable(written, this.#place), mode);
    }
    if (kind === "name") return this.#readName(written, mode);
    return this.#readArea(this.#book.readArea(written, this.#place, this.#depth > 0), mode);
  }

  #readArea(area: Area, mode: Mode): Step {
    this.found.areas.push(area);
    if (isOneCell(area)) {
      const cell = toCell(area.sheet, area.top, area.left);
      return mode === "range" ? (grid) => [[cell(grid) as Value]] : cell;
    }
    if (mode !== "one") return (grid) => grid.range(area);
    this.#intersections++;
    const { row, column } = this.#place;
    const isWithinRows = area.top <= row && row <= area.bottom;
    const isWithinColumns = area.left <= column && column <= area.right;
    if (area.left === area.right && isWithinRows) return toCell(area.sheet, row, area.left);
    if (area.top === area.bottom && isWithinColumns) return toCell(area.sheet, area.top, column);
    return toConstant({ value: "#VALUE!" });
  }

  #readName(name: string, mode: Mode): Step {
    const stored = this.#book.findName(name, this.#place);
    if (stored === undefined) throw new Unreadable(name);
    if (this.#depth >= MOST_NAMES) throw new Unreadable(name);
    this.#depth++;
    const step = this.#read(parse(tokenize(toFormula(stored, this.#book))), mode);
    this.#depth--;
    return step;
  }

  #readUnary(operator: string, operand: AstExpression | null, mode: Mode): Step {
    if (operator === "@") return this.#readOne(operand);
    if (operator === "#") return this.#readSpill(operand, mode);
    const name = PREFIXES[operator];
    if (name === undefined) throw new Unreadable(operator);
    const step = this.#read(operand, mode === "array" ? "array" : "one");
    return (grid) => grid.call(name, [step(grid)]);
  }

  #readOne(node: AstExpression | null): Step {
    if (node?.type === "ReferenceIdentifier") return this.#read(node, "one");
    const step = this.#read(node, "array");
    return (grid) => toOne(step(grid), this.#place);
  }

  #readSpill(operand: AstExpression | null, mode: Mode): Step {
    if (operand?.type !== "ReferenceIdentifier" || operand.kind !== "range") throw new Unreadable("#");
    const { sheet, top: row, left: column } = this.#book.readArea(operand.value, this.#place, this.#depth > 0);
    this.found.areas.push({ sheet, top: row, left: column, bottom: row, right: column });
    if (mode === "one") this.#intersections++;
    return (grid) => {
      const area = grid.spill({ sheet, row, column });
      const filled: Result = area === null ? { value: "#REF" } : grid.range(area);
      return mode === "one" ? toOne(filled, this.#place) : filled;
    };
  }

  #readBinary(operator: string, operands: readonly (AstExpression | null)[], mode: Mode): Step {
    const name = OPERATORS[operator];
    if (name === undefined) throw new Unreadable(operator);
    const [left, right] = operands.map((operand) => this.#read(operand ?? null, mode === "array" ? "array" : "one"));
    if (left === undefined || right === undefined) throw new Unreadable(operator);
    return toOperation(name, left, right);
  }

  #readCall(name: string, given: readonly (AstExpression | null)[], mode: Mode): Step {
    if (name === "SINGLE") return this.#readOne(given[0] ?? null);
    if (name === "ANCHORARRAY") return this.#readSpill(given[0] ?? null, mode);
    if (name === "LET") throw new Unreadable(name);
    const isOfAddIn = isCallOfAddIn(name, this.#book);
    this.found.isFeed ||= isOfAddIn;
    this.found.isOfNow ||= CHANGING.has(name);
    this.found.readsAll ||= READING_ALL.has(name);
    if (!isOfAddIn) this.#rely(judge(name, this.#book.isDate1904));
    const parameters = listParameters(name, given.length);
    if (parameters === null) throw isOfAddIn ? new CallRefused(toRefusal(name)) : new Unreadable(name);
    const area = name === "SUM" && given.length === 1 ? this.#findArea(given[0] ?? null) : null;
    if (area !== null) return toSum(area);
    const before = this.#intersections;
    const steps = parameters.map(({ isRange }, index) => {
      const argument = given[index] ?? null;
      if (mode === "array" || OF_ARRAYS.has(name)) return this.#read(argument, isRange ? toTaken(argument) : "array");
      if (!isRange) return this.#read(argument, "one");
      const step = this.#read(argument, "range");
      // What an older Excel calculates of it depends on the function.
      if (this.#intersections > before && isOperation(argument)) throw new Unreadable(name);
      return step;
    });
    const texts = parameters.flatMap(({ isText }, index) => (isText ? [index] : []));
    const step = toLazy(name, steps) ?? toCall(name, steps, texts);
    return mode === "one" ? toFirst(step, this.#place) : step;
  }

  /** The cells of a reference that is written out; null for anything else. */
  #findArea(node: AstExpression | null): Area | null {
    if (node?.type !== "ReferenceIdentifier" || node.kind === "name" || node.kind === "table") return null;
    if (this.#variables.some(({ name }) => name === node.value.toLowerCase())) return null;
    const area = this.#book.readArea(node.value, this.#place, this.#depth > 0);
    this.found.areas.push(area);
    return area;
  }

  /** @throws Unreadable for a function that cannot be relied on */
  #rely(reliance: Reliance): void {
    if (reliance === "unknown") throw new Unreadable("function");
    if (reliance === "known") this.found.reliance = reliance;
  }

  #readLet(
    declarations: readonly { id: { name: string }; init: AstExpression | null }[],
    body: AstExpression | null,
    mode: Mode,
  ): Step {
    const before = this.#variables.length;
    const slots: { value: Given; step: Step }[] = [];
    const intersections = this.#intersections;
    for (const { id, init } of declarations) {
      const slot = { value: undefined as Given, step: this.#read(init, mode === "array" ? "array" : "range") };
      if (this.#intersections > intersections && isOperation(init)) throw new Unreadable("LET");
      slots.push(slot);
      this.#variables.push({ name: id.name.toLowerCase(), step: () => slot.value });
    }
    const step = this.#read(body, mode);
    this.#variables.length = before;
    return (grid) => {
      for (const slot of slots) slot.value = slot.step(grid);
      return step(grid);
    };
  }
}

/** A reference to one cell is a range of one where a function takes ranges. */
const toTaken = (node: AstExpression | null): Mode => (node?.type === "ReferenceIdentifier" ? "range" : "array");

const isOperation = (node: AstExpression | null) =>
  node?.type === "BinaryExpression" || (node?.type === "UnaryExpression" && node.operator !== "@");

/** The one value of several: that beside the formula, where they are cells, else the first. */
function toOne(result: Given, { sheet, row, column }: Place): Given {
  if (!Array.isArray(result)) return result;
  const first = result[0]?.[0];
  const at = first?.position;
  const isMany = result.length > 1 || (result[0]?.length ?? 0) > 1;
  if (at === undefined || !isMany) return first ?? { value: null };
  const [columns, rows] = [result.length, result[0]!.length];
  if (columns === 1 && Number(at.sheetId) === sheet) return result[0]?.[row - at.row] ?? { value: "#VALUE!" };
  if (rows === 1 && Number(at.sheetId) === sheet) return result[column - at.col]?.[0] ?? { value: "#VALUE!" };
  return { value: "#VALUE!" };
}

// Steps are made by functions of their own: they live as long as the workbook, and would hold what they were read from.

function toFirst(step: Step, place: Place): Step {
  return (grid) => toOne(step(grid), place);
}

function toOperation(name: string, left: Step, right: Step): Step {
  return (grid) => operate(grid, name, left(grid), right(grid));
}

function toConstant(given: Given): Step {
  return () => given;
}

function toSum(area: Area): Step {
  return (grid) => grid.sum(area);
}

function toCell(sheet: number, row: number, column: number): Step {
  return (grid) => grid.cell(sheet, row, column);
}

function toCall(name: string, steps: readonly Step[], texts: readonly number[]): Step {
  return (grid) => call(grid, name, steps, texts);
}

function call(grid: Grid, name: string, steps: readonly Step[], texts: readonly number[]): Result {
  const given = steps.map((step) => step(grid));
  for (const index of texts) {
    if ([given[index]].flat(2).some((each) => isLong(each?.value))) grid.doubt();
  }
  return grid.call(name, given);
}

/** What a reference to one cell is, where one value is enough. */
const unwrap = (given: Given): Given =>
  Array.isArray(given) && given.length === 1 && given[0]?.length === 1 ? given[0][0] : given;

/** Functions of which only the needed arguments are calculated, so that nothing is asked for in vain. */
function toLazy(name: string, steps: readonly Step[]): Step | null {
  const [first, second, third] = steps;
  if (first === undefined || second === undefined) return null;
  const isCaught = { IFERROR: isError, IFNA: (value: Value["value"]) => value === "#N/A" }[name];
  if (isCaught !== undefined) {
    return (grid) => {
      const given = unwrap(first(grid));
      if (Array.isArray(given)) return grid.call(name, [given, second(grid)]);
      // What is still to come is no error.
      if (!isCaught(given?.value ?? null) || given?.value === "#BUSY!") return given ?? { value: 0 };
      return second(grid) ?? { value: 0 };
    };
  }
  if (name !== "IF") return null;
  return (grid) => {
    const condition = unwrap(first(grid));
    if (Array.isArray(condition)) {
      return grid.call(name, [condition, second(grid), third === undefined ? { value: false } : third(grid)]);
    }
    const chosen = grid.call(name, [condition, { value: 1 }, { value: 0 }]);
    if (Array.isArray(chosen) || isError(chosen.value)) return chosen;
    if (chosen.value === 1) return second(grid) ?? { value: 0 };
    return third === undefined ? { value: false } : (third(grid) ?? { value: 0 });
  };
}

/** Calculates with an operator; Excel takes numbers that differ in their last digits alone for equal. */
function operate(grid: Grid, name: string, left: Given, right: Given): Result {
  const result = grid.call(name, [left, right]);
  if (ORDERS.has(name) && areUnordered(left, right)) grid.doubt();
  if (Array.isArray(left) || Array.isArray(right)) {
    if (SUMS.has(name) && [result].flat(2).some(({ value }) => isLeft(value))) grid.doubt();
    return result;
  }
  const [one, other] = [left?.value, right?.value];
  if (name === "&" ? isLong(one) || isLong(other) : isClose(name, one, other)) grid.doubt();
  return result;
}

const ORDERS = new Set(["LT", "GT", "LTE", "GTE"]);
const SUMS = new Set(["ADD", "MINUS"]);
const COMPARISONS = new Set(["EQ", "NE", "LT", "GT", "LTE", "GTE", "MINUS"]);

function isClose(name: string, one: unknown, other: unknown): boolean {
  if (typeof one !== "number" || typeof other !== "number") return false;
  return name === "ADD" ? areNear(one, -other) : COMPARISONS.has(name) && areNear(one, other);
}

/** Whether a difference may be what is left of equal numbers. */
const isLeft = (value: unknown) => typeof value === "number" && value !== 0 && Math.abs(value) < 1e-9;

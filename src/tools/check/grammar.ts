import {
  type AstExpression,
  type Identifier,
  isRange,
  parse,
  parseA1Ref,
  parseStructRef,
  type Token,
  tokenize,
  translateFormulaToA1,
  translateTokensToR1C1,
} from "@borgar/fx";

export type Tree = AstExpression | null;

/** A formula as rules read it. */
export interface ParsedFormula {
  /** Null where the text is no formula of Excel's grammar. */
  tree: AstExpression | null;
  /** The formula relative to its cell: copies share it. */
  relative: string;
  /** The formula without its references: cells with equal ones differ in references alone. */
  skeleton: string;
}

const REFERENCE = "§";

/** Parses a formula of a cell such as "B3". */
export function parseFormula(formula: string, address: string): ParsedFormula {
  try {
    const tokens = tokenize(formula);
    return {
      tree: toTree(tokens) ?? toTree(tokenize(withoutForeign(formula))),
      relative: toText(translateTokensToR1C1(tokens, address)),
      skeleton: tokens.map((token) => (isRange(token) ? REFERENCE : token.value)).join(""),
    };
  } catch {
    return { tree: null, relative: formula, skeleton: formula };
  }
}

/** Parses an expression without a cell, such as a name's. */
export const parseExpression = (formula: string): Tree => toTree(tokenize(withoutForeign(formula)));

/** The folder of a closed workbook, which may be an address of the web. */
const FOLDER = /'(?:[^'[\]]|'')*[\\/](?=[^'\\/]*')/g;

/** A reference to a sheet whose cells are gone. */
const GONE = /(?:'(?:[^']|'')+'|[\p{L}\p{N}_.]+)!#REF!/gu;

/** Leaves out what the grammar cannot read and leads nowhere that we could follow. */
const withoutForeign = (formula: string): string => formula.replace(FOLDER, "'").replace(GONE, "#REF!");

function toTree(tokens: Token[]): Tree {
  try {
    return parse(tokens);
  } catch {
    return null;
  }
}

/** A function that an expression calls by its name, and its arguments. */
export interface Called {
  name: string;
  given: readonly Tree[];
}

/** Gives the function that an expression calls; null where it calls none by name, as `LAMBDA(x,x+1)(5)`. */
export function toCalled(tree: Tree): Called | null {
  const callee = toCallee(tree);
  return tree?.type === "CallExpression" && callee?.type === "Identifier"
    ? { name: callee.name, given: tree.arguments }
    : null;
}

/** The package's types know names only, while its parser gives lambdas and calls here too. */
const toCallee = (tree: Tree): Identifier | AstExpression | null =>
  tree?.type === "CallExpression" ? tree.callee : null;

/** The parts of an expression, in the order of its text. */
export function listParts(tree: Tree): Tree[] {
  switch (tree?.type) {
    case "UnaryExpression":
    case "BinaryExpression":
      return tree.arguments;
    case "CallExpression": {
      const callee = toCallee(tree);
      return callee === null || callee.type === "Identifier" ? tree.arguments : [callee, ...tree.arguments];
    }
    case "LetExpression":
      return [...tree.declarations.map(({ init }) => init), tree.body];
    case "LambdaExpression":
      return [tree.body];
    default:
      return [];
  }
}

const toText = (tokens: readonly Token[]) => tokens.map(({ value }) => value).join("");

/** Writes a relative formula for a cell such as "B3". */
export const toFormulaAt = (relative: string, address: string): string => translateFormulaToA1(relative, address);

/** A block of cells as a reference names it: sides that it leaves open are null. */
export interface WrittenArea {
  /** Null for the formula's own sheet. */
  sheet: string | null;
  top: number | null;
  bottom: number | null;
  left: number | null;
  right: number | null;
}

/** Cells, or a name, or nothing that can be followed: another workbook, several sheets. */
export type WrittenReference =
  | { kind: "area"; area: WrittenArea }
  | { kind: "name"; name: string; sheet: string | null }
  | { kind: "other" };

const OTHER: WrittenReference = { kind: "other" };

const references = new Map<string, WrittenReference>();
const MOST_REFERENCES = 100_000;

/** Reads a reference to cells, or a name. Many formulas share one. */
export function readReference(written: string): WrittenReference {
  const known = references.get(written);
  if (known !== undefined) return known;
  if (references.size >= MOST_REFERENCES) references.clear();
  const reference = read(written);
  references.set(written, reference);
  return reference;
}

function read(written: string): WrittenReference {
  const parsed = parseA1Ref(written);
  const [sheet = null, ...others] = parsed?.context ?? [];
  if (parsed === undefined || others.length > 0 || sheet?.includes(":") || written.startsWith("[")) return OTHER;
  if ("name" in parsed) return { kind: "name", name: parsed.name, sheet };
  const { top, bottom, left, right } = parsed.range;
  return {
    kind: "area",
    area: { sheet, top: top ?? null, bottom: bottom ?? null, left: left ?? null, right: right ?? null },
  };
}

/** A reference to a table's columns. */
export interface StructuredReference {
  /** Empty for the table that the formula stands in. */
  table: string;
  /** None for all; two for a span. */
  columns: readonly string[];
  sections: readonly string[];
}

export function readStructured(written: string): StructuredReference | null {
  const parsed = parseStructRef(written);
  if (parsed === undefined || parsed.table === undefined) return null;
  return { table: parsed.table, columns: parsed.columns ?? [], sections: parsed.sections ?? [] };
}

import type { DefinedName, FeedCell } from "../contract/workbook";
import { readPlace } from "./addresses";
import {
  CELL,
  type FormulaCall,
  findCalls,
  findEnd,
  listCalls,
  maskQuoted,
  readArgument,
  readCalls,
  readDeadCopy,
  readFormula,
  readNamespace,
  splitArguments,
  withoutBrackets,
} from "./formula-text";

/** A formula that belongs to the add-in, as `FeedCell` says. */
type FeedFormula = Pick<FeedCell, "formula" | "expanded" | "isDead">;

/** Decides whether a formula of a sheet belongs to the add-in; null where it does not. */
export type FeedFormulaReader = (formula: string, sheet: string) => FeedFormula | null;

/** Creates the reader of a workbook's formulas. @param names those that formulas may use */
export function createFeedFormulaReader(names: readonly DefinedName[], namespace = readNamespace()): FeedFormulaReader {
  const expand = createExpansion(names, namespace);
  return (formula, sheet) => {
    const expanded = expand(formula, sheet);
    const live = readDeadCopy(expanded, namespace);
    if (live !== null) return { formula: live, isDead: true };
    if (expanded !== formula && listCalls(expanded, namespace).length > 0) return { formula, expanded };
    return listCalls(formula, namespace).length > 0 ? { formula } : null;
  };
}

/** Reads the calls of a cell's formula, those within names too; a dead copy has none. */
export const readCellCalls = ({ formula, expanded, isDead }: FeedFormula, namespace?: string): FormulaCall[] =>
  isDead ? [] : readScopedCalls(expanded ?? formula, namespace);

/** Whether a cell's formula is a call whose table fills the cells beside it. */
export function isSpilling({ formula, expanded }: FeedFormula): boolean {
  const reading = readFormula(expanded ?? formula);
  return reading.kind === "call" && reading.isSingle === undefined;
}

/** The rows and columns that a call's table may fill; null for as many as it has, and for a call in a larger formula. */
export function readRoom({ formula, expanded, array }: FeedCell): readonly [rows: number, columns: number] | null {
  const reading = readFormula(expanded ?? formula);
  if (reading.kind !== "call") return null;
  return reading.isSingle ? [1, 1] : (array ?? null);
}

/** Texts, columns of tables, and sheets: a name inside them is none. */
const OTHER = /"(?:[^"]|"")*"|\[(?:[^[\]']|'.)*\]|'(?:[^']|'')*'/.source;
const SHEET = /(?:'(?:[^'[\]]|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!/u.source;
/** Names may stand within names. */
const DEEPEST = 8;

const toKey = (name: string, sheet: string | null) => `${sheet ?? ""}!${name}`.toLowerCase();

/** Gives a function that writes out the names that call the add-in. */
function createExpansion(names: readonly DefinedName[], namespace: string): (formula: string, sheet: string) => string {
  const isCalling = ({ formula }: DefinedName) =>
    listCalls(formula, namespace).length > 0 || readDeadCopy(formula, namespace) !== null;
  let calling = names.filter(isCalling);
  if (calling.length === 0) return (formula) => formula;
  let pattern = toPattern(calling);
  for (let before = 0; before < calling.length; pattern = toPattern(calling)) {
    before = calling.length;
    calling = names.filter((name) => calling.includes(name) || isUsing(name.formula, pattern));
  }
  const all = new Map(names.map((name) => [toKey(name.name, name.sheet), name]));
  const texts = new Map(calling.map((name) => [name, toUnplaced(name.formula)]));
  const expand = (formula: string, sheet: string, depth: number): string => {
    const bound = listBoundNames(formula);
    return formula.replace(pattern, (...match) => {
      const [written, qualifier, name, at]: [string, string | undefined, string | undefined, number] = match as never;
      if (name === undefined || depth === DEEPEST || bound.has(name.toLowerCase())) return written;
      const own = qualifier === undefined ? sheet : readPlace(qualifier).sheet;
      const named = all.get(toKey(name, own)) ?? all.get(toKey(name, null));
      const text = named && texts.get(named);
      // A function of Excel may have the same name.
      const isFunction =
        /^\s*\(/.test(formula.slice(at + written.length)) && !/^(?:_xlfn\.)?LAMBDA\s*\(/i.test(text ?? "");
      if (text === undefined || isFunction) return written;
      return `(${expand(text, named?.sheet ?? sheet, depth + 1)})`;
    });
  };
  return (formula, sheet) => {
    const expanded = expand(formula, sheet, 0);
    return expanded === formula ? formula : withoutBrackets(expanded);
  };
}

function toPattern(names: readonly DefinedName[]): RegExp {
  const written = names.map(({ name }) => name.replace(/[.\\?]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}_.\\\\!\\]])(${SHEET})?(${written})(?![\\p{L}\\p{N}_.\\\\!])|${OTHER}`, "giu");
}

const isUsing = (formula: string, pattern: RegExp): boolean =>
  [...formula.matchAll(pattern)].some(([, , name]) => name !== undefined);

const CELLS = new RegExp(`"(?:[^"]|"")*"|(?<![\\p{L}\\p{N}_.$])${CELL}(?::${CELL})?(?![\\p{L}\\p{N}_.(])`, "giu");
const FIXED = /^(?:"|\$[A-Z]+\$\d+(?::\$[A-Z]+\$\d+)?$)/i;

/** A name's formula; which cells it reads without dollar signs depends on the cell that uses it, so that none is read. */
const toUnplaced = (formula: string): string =>
  formula.replace(/^=\s*/, "").replace(CELLS, (cells) => (FIXED.test(cells) ? cells : `(${cells})`));

/** A name that LET or LAMBDA gives to something within a part of the formula. */
interface Binding {
  from: number;
  to: number;
  name: string;
  /** What it stands for. */
  text: string;
  /** Where that is written. */
  at: number;
}

const SCOPES = /(?<![\p{L}\p{N}_.])(?:_xlfn\.)?(LET|LAMBDA)\s*\(/giu;
/** Files put this before the names that LET and LAMBDA give. */
const PREFIX = /_xlpm\./gi;
/** What a lambda is given where that is not known, as inside MAP. */
const UNKNOWN = "?";

/** Reads the calls of a formula, with what LET and a lambda that is called where it stands give to their names. */
function readScopedCalls(written: string, namespace?: string): FormulaCall[] {
  if (!/\bL(?:ET|AMBDA)\s*\(/i.test(written)) return readCalls(written, namespace);
  const formula = written.replace(PREFIX, "");
  const bindings = listBindings(formula);
  const resolve = (text: string, at: number, before = bindings.length): string => {
    const isMeant = ({ name, from, to }: Binding) => name === toName(text) && from <= at && at < to;
    const index = bindings.slice(0, before).findLastIndex(isMeant);
    const found = bindings[index];
    return found === undefined ? text : resolve(found.text, found.at, index);
  };
  return findCalls(formula, namespace).map(({ name, given, at }) => {
    return { name, given: given.map((text) => readArgument(resolve(text, at))) };
  });
}

/** The names that LET and LAMBDA give within a formula, in small letters. */
const listBoundNames = (formula: string): ReadonlySet<string> =>
  new Set(/\bL(?:ET|AMBDA)\s*\(/i.test(formula) ? listBindings(formula).map(({ name }) => name) : []);

const toName = (written: string) => written.trim().toLowerCase();

/** Lists the names of a formula, the outer ones first. */
function listBindings(formula: string): Binding[] {
  const bare = maskQuoted(formula);
  return [...bare.matchAll(SCOPES)].flatMap(({ 0: opening, 1: kind = "", index }) => {
    const from = index + opening.length;
    const to = findEnd(bare, from);
    const parts = splitArguments(formula.slice(from, to));
    const isLet = kind.toUpperCase() === "LET";
    const call = isLet ? undefined : /^\)\s*\)?\s*\(/.exec(bare.slice(to))?.[0];
    const inner = to + (call?.length ?? 0);
    const given = call === undefined ? [] : splitArguments(formula.slice(inner, findEnd(bare, inner)));
    return parts.slice(0, -1).flatMap((name, order): Binding[] => {
      const text = isLet ? parts[order + 1] : given[order];
      return isLet && order % 2 === 1
        ? []
        : [{ from, to, name: toName(name), text: text ?? UNKNOWN, at: isLet ? from : index }];
    });
  });
}

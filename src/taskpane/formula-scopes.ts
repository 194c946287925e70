import {
  type FormulaCall,
  findCalls,
  findEnd,
  maskQuoted,
  readArgument,
  readCalls,
  splitArguments,
} from "./formula-text";

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
export function readScopedCalls(written: string, namespace?: string): FormulaCall[] {
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
export const listBoundNames = (formula: string): ReadonlySet<string> =>
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

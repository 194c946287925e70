import { DEFAULT_NAMESPACE, NAMESPACE_PARAMETER, NAMESPACE_SHAPE } from "../contract/namespace";

/** An argument as it stands in a formula; null where it is left out. */
export type Given =
  | null
  | { kind: "text"; value: string }
  | { kind: "number"; value: number }
  | { kind: "flag"; value: boolean }
  /** Cells, such as `A2:A20` or `'Sales 2024'!$B$3`, as they were written. */
  | { kind: "cells"; text: string }
  /** Anything else, such as `TODAY()-7` or `{1,2}`, as it was written. */
  | { kind: "expression"; text: string };

/** A formula of the add-in and what it is given, in the order of its arguments. */
export interface FormulaCall {
  /** Its name without the namespace, e.g. "RANKING.PAGES". */
  name: string;
  given: readonly Given[];
}

/** A cell's formula as the add-in reads it. */
type FormulaReading =
  /** `isSingle` where `@` stands before the call, which leaves the first value of a table alone. */
  | { kind: "call"; call: FormulaCall; isSingle?: true }
  /** It contains a formula of the add-in, with other parts or in a form that cannot be parsed. */
  | { kind: "part" }
  | { kind: "none" };

/**
 * Files store a prefixed form with underscores for dots; Excel shows it where the add-in is not loaded. Other programs
 * put the prefixes of Excel's own newer functions before either.
 */
const toStart = (namespace: string) =>
  `(?:_xl(?:fn|udf|l)\\.)?(?:${namespace}\\.|_xldudf_${namespace}_)([A-Z][A-Z._]*)\\s*\\(`;

const toName = (written: string) => written.toUpperCase().replaceAll("_", ".");

/** Texts, names of sheets and of a table's columns: a call inside them is no call. */
const QUOTED = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\[(?:[^[\]']|'.)*\]/g;

const callStarts = new Map<string, RegExp>();

/** A pattern is made once: thousands of formulas are read by it. */
function toCallStart(namespace: string): RegExp {
  const start = callStarts.get(namespace) ?? new RegExp(`(?<![\\p{L}\\p{N}_.])${toStart(namespace)}`, "giu");
  callStarts.set(namespace, start);
  return start;
}

/** Names the formulas of the add-in that a cell's formula calls, anywhere in it and in this order, without the namespace. */
export function listCalls(formula: string, namespace = readNamespace()): string[] {
  return [...formula.replace(QUOTED, '""').matchAll(toCallStart(namespace))].map(([, written = ""]) => toName(written));
}

/** Reads the formulas of the add-in that a cell's formula calls, anywhere in it: within another one's arguments too. */
export const readCalls = (formula: string, namespace?: string): FormulaCall[] =>
  findCalls(formula, namespace).map(({ name, given }) => ({ name, given: given.map(readArgument) }));

/** Finds the calls in a formula, with their arguments as they are written and where these begin. */
export function findCalls(formula: string, namespace = readNamespace()) {
  const bare = maskQuoted(formula);
  return [...bare.matchAll(toCallStart(namespace))].map(({ 0: opening, 1: written = "", index }) => {
    const at = index + opening.length;
    const inner = formula.slice(at, findEnd(bare, at));
    return { name: toName(written), given: inner.trim() === "" ? [] : splitArguments(inner), at };
  });
}

/** Masks what is quoted in a formula, so that each place stays the same. */
export const maskQuoted = (formula: string): string => formula.replace(QUOTED, (quoted) => '"'.repeat(quoted.length));

/** Finds the closing bracket of the one opened before `from`, in a masked formula. */
export function findEnd(bare: string, from: number): number {
  let open = 1;
  for (let at = from; at < bare.length; at++) {
    if (bare[at] === "(") open++;
    else if (bare[at] === ")" && --open === 0) return at;
  }
  return bare.length;
}

/** Writes a formula as a cell takes it; arguments that are left out at the end are not written. */
export function toFormulaText({ name, given }: FormulaCall, namespace = readNamespace()): string {
  const last = given.findLastIndex((each) => each !== null);
  const written = given.slice(0, last + 1).map(toArgumentText);
  return `=${namespace}.${name}(${written.join(", ")})`;
}

/** Writes one argument; nothing where it is left out. */
export function toArgumentText(given: Given): string {
  if (given === null) return "";
  if (given.kind === "text") return listPieces(given.value).join("&");
  if (given.kind === "number") return String(given.value);
  return given.kind === "flag" ? String(given.value).toUpperCase() : given.text;
}

/** A text in a formula has at most 255 units; a longer one is put together, and no letter of two units is parted. */
const PIECES = /[\s\S]{1,255}(?![\uDC00-\uDFFF])|[\s\S]{1,255}/g;

const listPieces = (text: string): string[] =>
  (text.match(PIECES) ?? [""]).map((piece) => `"${piece.replaceAll('"', '""')}"`);

/** Puts a text in place of another that a call in a formula is given; null where none is given that one. */
export function replaceText(formula: string, from: string, to: string): string | null {
  const isFrom = (text: string) => text.trim() === from;
  const isGiven = readCalls(formula).some(({ given }) =>
    given.some((each) => each?.kind === "text" && isFrom(each.value)),
  );
  const replace = (quoted: string) =>
    quoted.startsWith('"') && isFrom(quoted.slice(1, -1).replaceAll('""', '"'))
      ? toArgumentText({ kind: "text", value: to })
      : quoted;
  const replaced = formula.replace(QUOTED, replace);
  return isGiven && replaced !== formula ? replaced : null;
}

/** `@` before a formula, and what programs of before it write. */
const SINGLE = /^(?:@\s*(?<at>[\s\S]+)|(?:_xlfn\.)?SINGLE\s*\((?<inner>[\s\S]+)\))$/i;

/** Reads the formula of a cell, as the host gives it: in English, with commas. */
export function readFormula(formula: string, namespace = readNamespace()): FormulaReading {
  // Brackets around all of it and a plus sign before it change nothing.
  const body = withoutBrackets(`=${formula.trim().replace(/^=?[\s+]*/, "")}`)
    .slice(1)
    .trim();
  const single = SINGLE.exec(body)?.groups;
  if (single !== undefined) {
    const reading = readFormula(single.at ?? single.inner ?? "", namespace);
    return reading.kind === "call" ? { ...reading, isSingle: true } : reading;
  }
  const [opening = "", name = ""] = new RegExp(`^${toStart(namespace)}`, "i").exec(body) ?? [];
  const inner = body.slice(opening.length, -1);
  if (opening === "" || !body.endsWith(")") || !closesAll(inner)) {
    return { kind: listCalls(body, namespace).length > 0 ? "part" : "none" };
  }
  const given = inner.trim() === "" ? [] : splitArguments(inner).map(readArgument);
  return { kind: "call", call: { name: toName(name), given } };
}

/** Whether a formula is what Google Sheets saves in the other cells of a table. */
export const isDeadSpill = (formula: unknown): boolean =>
  typeof formula === "string" && /__xludf\.DUMMYFUNCTION\(\s*"+COMPUTED_VALUE"/i.test(formula);

/** Whether a formula is what Google Sheets saves in the place of one, of whatever function. */
export const isDeadFormula = (formula: unknown): boolean =>
  typeof formula === "string" && /__xludf\.DUMMYFUNCTION\(/i.test(formula) && !isDeadSpill(formula);

/** Functions of Google Sheets around what is an ordinary formula in Excel. */
const ARRAYS = /^\s*=?\s*(?:ARRAYFORMULA|ARRAY_CONSTRAIN)\s*\(([\s\S]+)\)\s*$/i;

function withoutArrays(text: string): string {
  const inner = ARRAYS.exec(text)?.[1];
  return inner === undefined || !closesAll(inner) ? text : withoutArrays(splitArguments(inner)[0] ?? "");
}

const TEXTS = /("(?:[^"]|"")*"(?:\s*&\s*"(?:[^"]|"")*")*)/.source;
const DUMMY = `@?__xludf\\.DUMMYFUNCTION\\(\\s*${TEXTS}\\s*\\)`;
/** What Google Sheets saves in the place of a formula that it does not know: the formula as a text, and its last value. */
const DEAD = new RegExp(`IFERROR\\(\\s*${DUMMY}\\s*,|${DUMMY}`, "gi");

/** Gives a formula with the formulas of the add-in that it holds as texts beside their last values; null without any. */
export function readDeadCopy(formula: string, namespace = readNamespace()): string | null {
  if (!/__xludf\./i.test(formula)) return null;
  const bare = maskQuoted(formula);
  let live = "";
  let from = 0;
  for (const { 0: opening, 1: guarded, 2: alone = "", index } of formula.matchAll(DEAD)) {
    const text = readArgument(guarded ?? alone);
    if (index < from || bare[index] === '"' || text?.kind !== "text") continue;
    const called = withoutArrays(text.value);
    if (listCalls(called, namespace).length === 0) continue;
    const end = index + opening.length;
    live += `${formula.slice(from, index)}(${called.trim().replace(/^=\s*/, "")})`;
    from = guarded === undefined ? end : findEnd(bare, end) + 1;
  }
  return from === 0 ? null : withoutBrackets(live + formula.slice(from));
}

/** Removes the brackets around the whole of a formula. */
export function withoutBrackets(formula: string): string {
  const whole = /^=\s*\(([\s\S]*)\)\s*$/.exec(formula)?.[1];
  return whole !== undefined && closesAll(whole) ? withoutBrackets(`=${whole}`) : formula;
}

const PIECE = /"((?:[^"]|"")*)"/g;
const TEXT = new RegExp(`^${PIECE.source}(?:\\s*&\\s*${PIECE.source})*$`);
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const SHEET = /(?:'(?:[^']|'')+'!|[\p{L}_][\p{L}\p{N}_.]*!)?/u.source;
/** A cell's address; case counts for nothing where it is used. */
export const CELL = /\$?[A-Z]{1,3}\$?[1-9]\d{0,6}/.source;
const CELLS = new RegExp(`^${SHEET}${CELL}(?::${CELL})?$`, "iu");
const ANY_CELLS = `${CELL}|\\$?[A-Z]{1,3}:\\$?[A-Z]{1,3}|\\$?\\d+:\\$?\\d+`;
const REFERENCE = new RegExp(`(?<![\\p{L}\\p{N}_.$])(?:${ANY_CELLS})(?![\\p{L}\\p{N}_.(])|\\[`, "iu");

/** Whether a formula reads cells: in a text, Excel does not adjust them where rows are inserted, filled or sorted. */
export const readsCells = (formula: string): boolean => REFERENCE.test(formula.replace(PIECE, '""'));

/** Reads one argument as it stands in a formula. */
export function readArgument(written: string): Given {
  const text = written.trim();
  if (text === "") return null;
  if (TEXT.test(text)) {
    const pieces = [...text.matchAll(PIECE)].map(([, piece = ""]) => piece.replaceAll('""', '"'));
    return { kind: "text", value: pieces.join("") };
  }
  if (NUMBER.test(text) && Number.isFinite(Number(text))) return { kind: "number", value: Number(text) + 0 };
  if (/^(true|false)$/i.test(text)) return { kind: "flag", value: text.toLowerCase() === "true" };
  return { kind: CELLS.test(text) ? "cells" : "expression", text };
}

/** Text between two of these is one unit, brackets and commas included. */
const QUOTES = ['"', "'"];
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/**
 * Finds the commas of a formula's text that stand outside of brackets, quoted texts and sheet names.
 *
 * @returns null where a bracket or a quote is not closed, or closed twice
 */
function findCommas(text: string): number[] | null {
  const open: string[] = [];
  const commas: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    const isQuote = QUOTES.includes(letter) && open.at(-1) !== "]"; // names of a table's columns may hold quotes
    if (isQuote) at = text.indexOf(letter, at + 1); // a doubled quote ends one text and begins the next
    if (at < 0) return null;
    if (isQuote) continue;
    if (open.at(-1) === "]" && letter === "'")
      at++; // there, it takes the next letter for itself
    else if (open.at(-1) === letter) open.pop();
    else if (letter in CLOSING) open.push(CLOSING[letter] as string);
    else if (")}]".includes(letter)) return null;
    else if (letter === "," && open.length === 0) commas.push(at);
  }
  return open.length === 0 ? commas : null;
}

/** Whether each bracket and quote in a text is closed. */
export const closesAll = (text: string): boolean => findCommas(text) !== null;

/** Splits what stands between a formula's brackets at the commas that part its arguments. */
export function splitArguments(text: string): string[] {
  const ends = [...(findCommas(text) ?? []), text.length];
  return ends.map((end, index) => text.slice(index === 0 ? 0 : (ends[index - 1] as number) + 1, end));
}

/**
 * A cell's formula as the person sees it; null without one. The host returns a text that begins with "="
 * as a formula too, but it equals the cell's value.
 *
 * @param known the namespace, read once for many formulas
 */
export function readShownFormula(formula: unknown, value: unknown, known?: string): string | null {
  if (typeof formula !== "string" || !formula.startsWith("=") || formula === value) return null;
  if (!/_xl(?:dudf_|udf\.|fn\.|l\.)/i.test(formula)) return formula;
  const namespace = known ?? readNamespace();
  // Excel may put the file of another add-in before a name that it did not know.
  const start = `(?:'(?:[^']|'')+'!|[\\p{L}\\p{N}_.[\\]-]+!)?(?<![\\p{L}\\p{N}_.])(?:(?:_xl(?:fn|udf|l)\\.)?_xldudf_${namespace}_|_xl(?:fn|udf|l)\\.${namespace}\\.)`;
  const nameInFile = new RegExp(`${start}([A-Z_.]+)(?=\\()`, "giu");
  return formula.replace(nameInFile, (_, name: string) => `${namespace}.${name.replaceAll("_", ".")}`);
}

/** Whether a cell shows an error, or the placeholder of a pending value. */
export function isErrorCode(value: unknown): boolean {
  return typeof value === "string" && /^#(?:N\/A|GETTING_DATA|[A-Z0-9/]+[!?])$/.test(value);
}

/**
 * The namespace under which Excel has the formulas, as the manifest says in the pane's address.
 *
 * @param search the page's query, e.g. "?namespace=ACME"
 */
export function readNamespace(search = globalThis.location?.search ?? ""): string {
  const given = new URLSearchParams(search).get(NAMESPACE_PARAMETER) ?? "";
  return NAMESPACE_SHAPE.test(given) ? given : DEFAULT_NAMESPACE;
}

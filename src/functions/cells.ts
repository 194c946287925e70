import { FeedError, InternalError, NoValueError } from "../client/errors";
import { type Message, msg, translate } from "../client/messages";
import type { Origin } from "../session/calls";
import { toMomentSerial, toSerial } from "./dates";

/** A cell's output to the host. */
export type Cell = number | string | boolean | CustomFunctions.Error | FormattedNumber | NumberWithProperties;

/** A formula's output to the host: rows of cells, or one error. */
export type Output = Cell[][] | CustomFunctions.Error;

interface FormattedNumber {
  type: "FormattedNumber";
  basicValue: number;
  numberFormat: string;
}

interface NumberWithProperties {
  type: "Double";
  basicType: "Double";
  basicValue: number;
  numberFormat?: string;
  properties: Record<string, Property>;
}

type Property =
  | FormattedNumber
  | { type: "Double" | "String"; basicType: "Double" | "String"; basicValue: number | string };

/** The result of a formula. */
export interface Table {
  rows: readonly (readonly unknown[])[];
  /** The origin of a cell, where its value does not carry it. */
  readOrigin?(row: number, column: number): Partial<Origin> | null;
  /** Rows that the whole table will have, where these are its first; default as many. */
  expected?: number;
  /** Advice for a smaller table; default fewer rows or fields. */
  cures?: Message;
}

/** A number with its number format. */
export class Formatted {
  constructor(
    readonly value: number,
    readonly format: string,
  ) {}
}

/** A number whose format only makes it easier to read: it has one within a table, unless that is large. */
export class Amount extends Formatted {}

/** A day, or a day with its time, as the API writes it; a cell shows it by the workbook's date system. */
export class Written {
  /** @param kind of `YYYY-MM-DD`, or of `YYYY-MM-DDTHH:mm:ss` in UTC */
  constructor(
    readonly text: string,
    readonly kind: "day" | "moment",
  ) {}
}

/** A fact of a figure; null ones are left out. */
type Fact = string | number | Written | null;

/** A value of a company's financials. */
export class Figure {
  constructor(
    readonly value: unknown,
    /** Its places in the answer. */
    readonly places: Origin["places"] = [],
  ) {}

  /** Its facts, read only where they show; null for none. */
  readFacts(): Readonly<Record<string, Fact>> | null {
    return null;
  }
}

/** A cell's longest text. */
const LONGEST_TEXT = 32_767;

const CURES = msg`lower top or name fewer fields`;

/** A formatted number is ten times as long as a plain one; tables of more cells have plain amounts. */
const MOST_AMOUNTS = 10_000;

/** The host drops results above 5 MB; this stays well below. */
const LARGEST_RESULT_BYTES = 1_500_000;

/** An error of another cell, passed on unchanged. */
export class PassedError extends Error {
  constructor(readonly value: unknown) {
    super("an argument is an error");
  }

  /** Whether an argument is an error value, in either form that hosts use. */
  static isError(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    const { type, code, basicType } = value as Record<string, unknown>;
    return type === "Error" || basicType === "Error" || String(code).startsWith("#");
  }
}

/**
 * Converts a formula's result into cells: rectangular, no null (Excel would show it as 0 inside an
 * array), no NaN, no undefined, no text that is longer than a cell. A single error is bare: some Excels
 * show an array with an error as #VALUE! (OfficeDev/office-js issue 2174).
 *
 * @param abilities the supported types besides plain values
 * @throws NoValueError (FEED_RESULT_TOO_LARGE)
 */
export function toCells({ rows, expected = rows.length, cures = CURES }: Table, abilities: Abilities): Output {
  // The usual case: no single cell is too large, since its text is cut.
  if (rows.length === 1 && expected <= 1 && rows[0]?.length === 1) {
    const cell = toCell(rows[0][0], abilities);
    return cell instanceof CustomFunctions.Error ? cell : [[cell]];
  }
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 1); // a call takes fewer arguments than rows
  const amounts = abilities.formats && Math.max(rows.length, expected) * width <= MOST_AMOUNTS;
  const own = { ...abilities, amounts };
  const cells = rows.map((row) => {
    const all: Cell[] = [];
    for (let column = 0; column < width; column++) all.push(toCell(row[column], own));
    return all;
  });
  if (cells.length === 0) return [[""]];
  assertFits(
    cells,
    expected,
    abilities.properties ? msg`${cures}, or let numbers carry no properties (a switch of the pane)` : cures,
  );
  return cells;
}

/** Converts one value into a cell. */
export function toCell(value: unknown, abilities: Abilities = PLAIN): Cell {
  if (typeof value === "number") return Number.isFinite(value) ? value : toCellError(NOT_A_NUMBER);
  if (value === null || value === undefined) return "";
  if (value instanceof Figure) return toNumber(value, abilities);
  if (value instanceof Written) return toCell(toDate(value, abilities), abilities);
  if (value instanceof Formatted) {
    const cell = toCell(value.value);
    const isShown = value instanceof Amount ? abilities.amounts : abilities.formats;
    return isShown && typeof cell === "number" ? toFormattedNumber(value) : cell;
  }
  if (typeof value === "string") return toText(value);
  if (typeof value === "boolean" || value instanceof CustomFunctions.Error) return value;
  if (value instanceof Error) return toCellError(value);
  return toText(JSON.stringify(value));
}

/** The serial of a day or moment; one that is none, or that the workbook's dates do not reach, stays text. */
function toDate({ text, kind }: Written, { dateSystem }: Abilities): Formatted | string {
  const serial = kind === "day" ? toSerial(text, dateSystem) : toMomentSerial(text, dateSystem);
  if (serial === null || serial < 0) return text;
  return new Formatted(serial, kind === "day" ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm");
}

const toFormattedNumber = ({ value, format }: Formatted): FormattedNumber => ({
  type: "FormattedNumber",
  basicValue: value,
  numberFormat: format,
});

function toNumber(figure: Figure, abilities: Abilities): Cell {
  const cell = toCell(figure.value, abilities);
  const facts = abilities.properties && !(cell instanceof CustomFunctions.Error) && figure.readFacts();
  if (!facts) return cell;
  const properties: Record<string, Property> = {};
  for (const [name, fact] of Object.entries(facts)) if (fact !== null) properties[name] = toProperty(fact, abilities);
  const number = typeof cell === "object" ? (cell as FormattedNumber) : { basicValue: cell as number };
  return { ...number, type: "Double", basicType: "Double", properties };
}

function toProperty(fact: NonNullable<Fact>, abilities: Abilities): Property {
  const value = fact instanceof Written ? toDate(fact, abilities) : fact;
  if (value instanceof Formatted) return toFormattedNumber(value);
  if (typeof value === "number") return { type: "Double", basicType: "Double", basicValue: value };
  return { type: "String", basicType: "String", basicValue: toText(value) };
}

/** Converts an error into a cell's error, with the text `CODE: what happened; what to do`. */
export function toCellError(error: unknown): CustomFunctions.Error {
  if (error instanceof PassedError) return new CustomFunctions.Error(toPassedCode(error.value));
  const { cell, code, text } = error instanceof FeedError ? error : new InternalError(error);
  const { invalidValue, notAvailable } = CustomFunctions.ErrorCode;
  return new CustomFunctions.Error(
    cell === "#VALUE!" ? invalidValue : notAvailable,
    toText(`${code}: ${translate(text)}`),
  );
}

/** An empty text, a comma behind it. */
const LEAST_CELL_BYTES = 3;

/**
 * Refuses a table that is too large whatever its values, before it is laid out or queried.
 *
 * @throws NoValueError (FEED_RESULT_TOO_LARGE)
 */
export function assertMayFit(cellCount: number, cures: Message): void {
  if (cellCount * LEAST_CELL_BYTES <= LARGEST_RESULT_BYTES) return;
  throw new NoValueError("FEED_RESULT_TOO_LARGE", msg`${cellCount} cells are more than a formula can show; ${cures}`);
}

function assertFits(cells: readonly (readonly Cell[])[], expectedRows: number, cures: Message): void {
  const sizes = cells.map((row) => row.reduce((length: number, cell) => length + toBytes(cell), 2));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  // Expected rows count with the median size, since one very long name says nothing of the others.
  const usual = sizes.length < expectedRows ? pickMedian(sizes) : 0;
  const expectedBytes = bytes + usual * Math.max(0, expectedRows - sizes.length);
  if (expectedBytes <= LARGEST_RESULT_BYTES) return;
  const size = (expectedBytes / 1e6).toFixed(1);
  throw new NoValueError(
    "FEED_RESULT_TOO_LARGE",
    msg`${expectedRows} rows would be ${size} MB, above what a formula can show; ${cures}`,
  );
}

const pickMedian = (sizes: readonly number[]): number =>
  [...sizes].sort((one, other) => one - other)[Math.floor(sizes.length / 2)] ?? 0;

const NOT_A_NUMBER = new FeedError("FEED_RESPONSE_MALFORMED", msg`the value is no number; report it to the provider`);

/** The approximate size as JSON in UTF-8; text that is not Latin counts up to a quarter too much. */
function toBytes(cell: Cell): number {
  if (typeof cell === "string") return cell.length + 3 + (/^[\x20-\x7e]*$/.test(cell) ? 0 : cell.length * 2);
  if (cell instanceof CustomFunctions.Error) return 200;
  return typeof cell === "object" ? toBytes(JSON.stringify(cell)) : String(cell).length + 1;
}

/** Text is data: it is not parsed, only cut to a cell's length and cleared of characters that XML cannot hold. */
function toText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters a workbook's XML cannot hold
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
  return clean.slice(0, LONGEST_TEXT).replace(/\p{Cs}/gu, ""); // half a surrogate pair, as a cut may leave it
}

/** The error codes that a function can return; any other becomes #VALUE!. */
const OUTPUT_CODES: readonly unknown[] = ["#VALUE!", "#N/A", "#DIV/0!", "#NUM!", "#NULL!"];

function toPassedCode(value: unknown): CustomFunctions.ErrorCode {
  const { basicValue, code } = value as Record<string, unknown>;
  const passed = [basicValue, code].find((each) => OUTPUT_CODES.includes(each));
  return (passed as CustomFunctions.ErrorCode | undefined) ?? CustomFunctions.ErrorCode.invalidValue;
}

/** The supported types of cells besides plain values. */
interface HostAbilities {
  /** Numbers with a format (ExcelApi 1.16, CustomFunctionsRuntime 1.4). */
  formats: boolean;
  /** Numbers with properties, such as their currency (ExcelApi 1.19, CustomFunctionsRuntime 1.4). */
  properties: boolean;
}

/** The same, and the first year of the workbook's date serials. */
export interface Abilities extends HostAbilities {
  /** Whether amounts have formats; default not. */
  amounts?: boolean;
  dateSystem: 1900 | 1904;
}

/** Plain values alone. */
export const PLAIN: Abilities = { formats: false, properties: false, dateSystem: 1900 };

let known: HostAbilities | null = null;

/**
 * The host's abilities, read from Office once; plain values without Office.
 * The namespace of custom functions has no such member, but a shared runtime has Office too,
 * initialised before the first call of a function.
 * Perpetual Excels report ExcelApi 1.16 and 1.17, yet show #VALUE! for each data type of a function:
 * only CustomFunctionsRuntime 1.4 tells (OfficeDev/office-js issues 3504, 4750, 5573).
 */
export function readAbilities(): HostAbilities {
  if (known !== null) return known;
  if (typeof Office === "undefined" || !Office.context?.requirements) return PLAIN;
  const { requirements } = Office.context;
  const hasDataTypes = requirements.isSetSupported("CustomFunctionsRuntime", "1.4");
  const isSupported = (version: string) => hasDataTypes && requirements.isSetSupported("ExcelApi", version);
  known = { formats: isSupported("1.16"), properties: isSupported("1.19") };
  return known;
}

import { FeedError, InternalError, NoValueError } from "../client/errors";
import type { Origin } from "../session/calls";

/** A value as it goes to the host. */
export type Cell = number | string | boolean | CustomFunctions.Error | FormattedNumber | NumberWithProperties;

interface FormattedNumber {
  type: "FormattedNumber";
  basicValue: number;
  numberFormat: string;
}

interface NumberWithProperties {
  type: "Double";
  basicType: "Double";
  basicValue: number;
  properties: Record<string, Property>;
}

type Property =
  | FormattedNumber
  | { type: "Double" | "String"; basicType: "Double" | "String"; basicValue: number | string };

/** What a formula shows. */
export interface Table {
  rows: readonly (readonly unknown[])[];
  /** What a cell was taken from, where its value does not tell. */
  readOrigin?(row: number, column: number): Partial<Origin> | null;
  /** Rows there will be when all have come; one that will not fit is refused as soon as its first rows tell. */
  expected: number;
  /** What makes it smaller; default fewer rows or fields. */
  cures?: string;
}

/** A number with the format in which it is to be read. */
export class Formatted {
  constructor(
    readonly value: number,
    readonly format: string,
  ) {}
}

/** What is known of a figure; what is absent is left out. */
type Fact = string | number | Formatted | null;

/** A value of a company's financials. */
export class Figure {
  constructor(
    readonly value: unknown,
    /** Where it stands in the answer. */
    readonly places: Origin["places"] = [],
  ) {}

  /** What is known of it, read only where it is shown; null where it is shown alone. */
  readFacts(): Readonly<Record<string, Fact>> | null {
    return null;
  }
}

/** A cell's longest text. */
const LONGEST_TEXT = 32_767;

const CURES = "lower top or name fewer fields";
const CURE_OF_PROPERTIES = ", or let numbers carry no properties (a switch of the pane)";

/** The host re-posts and at last drops results above 5 MB; this stays well below. */
const LARGEST_RESULT_BYTES = 1_500_000;

/** An error that another cell already held; it is handed on as it is. */
export class PassedError extends Error {
  constructor(readonly value: unknown) {
    super("an argument is an error");
  }

  /** Whether an argument is an error value, in either form in which hosts hand one over. */
  static isError(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    const { type, code, basicType } = value as Record<string, unknown>;
    return type === "Error" || basicType === "Error" || (typeof code === "string" && code.startsWith("#"));
  }
}

/**
 * Turns what a formula shows into what may leave: rectangular, no null (Excel would show it as 0 inside an
 * array), no NaN, no undefined, no text that is longer than a cell.
 *
 * @param abilities what may be shown besides plain values
 * @throws NoValueError (FEED_RESULT_TOO_LARGE)
 */
export function toCells({ rows, expected, cures = CURES }: Table, abilities: Abilities): Cell[][] {
  // What most formulas show: no single cell is too large, for its text is cut.
  if (rows.length === 1 && expected <= 1 && rows[0]?.length === 1) return [[toCell(rows[0][0], abilities)]];
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 1); // a call has no room for all rows
  const cells = rows.map((row) => Array.from({ length: width }, (_, column) => toCell(row[column], abilities)));
  if (cells.length === 0) return [[""]];
  assertFits(cells, expected, cures + (abilities.properties ? CURE_OF_PROPERTIES : ""));
  return cells;
}

/** Turns one value into a cell. */
export function toCell(value: unknown, abilities: Abilities = PLAIN): Cell {
  if (typeof value === "number") return Number.isFinite(value) ? value : toCellError(NOT_A_NUMBER);
  if (value === null || value === undefined) return "";
  if (value instanceof Figure) return toNumber(value, abilities);
  if (typeof value === "boolean" || value instanceof CustomFunctions.Error) return value;
  if (value instanceof Error) return toCellError(value);
  if (value instanceof Formatted) return abilities.formats ? toFormattedNumber(value) : value.value;
  return toText(typeof value === "string" ? value : JSON.stringify(value));
}

const toFormattedNumber = ({ value, format }: Formatted): FormattedNumber => ({
  type: "FormattedNumber",
  basicValue: value,
  numberFormat: format,
});

function toNumber(figure: Figure, abilities: Abilities): Cell {
  const { value } = figure;
  if (!abilities.properties || typeof value !== "number" || !Number.isFinite(value)) return toCell(value, abilities);
  const facts = figure.readFacts();
  if (facts === null) return value;
  const properties: Record<string, Property> = {};
  for (const [name, fact] of Object.entries(facts)) if (fact !== null) properties[name] = toProperty(fact);
  return { type: "Double", basicType: "Double", basicValue: value, properties };
}

function toProperty(fact: NonNullable<Fact>): Property {
  if (fact instanceof Formatted) return toFormattedNumber(fact);
  if (typeof fact === "number") return { type: "Double", basicType: "Double", basicValue: fact };
  return { type: "String", basicType: "String", basicValue: toText(fact) };
}

/** Turns an error into what a cell shows: the value by its code, the text `CODE: what happened; what to do`. */
export function toCellError(error: unknown): CustomFunctions.Error {
  if (error instanceof PassedError) return new CustomFunctions.Error(toPassedCode(error.value));
  const { cell, code, message } = error instanceof FeedError ? error : new InternalError(error);
  const { invalidValue, notAvailable } = CustomFunctions.ErrorCode;
  return new CustomFunctions.Error(cell === "#VALUE!" ? invalidValue : notAvailable, toText(`${code}: ${message}`));
}

/** An empty text, a comma behind it. */
const LEAST_CELL_BYTES = 3;

/**
 * Refuses a table that is too large whatever it holds, before it is laid out or asked for.
 *
 * @throws NoValueError (FEED_RESULT_TOO_LARGE)
 */
export function assertMayFit(cellCount: number, cures: string): void {
  if (cellCount * LEAST_CELL_BYTES <= LARGEST_RESULT_BYTES) return;
  throw new NoValueError("FEED_RESULT_TOO_LARGE", `${cellCount} cells are more than a formula can show; ${cures}`);
}

function assertFits(cells: readonly (readonly Cell[])[], expectedRows: number, cures: string): void {
  const sizes = cells.map((row) => row.reduce((length: number, cell) => length + toBytes(cell), 2));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  // Rows to come are taken for usual ones: one name of 40,000 letters says nothing of the others.
  const usual = sizes.length < expectedRows ? pickMedian(sizes) : 0;
  const expectedBytes = bytes + usual * Math.max(0, expectedRows - sizes.length);
  if (expectedBytes <= LARGEST_RESULT_BYTES) return;
  const size = (expectedBytes / 1e6).toFixed(1);
  throw new NoValueError(
    "FEED_RESULT_TOO_LARGE",
    `${expectedRows} rows would be ${size} MB, above what a formula can show; ${cures}`,
  );
}

const pickMedian = (sizes: readonly number[]): number =>
  [...sizes].sort((one, other) => one - other)[Math.floor(sizes.length / 2)] ?? 0;

const NOT_A_NUMBER = new FeedError("FEED_RESPONSE_MALFORMED", "the value is no number; report it to the provider");

/** As JSON in UTF-8, near enough: a quarter more for text that is not Latin does no harm. */
function toBytes(cell: Cell): number {
  if (typeof cell === "string") return cell.length + 3 + (/^[\x20-\x7e]*$/.test(cell) ? 0 : cell.length * 2);
  if (cell instanceof CustomFunctions.Error) return 200;
  return typeof cell === "object" ? toBytes(JSON.stringify(cell)) : String(cell).length + 1;
}

/** Text is data: it is neither parsed nor trusted, only cut to a cell's length and freed of what XML cannot hold. */
function toText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters a workbook's XML cannot hold
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
  return clean.slice(0, LONGEST_TEXT).replace(/\p{Cs}/gu, ""); // half a letter, as a cut may leave it
}

/** The codes a function can put out; any other becomes #VALUE!. */
const OUTPUT_CODES: readonly unknown[] = ["#VALUE!", "#N/A", "#DIV/0!", "#NUM!", "#NULL!"];

function toPassedCode(value: unknown): CustomFunctions.ErrorCode {
  const { basicValue, code } = value as Record<string, unknown>;
  const passed = [basicValue, code].find((each) => OUTPUT_CODES.includes(each));
  return (passed as CustomFunctions.ErrorCode | undefined) ?? CustomFunctions.ErrorCode.invalidValue;
}

/** What can be shown in a cell besides plain values. */
export interface Abilities {
  /** Numbers that bring their format (ExcelApi 1.16). */
  formats: boolean;
  /** Numbers that bring properties, such as their currency (ExcelApi 1.19). */
  properties: boolean;
}

/** Where nothing but plain values can be shown. */
export const PLAIN: Abilities = { formats: false, properties: false };

let known: Abilities | null = null;

/**
 * What the host can show, asked of Office once; plain values where there is none.
 * The namespace of custom functions does not tell, but in a shared runtime Office is there too, and is
 * initialised before the first call of a function comes.
 */
export function readAbilities(): Abilities {
  if (known !== null) return known;
  if (typeof Office === "undefined" || !Office.context?.requirements) return PLAIN;
  const isSupported = (version: string) => Office.context.requirements.isSetSupported("ExcelApi", version);
  known = { formats: isSupported("1.16"), properties: isSupported("1.19") };
  return known;
}

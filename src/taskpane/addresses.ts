import type { Place } from "../contract/workbook";

/** A block of cells by its upper left cell, counted from 0. */
export interface Area {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

export const SHEET_ROWS = 1_048_576;
export const SHEET_COLUMNS = 16_384;

/** Parses Excel's reference to a place, such as "'Sales 2024'!$B$3"; the sheet is empty where none is named. */
export function readPlace(reference: string): Place {
  const end = reference.lastIndexOf("!");
  const address = reference.slice(end + 1).replaceAll("$", "");
  const sheet = reference.slice(0, Math.max(end, 0));
  const isQuoted = sheet.startsWith("'") && sheet.endsWith("'");
  return { sheet: isQuoted ? sheet.slice(1, -1).replaceAll("''", "'") : sheet, address };
}

/**
 * Parses the host's address of a formula of this workbook, such as "'[Book.xlsx]Sales 2024'!B3"; null where it
 * names no cell of a sheet.
 */
export function readFormulaPlace(address: string | null): Place | null {
  const place = readPlace(address ?? "");
  const sheet = place.sheet.replace(/^\[[^\]]*\]/, "");
  return sheet === "" ? null : { ...place, sheet };
}

/** Writes a place as a formula refers to it: 'Sales 2024'!B3. */
export function showPlace({ sheet, address }: Place): string {
  // A sheet called "Q1" would be read as a cell.
  const isPlain = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) && !/^([a-z]{1,3}\d+|r\d*c\d*|r|c)$/i.test(sheet);
  return `${isPlain ? sheet : `'${sheet.replaceAll("'", "''")}'`}!${address}`;
}

/** Parses "B3", "B3:D9", "B:D" or "3:9", in any order of corners. */
export function readArea(address: string): Area {
  const [from = "", to = from] = address.split(":");
  const [row, rows] = toSpan(readCorner(from).row, readCorner(to).row, SHEET_ROWS);
  const [column, columns] = toSpan(readCorner(from).column, readCorner(to).column, SHEET_COLUMNS);
  return { row, column, rows, columns };
}

/** Start and length of one side of an area; without ends it is the sheet's side. */
function toSpan(from: number | null, to: number | null, all: number): [start: number, length: number] {
  if (from === null || to === null) return [0, all];
  return [Math.min(from, to), Math.abs(to - from) + 1];
}

/** Writes an area as "B3" or "B3:D9". */
export function toAddress({ row, column, rows, columns }: Area): string {
  const first = `${toLetters(column)}${row + 1}`;
  return rows === 1 && columns === 1 ? first : `${first}:${toLetters(column + columns - 1)}${row + rows}`;
}

/** Cells of a sheet. */
export interface SheetArea extends Area {
  sheet: string;
}

/** Writes where cells are, such as "Model!B3". */
export const showArea = (area: SheetArea) => showPlace({ sheet: area.sheet, address: toAddress(area) });

/** Reads what `showArea` or Excel writes. */
export function readSheetArea(written: string): SheetArea {
  const { sheet, address } = readPlace(written);
  return { sheet, ...readArea(address) };
}

/** Whether an address means whole columns or rows, too many cells to read. */
export function isUnbounded(address: string): boolean {
  return /^(?:[A-Z]+:[A-Z]+|\d+:\d+)$/i.test(address);
}

/** Whether two areas of a sheet have a cell in common. */
export function isTouching(one: Area, other: Area): boolean {
  return (
    one.row < other.row + other.rows &&
    other.row < one.row + one.rows &&
    one.column < other.column + other.columns &&
    other.column < one.column + one.columns
  );
}

/** The smallest area with all cells of some areas. */
export function toWhole(areas: readonly Area[]): Area {
  const [row, column] = [Math.min(...areas.map((area) => area.row)), Math.min(...areas.map((area) => area.column))];
  const rows = Math.max(...areas.map((area) => area.row + area.rows)) - row;
  return { row, column, rows, columns: Math.max(...areas.map((area) => area.column + area.columns)) - column };
}

/** A corner without a row is of whole columns, one without a column of whole rows. */
function readCorner(corner: string): { row: number | null; column: number | null } {
  const [, letters = "", digits = ""] = /^([A-Z]*)(\d*)$/i.exec(corner) ?? [];
  return { row: digits === "" ? null : Number(digits) - 1, column: letters === "" ? null : toColumn(letters) };
}

/** The number of a column, from 0, by its letters. */
function toColumn(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The letters of a column, counted from 0. */
export function toLetters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest === 0 ? "" : toLetters(rest - 1)) + String.fromCharCode(65 + (column % 26));
}

const LONGEST_NAME = 31;

/** Characters that a sheet's name may not contain. */
const FORBIDDEN = /[\\/?*[\]:\p{Cc}]/gu;

/** Names that Excel reserves. */
const RESERVED = ["history", "履歴"];

/** A valid sheet name, with a number where another sheet has the name, letter case aside. */
export function toSheetName(wanted: string, taken: readonly string[]): string {
  const known = new Set([...taken.map(fold), ...RESERVED]);
  const base = toAllowed(wanted) || "FEED";
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const name = `${cut(base, LONGEST_NAME - suffix.length)}${suffix}`;
    if (!known.has(fold(name))) return name;
  }
}

const toAllowed = (name: string) => cut(name.replaceAll(FORBIDDEN, " ").replace(/^[\s']+/, ""), LONGEST_NAME);

const fold = (name: string) => name.toLowerCase();

/** Cuts at a length in UTF-16 units, between characters, and without an apostrophe at the end. */
function cut(name: string, length: number): string {
  return name
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/u, "")
    .replace(/[\s']+$/, "");
}

const PLACES_NAMED = 5;

/** Names the first few places, and whether there are more. */
export function namePlaces(places: readonly Place[]): [named: string, isCut: boolean] {
  return [places.slice(0, PLACES_NAMED).map(showPlace).join(", "), places.length > PLACES_NAMED];
}

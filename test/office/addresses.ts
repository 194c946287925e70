/** A block of cells; rows and columns count from 1, as a person reads them. */
export interface Block {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

/** Reads "B3", "$B$3:D9", "B:D" or "3:9"; null for anything else. */
export function readBlock(address: string): Block | null {
  const match = /^\$?([A-Z]{1,3})?\$?(\d+)?(?::\$?([A-Z]{1,3})?\$?(\d+)?)?$/i.exec(address);
  if (match === null || address === "") return null;
  const [, fromLetters, fromDigits, toLetters = fromLetters, toDigits = fromDigits] = match;
  if (!address.includes(":") && (!fromLetters || !fromDigits)) return null;
  const block = {
    top: fromDigits ? Number(fromDigits) : 1,
    left: fromLetters ? toColumn(fromLetters) : 1,
    bottom: toDigits ? Number(toDigits) : LAST_ROW,
    right: toLetters ? toColumn(toLetters) : LAST_COLUMN,
  };
  return isOnSheet(block) ? block : null;
}

/** Writes a block as Excel does: whole columns and rows without their other side. */
export function showBlock({ top, left, bottom, right }: Block): string {
  if (top === 1 && bottom === LAST_ROW) return `${toLetters(left)}:${toLetters(right)}`;
  if (left === 1 && right === LAST_COLUMN) return `${top}:${bottom}`;
  const first = `${toLetters(left)}${top}`;
  return top === bottom && left === right ? first : `${first}:${toLetters(right)}${bottom}`;
}

/** Writes a sheet's name as formulas do, in quotes where it needs them. */
export function showSheet(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;
}

/** Splits "'My sheet'!B3"; the sheet is null where none stands there. */
export function splitReference(reference: string): { sheet: string | null; address: string } {
  const [, quoted, plain, address = reference] = /^(?:'((?:[^']|'')+)'|([^!']+))!(.*)$/.exec(reference) ?? [];
  return { sheet: quoted?.replaceAll("''", "'") ?? plain ?? null, address };
}

export const isOnSheet = ({ top, left, bottom, right }: Block) =>
  top >= 1 && left >= 1 && bottom <= LAST_ROW && right <= LAST_COLUMN && top <= bottom && left <= right;

/** Whether a block is as tall, or as wide, as the sheet. */
export const isWhole = ({ top, left, bottom, right }: Block, side: "row" | "column") =>
  side === "row" ? top === 1 && bottom === LAST_ROW : left === 1 && right === LAST_COLUMN;

export const countCells = ({ top, left, bottom, right }: Block) => (bottom - top + 1) * (right - left + 1);

export function intersect(one: Block, other: Block): Block | null {
  const block = {
    top: Math.max(one.top, other.top),
    left: Math.max(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
  };
  return isOnSheet(block) ? block : null;
}

function toColumn(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function toLetters(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

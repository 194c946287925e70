/** Cells from one to another, as a reference has them. Rows and columns count from 0. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export const [ROWS, COLUMNS] = [1_048_576, 16_384];

/** Such as "AB" for 27. */
export function toLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : toLetters(Math.floor(column / 26) - 1) + letter;
}

/** Such as 27 for "AB", in capitals or not. */
export function fromLetters(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at++) column = column * 26 + (letters.charCodeAt(at) & 31);
  return column - 1;
}

export const toAddress = (row: number, column: number) => `${toLetters(column)}${row + 1}`;

const ADDRESS = /^\$?([a-z]{1,3})\$?(\d{1,7})$/i;

/** The place of a cell; null for what is no address. */
export function readAddress(address: string): readonly [row: number, column: number] | null {
  const [, letters = "", row = ""] = ADDRESS.exec(address) ?? [];
  const place = [Number(row) - 1, fromLetters(letters)] as const;
  return place[0] >= 0 && place[0] < ROWS && place[1] >= 0 && place[1] < COLUMNS ? place : null;
}

export function toReference({ top, left, bottom, right }: Area): string {
  const start = toAddress(top, left);
  return top === bottom && left === right ? start : `${start}:${toAddress(bottom, right)}`;
}

/** The area of "A1" or "A1:B2"; null for anything else. */
export function readReference(reference: string): Area | null {
  const [start = "", end = start] = reference.split(":");
  const [from, to] = [readAddress(start), readAddress(end)];
  return from && to && { top: from[0], left: from[1], bottom: to[0], right: to[1] };
}

/** The references of cells, such as "A1:A3" for those below each other. */
export function toReferences(cells: readonly { row: number; column: number }[]): string[] {
  const areas: Area[] = [];
  for (const { row, column } of [...cells].sort((one, other) => one.column - other.column || one.row - other.row)) {
    const last = areas.at(-1);
    if (last?.left === column && last.bottom >= row - 1) areas[areas.length - 1] = { ...last, bottom: row };
    else areas.push({ top: row, left: column, bottom: row, right: column });
  }
  return areas.map(toReference);
}

import { type Block, countCells, isOnSheet, readBlock, showBlock, showSheet, splitReference } from "./addresses";
import { HostError } from "./errors";
import { createConditionalFormats } from "./page-layout";
import type { HostObject } from "./requests";
import { type Cell, eachOf, type Sheet } from "./sheet";
import type { ExcelWorkbook } from "./workbook";

export interface RangeObject extends HostObject {
  sheet: Sheet;
  block: Block;
}

/** More cells than fit in any answer: larger ranges are refused before they are written out. */
const MOST_CELLS = 2_000_000;

/** Finds a range by the address given to getRange. @throws HostError if it is no address of this sheet */
export function findRange(book: ExcelWorkbook, sheet: Sheet, reference: string): RangeObject {
  const block = readBlock(splitReference(reference).address);
  if (block === null) throw new HostError("InvalidArgument");
  return createRange(book, sheet, block);
}

/** Creates a range. @throws HostError if it lies beyond the sheet */
export function createRange(book: ExcelWorkbook, sheet: Sheet, block: Block): RangeObject {
  if (!isOnSheet(block)) throw new HostError("InvalidArgument");
  return {
    sheet,
    block,
    read: listReadings(book, sheet, block),
    write: listWritings(sheet, block),
    open: listOpenings(book, sheet, block),
    call: {
      Group: (option: string) => {
        if (option !== "ByColumns") throw new HostError("InvalidArgument"); // the emulation groups columns alone
        sheet.grouped.push(showBlock(block));
      },
      Select: () => {
        if (book.active !== sheet) throw new HostError("InvalidOperation");
        void book.select(`${showSheet(sheet.name)}!${showBlock(block)}`);
      },
      Clear: (what: string) => {
        if (what !== "Contents") throw new HostError("InvalidArgument"); // the emulation clears contents alone
        sheet.clear(block);
      },
      CopyFrom: (source: RangeObject, type: string) => {
        if (type !== "Values" || source.sheet !== sheet || showBlock(source.block) !== showBlock(block)) {
          throw new HostError("InvalidArgument"); // the emulation copies values in place alone
        }
        sheet.freezeValues(block);
      },
      _ValidateArraySize: (rows: number, columns: number) => {
        if (!isSize(block, rows, columns)) throw new HostError("InvalidArgument");
      },
    },
  };
}

function listReadings(book: ExcelWorkbook, sheet: Sheet, block: Block): HostObject["read"] {
  const rows = <T>(read: (cell: Cell) => T) => {
    if (countCells(block) > MOST_CELLS) throw new HostError("ResponsePayloadSizeLimitExceeded");
    const all = eachOf(block).map(([row, column]) => read(sheet.at(row, column)));
    const width = block.right - block.left + 1;
    return Array.from({ length: all.length / width }, (_, row) => all.slice(row * width, (row + 1) * width));
  };
  const readFormula = ({ formula, anchor, value }: Cell) =>
    formula ?? (book.repeatsSpilledFormulas ? anchor?.formula : null) ?? value;
  return {
    Address: () => `${showSheet(sheet.name)}!${showBlock(block)}`,
    Values: () => rows(({ value }) => value),
    ValueTypes: () => rows(({ type }) => type),
    Formulas: () => rows(readFormula),
    FormulasLocal: () =>
      rows((cell) => {
        const formula = readFormula(cell);
        return typeof formula === "string" && formula.startsWith("=") ? book.local.show(formula) : formula;
      }),
    NumberFormat: () => rows(({ format }) => format),
    RowHidden: () => {
      const rows = eachOf({ ...block, right: block.left }).map(([row]) => sheet.hiddenRows.has(row));
      return rows.every((isHidden) => isHidden === rows[0]) ? rows[0] : null;
    },
    HasSpill: () => {
      const spills = rows(({ spill, anchor }) => spill !== null || anchor !== null).flat();
      return spills.every((spill) => spill === spills[0]) ? spills[0] : null;
    },
  };
}

function listWritings(sheet: Sheet, block: Block): HostObject["write"] {
  const each = (given: unknown, act: (row: number, column: number, value: never) => void) => {
    const isBlock = Array.isArray(given);
    if (isBlock && !isSize(block, given.length, (given[0] as unknown[]).length)) throw new HostError("InvalidArgument");
    for (const [row, column] of isBlock || countCells(block) < MOST_CELLS ? eachOf(block) : []) {
      const value = isBlock ? (given as unknown[][])[row - block.top]?.[column - block.left] : given;
      if (value !== null) act(row, column, value as never);
    }
  };
  const enter = (given: unknown) => each(given, (row, column, value) => sheet.enter(row, column, value));
  return {
    Values: enter,
    Formulas: enter,
    NumberFormat: (given) => each(given, (row, column, format) => sheet.format(sheet.at(row, column), format)),
    Style: (given) =>
      each(given, (row, column, style) => {
        sheet.at(row, column).style = style;
      }),
  };
}

function listOpenings(book: ExcelWorkbook, sheet: Sheet, block: Block): HostObject["open"] {
  const { top, left, bottom, right } = block;
  const create = (found: Block | null) => (found === null ? null : createRange(book, sheet, found));
  const isSingle = countCells(block) === 1;
  const cell = () => sheet.at(top, left);
  return {
    GetCell: (row: number, column: number) =>
      create({ top: top + row, left: left + column, bottom: top + row, right: left + column }),
    GetRow: (row: number) => create({ top: top + row, left, bottom: top + row, right }),
    GetResizedRange: (rows: number, columns: number) =>
      create({ top, left, bottom: bottom + rows, right: right + columns }),
    GetBoundingRect: (other: RangeObject) =>
      create({ top, left, bottom: Math.max(bottom, other.block.bottom), right: Math.max(right, other.block.right) }),
    GetUsedRangeOrNullObject: () => create(sheet.usedIn(block)),
    GetSpillingToRangeOrNullObject: () => (isSingle ? create(cell().spill) : null),
    GetSpillParentOrNullObject: () => {
      const { spill, anchor } = cell();
      const parent = spill === null ? anchor : cell();
      const found = eachOf(sheet.usedIn(WHOLE) ?? block).find(([row, column]) => sheet.at(row, column) === parent);
      return !isSingle || found === undefined
        ? null
        : create({ top: found[0], left: found[1], bottom: found[0], right: found[1] });
    },
    Format: () => createFormat(sheet, block),
    ConditionalFormats: () => createConditionalFormats(sheet, block),
  };
}

/** The width of a column in Excel's default font, in points. */
const STANDARD_WIDTH = 48;

function createFormat(sheet: Sheet, block: Block): HostObject {
  const columns = showBlock({ ...block, top: WHOLE.top, bottom: WHOLE.bottom });
  const readWidth = () => sheet.widths[columns] ?? STANDARD_WIDTH;
  return {
    read: { ColumnWidth: readWidth, UseStandardWidth: () => readWidth() === STANDARD_WIDTH },
    write: {
      ColumnWidth: (points: number) => {
        if (sheet.isWidthProtected) throw new HostError("AccessDenied");
        sheet.widths[columns] = points;
      },
      HorizontalAlignment: (alignment: string) => {
        for (const [row, column] of eachOf(block)) sheet.at(row, column).alignment = alignment;
      },
    },
  };
}

const isSize = ({ top, left, bottom, right }: Block, rows: number, columns: number) =>
  rows === bottom - top + 1 && columns === right - left + 1;

export const WHOLE: Block = { top: 1, left: 1, bottom: 1_048_576, right: 16_384 };

/** Several areas of a sheet, such as a selection. */
export function createAreas(book: ExcelWorkbook, sheet: Sheet, blocks: readonly Block[]): HostObject {
  const areas: HostObject = { items: () => blocks.map((block) => createRange(book, sheet, block)) };
  return { open: { Areas: () => areas } };
}

import type { Copied, CopyStep, Frozen, Place, Scope, Thawed } from "../../contract/workbook";
import { readsCells } from "../formula-text";
import { finishInSlices, type Steps } from "../slices";
import { checkUnchanged, createFault, inExcel, WAITING, type Where } from "./excel-run";
import { type FoundCell, findFeedCells, isErrorCode, toFeedCell } from "./feed-cells";
import { hasEqualShown, persistRecord, replaceRecord, toRecord, withShown } from "./frozen-record";
import { type Change, type Contents, lookAt, makeAll, readContents, toChanges } from "./ranges";
import { findFrozen, thawCells } from "./thawing";
import { isFormulaLike, TEXT_FORMAT } from "./writing";

/** Replaces FEED formulas by their values; formulas without a value stay. */
export function freeze(scope: Scope, expected?: readonly Place[]): Promise<Frozen> {
  return inExcel(async (context, where) => {
    const found = await findFeedCells(context, scope);
    checkUnchanged(found, expected);
    return freezeCells(context, where, found, toRecordId());
  });
}

/** A record's id, part of its hidden names. */
export const toRecordId = () => crypto.randomUUID().slice(0, 8);

/** Freezes cells. @param id of the record that persists their formulas */
export async function freezeCells(
  context: Excel.RequestContext,
  where: Where,
  found: readonly FoundCell[],
  id: string,
): Promise<Frozen> {
  const readSheets = () => readContents(context, new Set(found.map(({ sheet }) => sheet)));
  const contents = await readSheets();
  const { left, settled } = await finishInSlices(divide(found, contents));
  const changes = toChanges(settled);
  if (changes.length > 0) {
    const cells = changes.flatMap((change) => change.cells);
    // The file stores the formulas before the first is replaced, so that a crash loses none.
    const stored = await persistRecord(context, await finishInSlices(toRecord(id, cells, contents)));
    await writeValues(context, where, changes, contents);
    // Values that arrived during the writing are what the cells show now.
    const record = await finishInSlices(withShown(stored.record, await readSheets()));
    const isSame = record.cells.every((cell, index) => hasEqualShown(cell, stored.record.cells[index]));
    if (!isSame) await replaceRecord(context, stored, record);
  }
  return {
    formulas: found.length - left.length,
    left: left.map(toFeedCell),
  };
}

/** Divides cells into those that show a value and those that do not, or would come back uncertain; a cell a step. */
function* divide(
  found: readonly FoundCell[],
  contents: ReadonlyMap<string, Contents>,
): Steps<Record<"left" | "settled", FoundCell[]>> {
  const left: FoundCell[] = [];
  const settled: FoundCell[] = [];
  for (const cell of found) {
    const { values } = lookAt(contents, { sheet: cell.sheet, ...cell.filled });
    (isUnsettled(values) || (cell.isDead && readsCells(cell.formula)) ? left : settled).push(cell);
    yield;
  }
  return { left, settled };
}

function isUnsettled(values: unknown[][]): boolean {
  return values.flat().includes("#BUSY!") || values.flat().every(isErrorCode);
}

/** Excel's own pasting of values parses nothing, and keeps formats such as a date's. */
async function writeValues(
  context: Excel.RequestContext,
  where: Where,
  changes: readonly Change<FoundCell>[],
  contents: ReadonlyMap<string, Contents>,
): Promise<void> {
  await makeAll(context, where, changes, (range, change) => {
    lookAt(contents, { sheet: change.sheet, ...change.area }).values.forEach((row, r) => {
      row.forEach((value, c) => {
        if (isFormulaLike(value)) range.getCell(r, c).numberFormat = [[TEXT_FORMAT]];
      });
    });
    range.copyFrom(range, "Values");
  });
}

/** Opens a copy of the workbook with values only; all formulas are frozen while Excel provides the file. */
export async function copyValues(notify: (step: CopyStep) => void): Promise<Copied> {
  const id = toRecordId();
  const { frozen, file, thawed } = await readFrozen(id, notify);
  notify("opening");
  await inExcel(() => Excel.createWorkbook(file));
  return { left: frozen.left, changed: thawed.left };
}

async function readFrozen(
  id: string,
  notify: (step: CopyStep) => void,
): Promise<{ frozen: Frozen; file: string; thawed: Thawed }> {
  let read: { frozen: Frozen; file: string };
  try {
    notify("freezing");
    const frozen = await inExcel(async (context, where) =>
      freezeCells(context, where, await findFeedCells(context, "workbook"), id),
    );
    notify("reading");
    read = { frozen, file: await readFile() };
  } catch (error) {
    await thawRecord(id);
    throw error;
  }
  notify("thawing");
  return { ...read, thawed: await thawRecord(id) };
}

/** Thaws one record; cells that the person froze before stay frozen. */
const thawRecord = (id: string): Promise<Thawed> =>
  inExcel(
    async (context, where) =>
      thawCells(context, where, await findFrozen(context), ({ stored }) => stored.record.id === id),
    {},
    WAITING,
  );

/** The workbook's file in base64. */
async function readFile(): Promise<string> {
  const file = await callOffice<Office.File>((done) =>
    Office.context.document.getFileAsync(Office.FileType.Compressed, done),
  );
  try {
    const slices: string[] = [];
    for (let index = 0; index < file.sliceCount; index += 1) {
      const { data } = await callOffice<Office.Slice>((done) => file.getSliceAsync(index, done));
      slices.push(toBinary(data));
    }
    return btoa(slices.join(""));
  } finally {
    file.closeAsync(() => {}); // Excel provides no third copy while two are open
  }
}

function callOffice<T>(call: (done: (result: Office.AsyncResult<T>) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call(({ status, value, error }) => {
      if (status === Office.AsyncResultStatus.Failed) reject(createFault("refused", error.message));
      else resolve(value);
    });
  });
}

/** A safe number of arguments for one call. */
const MOST_BYTES = 8_192;

function toBinary(bytes: number[]): string {
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += MOST_BYTES) {
    pieces.push(String.fromCharCode(...bytes.slice(from, from + MOST_BYTES)));
  }
  return pieces.join("");
}

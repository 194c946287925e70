import type { Copied, CopyStep, Frozen, Place, Scope, Thawed } from "../../contract/workbook";
import { type Contents, checkConfirmed, divide, lookAt } from "../frozen-cells";
import { finishInSlices } from "../slices";
import { createFault, inExcel, WAITING, type Where } from "./excel-run";
import { type FoundCell, findFeedCells, toFeedCell } from "./feed-cells";
import { createRecord, persistRecord, replaceRecord, withShown } from "./frozen-record";
import { type Change, makeAll, readContents, toChanges } from "./ranges";
import { findFrozen, thawCells } from "./thawing";
import { isFormulaLike, TEXT_FORMAT } from "./writing";

/** Replaces FEED formulas by their values; formulas without a value stay. */
export function freeze(scope: Scope, expected?: readonly Place[]): Promise<Frozen> {
  return inExcel(async (context, where) => {
    const found = await findFeedCells(context, scope);
    checkConfirmed(found, expected);
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
    const stored = await persistRecord(context, await finishInSlices(createRecord(id, cells, contents)));
    await writeValues(context, where, changes, contents);
    // Values that arrived during the writing are what the cells show now.
    const record = await finishInSlices(withShown(stored.record, await readSheets()));
    const isSame = record.cells.every(({ shown }, index) => shown === stored.record.cells[index]?.shown);
    if (!isSame) await replaceRecord(context, stored, record);
  }
  return {
    formulas: found.length - left.length,
    left: left.map(toFeedCell),
  };
}

/** Excel's own pasting of values parses nothing, and keeps formats such as a date's. */
async function writeValues(
  context: Excel.RequestContext,
  where: Where,
  changes: readonly Change<FoundCell>[],
  contents: Contents,
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
    async (context, where) => {
      const { found, contents } = await findFrozen(context);
      const own = found.filter(({ record }) => record?.stored.record.id === id);
      return thawCells(context, where, { found: own, contents }, () => true);
    },
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

import type { Copied, CopyStep, Frozen, Thawed } from "../../contract/workbook";
import { createFault, inExcel, WAITING } from "./excel-run";
import { findFeedCells } from "./feed-cells";
import { freezeCells, toRecordId } from "./freezing";
import { findFrozen, thawCells } from "./thawing";

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

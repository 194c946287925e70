import { type Area, isTouching, readPlace, showPlace } from "../addresses";
import { finishInSlices, mapInSteps, nextTask, type Steps } from "../slices";
import { type FoundCell, isErrorCode } from "./feed-cells";
import { type Contents, lookAt, readSheetArea, type SheetArea, showArea } from "./ranges";
import { isFollowingRow, listReferences, type RelativeFormula, toMeaning, toRelative } from "./relative-formulas";

/** Fingerprints of a frozen cell's values and labels. */
interface Fingerprints {
  shown: string;
  /**
   * The labels of its row, where a sort could change them: texts and years; records of the version before say whether
   * all numbers count or none. Their text is absent where a formula of the add-in gives it.
   */
  labels?: { area: number; hasNumbers?: boolean; shown: string; text?: string };
}

/** A frozen formula in the file, with the indexes of its area and formula. */
export interface PersistedFormula extends Fingerprints {
  area: number;
  formula: number;
}

/** The formulas of one freezing. */
interface FrozenRecord {
  version: 2;
  /** Part of the hidden names. */
  id: string;
  /** The areas that hidden names follow, by index; null for a name that is no longer needed. */
  areas: (string | null)[];
  formulas: RelativeFormula[];
  cells: PersistedFormula[];
}

/** Makes the record of formulas before they are frozen, a formula a step. */
export function* toRecord(
  id: string,
  found: readonly FoundCell[],
  contents: ReadonlyMap<string, Contents>,
): Steps<FrozenRecord> {
  const areas = createNumbering<string>((area) => area);
  const formulas = createNumbering<RelativeFormula>(JSON.stringify);
  const isFilled = createRowIndex(found);
  const read = yield* mapInSteps(found, ({ sheet, own, filled, formula }) => {
    const spot = { sheet, ...own };
    return { spot, filled: { sheet, ...filled }, formula: toRelative(formula, spot) };
  });
  const isFree = yield* findFree(read);
  const cells = yield* mapInSteps(read, (each): PersistedFormula => {
    for (const area of listReferences(each.formula, each.spot)) areas.toNumber(showArea(area));
    const numbers = { area: areas.toNumber(showArea(each.filled)), formula: formulas.toNumber(each.formula) };
    const label = isFree(each) ? null : findLabel(contents, each.filled);
    if (label === null) return { ...numbers, shown: "" };
    const own = { area: areas.toNumber(showArea(label.area)), shown: "" };
    return { ...numbers, shown: "", labels: isFilled(label.area) ? own : { ...own, text: label.text } };
  });
  return yield* withShown({ version: 2, id, areas: areas.all, formulas: formulas.all, cells }, contents);
}

/** Tells whether formulas fill any of a row's cells. */
function createRowIndex(found: readonly FoundCell[]): (area: SheetArea) => boolean {
  const rows = new Map<string, Area[]>();
  for (const { sheet, filled } of found) {
    for (let row = filled.row; row < filled.row + filled.rows; row++) {
      const key = JSON.stringify([sheet, row]);
      if (!rows.get(key)?.push(filled)) rows.set(key, [filled]);
    }
  }
  return (area) => (rows.get(JSON.stringify([area.sheet, area.row])) ?? []).some((filled) => isTouching(filled, area));
}

const isText = (value: unknown) => typeof value === "string" && value !== "" && !isErrorCode(value);
const isYear = (value: unknown) => Number.isInteger(value) && Number(value) >= 1900 && Number(value) <= 2100;

function readLabels(values: unknown[][], hasNumbers?: boolean): unknown[] {
  const isNumber = (value: unknown) => typeof value === "number" && (hasNumbers ?? isYear(value));
  return values.flat().filter((value) => isText(value) || isNumber(value));
}

/** Finds the texts and years in front of a formula, or else after it; null without any. */
export function findLabel(
  contents: ReadonlyMap<string, Contents>,
  area: SheetArea,
): { area: SheetArea; text: string } | null {
  const { whole, values } = contents.get(area.sheet) ?? { whole: area, values: [] };
  const line = values[area.row - whole.row] ?? [];
  const labels = line.flatMap((value, column) => (isText(value) || isYear(value) ? [whole.column + column] : []));
  const inFront = labels.filter((column) => column < area.column);
  const columns = inFront.length > 0 ? inFront : labels.filter((column) => column >= area.column + area.columns);
  const [first, last] = [columns[0], columns.at(-1)];
  if (first === undefined || last === undefined) return null;
  const place = { sheet: area.sheet, row: area.row, rows: 1, column: first, columns: last - first + 1 };
  return { area: place, text: columns.map((column) => line[column - whole.column]).join(" ") };
}

/** Numbers items in order; equal items share a number. */
function createNumbering<T>(toKey: (each: T) => string) {
  const numbers = new Map<string, number>();
  const all: T[] = [];
  const toNumber = (each: T) => {
    const key = toKey(each);
    const number = numbers.get(key) ?? all.push(each) - 1;
    numbers.set(key, number);
    return number;
  };
  return { all, toNumber };
}

interface ReadFormula {
  spot: SheetArea;
  formula: RelativeFormula;
}

/** Finds the formulas that a sort cannot separate from their row: their column's formulas differ only by row. */
function* findFree(read: readonly ReadFormula[]): Steps<(each: ReadFormula) => boolean> {
  const columns = new Map<string, { meanings: Set<string>; formulas: number }>();
  const toColumn = ({ spot }: ReadFormula) => JSON.stringify([spot.sheet, spot.column]);
  for (const each of read) {
    const { meanings, formulas } = columns.get(toColumn(each)) ?? { meanings: new Set(), formulas: 0 };
    columns.set(toColumn(each), { meanings: meanings.add(toMeaning(each.formula, each.spot)), formulas: formulas + 1 });
    yield;
  }
  return (each) => {
    const { meanings, formulas } = columns.get(toColumn(each)) ?? { meanings: new Set(), formulas: 0 };
    return meanings.size === 1 && (formulas > 1 || isFollowingRow(each.formula));
  };
}

/** A record with the fingerprints of its cells, before any has moved; a cell a step. */
export function* withShown(record: FrozenRecord, contents: ReadonlyMap<string, Contents>): Steps<FrozenRecord> {
  const look = (area: number) => lookAt(contents, readSheetArea(record.areas[area] as string)).values;
  const withFingerprints = (cell: PersistedFormula) => ({ ...cell, ...toFingerprints(cell, look) });
  return { ...record, cells: yield* mapInSteps(record.cells, withFingerprints) };
}

/** Whether two sets of fingerprints are of equal values and labels. */
export const hasEqualShown = (one: Fingerprints, other: Fingerprints | undefined) =>
  one.shown === other?.shown && one.labels?.shown === other.labels?.shown;

/** The present fingerprints of a cell and its row's labels. @param look reads an area's values by its index */
export function toFingerprints({ area, labels }: PersistedFormula, look: (area: number) => unknown[][]): Fingerprints {
  const shown = toFingerprint(look(area));
  if (labels === undefined) return { shown };
  return { shown, labels: { ...labels, shown: toFingerprint(readLabels(look(labels.area), labels.hasNumbers)) } };
}

/** Identifies values by a hash, so that no provider data is stored out of sight. */
function toFingerprint(value: unknown[]): string {
  let hash = 0x811c9dc5;
  for (const letter of JSON.stringify(value)) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** A record without some cells and their areas, a cell a step. */
export function* withoutCells(record: FrozenRecord, isOver: (cell: PersistedFormula) => boolean): Steps<FrozenRecord> {
  const cells = record.cells.filter((cell) => !isOver(cell));
  const needed = new Set<string>();
  for (const cell of cells) {
    for (const area of listNeeded(record, cell)) needed.add(area);
    yield;
  }
  return { ...record, cells, areas: record.areas.map((area) => (area !== null && needed.has(area) ? area : null)) };
}

/** The areas of a cell, of its labels, and of what its formula refers to. */
function listNeeded({ areas, formulas }: FrozenRecord, { area, formula, labels }: PersistedFormula): string[] {
  const own = areas[area] as string;
  const referred = listReferences(formulas[formula] ?? [], readSheetArea(own)).map(showArea);
  return [own, ...referred, ...(labels === undefined ? [] : [areas[labels.area] as string])];
}

/** The parts of the file that hold records. */
const NAMESPACE = "urn:feed-for-excel:frozen-formulas";

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function toXml(record: FrozenRecord): string {
  const text = JSON.stringify(record).replace(/[&<>]/g, (letter) => ESCAPED[letter] as string);
  return `<frozen xmlns="${NAMESPACE}">${text}</frozen>`;
}

/** Reads a part, which is parsed as XML and then as JSON, each in a task of its own; null for an unknown format. */
async function readXml(xml: string): Promise<FrozenRecord | null> {
  try {
    await nextTask(); // the host's answer has come in this one
    const text = new DOMParser().parseFromString(xml, "text/xml").documentElement.textContent ?? "";
    await nextTask();
    const record = JSON.parse(text) as FrozenRecord;
    return record.version === 2 ? record : null;
  } catch {
    return null;
  }
}

/** A record that the workbook holds. */
interface StoredRecord {
  part: Excel.CustomXmlPart;
  record: FrozenRecord;
}

/** A record with the present places of its areas; null for deleted cells. */
export interface PlacedRecord extends StoredRecord {
  places: (SheetArea | null)[];
}

/** Names that are added, read or deleted in one request. */
const MOST_NAMES = 1_000;

const toName = ({ id }: FrozenRecord, number: number) => `_FEED_frozen_${id}_${number}`;

/** Persists a record in the file, with a hidden name that follows each area. */
export async function persistRecord(context: Excel.RequestContext, record: FrozenRecord): Promise<StoredRecord> {
  const { workbook } = context;
  const stored = { part: workbook.customXmlParts.add(toXml(record)), record };
  await context.sync();
  try {
    for (const areas of toGroups(listAreas(record))) {
      for (const { number, area } of areas)
        workbook.names.add(toName(record, number), toReference(area)).visible = false;
      await context.sync();
    }
  } catch (error) {
    const nothing = await finishInSlices(withoutCells(record, () => true));
    await replaceRecord(context, stored, nothing).catch(() => {}); // the first error says more
    throw error;
  }
  return stored;
}

/** Replaces a record, and deletes the hidden names of areas that it no longer has. */
export async function replaceRecord(
  context: Excel.RequestContext,
  { part, record: before }: StoredRecord,
  record: FrozenRecord,
): Promise<void> {
  if (record.cells.length === 0) part.delete();
  else part.setXml(toXml(record));
  await context.sync();
  const dropped = listAreas(before).filter(({ number }) => record.areas[number] === null);
  for (const areas of toGroups(dropped)) {
    const names = areas.map(({ number }) => findName(context, before, number).load("name"));
    await context.sync();
    for (const name of names) if (!name.isNullObject) name.delete();
    await context.sync();
  }
}

/** All records of the workbook, the latest first. */
export async function readRecords(context: Excel.RequestContext): Promise<PlacedRecord[]> {
  const parts = context.workbook.customXmlParts.getByNamespace(NAMESPACE).load("items/id");
  await context.sync();
  const texts = parts.items.map((part) => ({ part, xml: part.getXml() }));
  await context.sync();
  const placed: PlacedRecord[] = [];
  for (const { part, xml } of texts.reverse()) {
    const record = await readXml(xml.value);
    if (record !== null) placed.push({ part, record, places: record.areas.map(() => null) });
  }
  const followed = placed.flatMap(({ record, places }) =>
    listAreas(record).map(({ number }) => ({ record, places, number })),
  );
  for (const some of toGroups(followed)) {
    const found = some.map((each) => ({ ...each, name: findName(context, each.record, each.number).load("formula") }));
    await context.sync();
    for (const { name, places, number } of found)
      places[number] = name.isNullObject ? null : readReference(name.formula);
  }
  return placed;
}

/** A text, not a range: Excel tracks each range that an add-in holds. */
function toReference(area: string): string {
  const { sheet, address } = readPlace(area);
  return `=${showPlace({ sheet, address: address.replace(/[A-Z]+|\d+/g, "$$$&") })}`;
}

const readReference = (reference: string) => (reference.includes("#REF!") ? null : readSheetArea(reference.slice(1)));

const listAreas = ({ areas }: FrozenRecord) =>
  areas.flatMap((area, number) => (area === null ? [] : [{ number, area }]));

const findName = ({ workbook }: Excel.RequestContext, record: FrozenRecord, number: number) =>
  workbook.names.getItemOrNullObject(toName(record, number));

function toGroups<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / MOST_NAMES) }, (_, group) =>
    all.slice(group * MOST_NAMES, (group + 1) * MOST_NAMES),
  );
}

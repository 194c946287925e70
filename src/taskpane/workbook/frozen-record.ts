import { readPlace, readSheetArea, type SheetArea, showArea, showPlace } from "../addresses";
import { type Contents, type FilledCell, type Mark, toMarks, toShown } from "../frozen-cells";
import { listReferences } from "../references";
import { finishInSlices, mapInSteps, nextTask, type Steps } from "../slices";

/** A frozen formula in the file, as it was in its cell, with the indexes of the areas of its cells and of its labels. */
export interface PersistedFormula extends Omit<Mark, "labels"> {
  area: number;
  formula: string;
  labels?: number;
}

/** The formulas of one freezing. */
interface FrozenRecord {
  version: 3;
  /** Part of the hidden names. */
  id: string;
  /** As of `FrozenCell`. */
  frozenAtMs?: number;
  /** The areas that hidden names follow, by index; null for a name that is no longer needed. */
  areas: (string | null)[];
  cells: PersistedFormula[];
}

/** Makes the record of formulas before they are frozen, a formula a step. */
export function* createRecord(id: string, found: readonly FilledCell[], contents: Contents): Steps<FrozenRecord> {
  const marks = yield* toMarks(found, contents);
  const numbers = new Map<string, number>();
  const toNumber = (area: SheetArea) => {
    const key = showArea(area);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  const cells = yield* mapInSteps(found, ({ sheet, filled, formula }, index): PersistedFormula => {
    const { labels, ...mark } = marks[index] as Mark;
    for (const area of listReferences(formula, sheet)) toNumber(area);
    const persisted = { ...mark, area: toNumber({ sheet, ...filled }), formula };
    return labels ? { ...persisted, labels: toNumber(labels) } : persisted;
  });
  return { version: 3, id, frozenAtMs: Date.now(), areas: [...numbers.keys()], cells };
}

/** A record with what its cells show now, before any has moved; a cell a step. */
export function* withShown(record: FrozenRecord, contents: Contents): Steps<FrozenRecord> {
  const find = (number: number) => readSheetArea(record.areas[number] as string);
  const cells = yield* mapInSteps(record.cells, (cell) => {
    const labels = cell.labels === undefined ? undefined : find(cell.labels);
    return { ...cell, shown: toShown(contents, { at: find(cell.area), labels }) };
  });
  return { ...record, cells };
}

/** A record without some cells and their areas, a cell a step. */
export function* withoutCells(record: FrozenRecord, isOver: (cell: PersistedFormula) => boolean): Steps<FrozenRecord> {
  const cells = record.cells.filter((cell) => !isOver(cell));
  const needed = new Set<string>();
  for (const { area, labels = area, formula } of cells) {
    const own = record.areas[area] as string;
    const referred = listReferences(formula, readPlace(own).sheet).map(showArea);
    for (const each of [own, record.areas[labels] as string, ...referred]) needed.add(each);
    yield;
  }
  return { ...record, cells, areas: record.areas.map((area) => (area !== null && needed.has(area) ? area : null)) };
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
    return record.version === 3 ? record : null;
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

/** All records of the workbook, the earliest first. */
export async function readRecords(context: Excel.RequestContext): Promise<PlacedRecord[]> {
  const parts = context.workbook.customXmlParts.getByNamespace(NAMESPACE).load("items/id");
  await context.sync();
  const texts = parts.items.map((part) => ({ part, xml: part.getXml() }));
  await context.sync();
  const placed: PlacedRecord[] = [];
  for (const { part, xml } of texts) {
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

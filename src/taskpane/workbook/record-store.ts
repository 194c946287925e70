import { readPlace, showPlace } from "../addresses";
import { finishInSlices } from "../slices";
import { type FrozenRecord, NAMESPACE, readXml, toXml, withoutCells } from "./frozen-record";
import { readSheetArea, type SheetArea } from "./ranges";

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

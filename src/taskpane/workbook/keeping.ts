import { readArea, readPlace, toAddress } from "../addresses";
import { KEPT_NAMESPACE, type KeptRecord, readXml, toXml } from "./kept/record";
import type { SheetArea } from "./kept/templates";

/** What the workbook keeps of formulas that were frozen at once. */
export interface Kept {
  part: Excel.CustomXmlPart;
  record: KeptRecord;
}

/** The same with where its blocks and what they refer to are now; null where those cells were deleted. */
export interface PlacedRecord extends Kept {
  blocks: (SheetArea | null)[];
  references: (SheetArea | null)[];
}

/** Names that are added, read or deleted in one request. */
const MOST_NAMES = 500;

const toName = ({ id }: KeptRecord, number: number) => `_FEED_frozen_${id}_${number}`;

const listPlaces = ({ blocks, references }: KeptRecord): SheetArea[] => [...blocks, ...references];

/** Has the workbook keep formulas in a part of its file, and follow their cells by names that nobody sees. */
export async function keep(context: Excel.RequestContext, record: KeptRecord): Promise<Kept> {
  const { workbook } = context;
  const kept = { part: workbook.customXmlParts.add(toXml(record)), record };
  await context.sync();
  const places = listPlaces(record);
  try {
    for (let from = 0; from < places.length; from += MOST_NAMES) {
      places.slice(from, from + MOST_NAMES).forEach((place, index) => {
        const range = workbook.worksheets.getItem(place.sheet).getRange(toAddress(place));
        workbook.names.add(toName(record, from + index), range).visible = false;
      });
      await context.sync();
    }
  } catch (error) {
    await forget(context, kept).catch(() => {}); // the first error tells more
    throw error;
  }
  return kept;
}

/** Has the workbook keep other formulas of the same cells. */
export async function rewrite(context: Excel.RequestContext, { part }: Kept, record: KeptRecord): Promise<void> {
  part.setXml(toXml(record));
  await context.sync();
}

/** Has the workbook forget formulas, and no longer follow their cells. */
export async function forget(context: Excel.RequestContext, { part, record }: Kept): Promise<void> {
  part.delete();
  for (const names of listNames(context, record)) {
    for (const name of names) name.load("name");
    await context.sync();
    for (const name of names) if (!name.isNullObject) name.delete();
  }
  await context.sync();
}

/** All that the workbook keeps, the latest first. */
export async function readKept(context: Excel.RequestContext): Promise<PlacedRecord[]> {
  const parts = context.workbook.customXmlParts.getByNamespace(KEPT_NAMESPACE).load("items/id");
  await context.sync();
  const texts = parts.items.map((part) => ({ part, xml: part.getXml() }));
  await context.sync();
  const placed: PlacedRecord[] = [];
  for (const { part, xml } of texts.reverse()) {
    const record = readXml(xml.value);
    if (record === null) continue;
    const places = await readPlaces(context, record);
    const [blocks, references] = [places.slice(0, record.blocks.length), places.slice(record.blocks.length)];
    placed.push({ part, record, blocks, references });
  }
  return placed;
}

async function readPlaces(context: Excel.RequestContext, record: KeptRecord): Promise<(SheetArea | null)[]> {
  const places: (SheetArea | null)[] = [];
  for (const names of listNames(context, record)) {
    const ranges = names.map((name) => name.getRangeOrNullObject().load("address"));
    await context.sync();
    for (const range of ranges) places.push(range.isNullObject ? null : toPlace(range.address));
  }
  return places;
}

function toPlace(written: string): SheetArea {
  const { sheet, address } = readPlace(written);
  return { sheet, ...readArea(address) };
}

/** The names of a record, in groups that travel together. */
function listNames({ workbook }: Excel.RequestContext, record: KeptRecord): Excel.NamedItem[][] {
  const { length } = listPlaces(record);
  return Array.from({ length: Math.ceil(length / MOST_NAMES) }, (_, group) =>
    Array.from({ length: Math.min(MOST_NAMES, length - group * MOST_NAMES) }, (_, index) =>
      workbook.names.getItemOrNullObject(toName(record, group * MOST_NAMES + index)),
    ),
  );
}

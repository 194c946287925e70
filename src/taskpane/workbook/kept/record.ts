import type { CellValue } from "../../../contract/workbook";
import type { FoundCell } from "../feed-cells";
import type { Change } from "../ranges";
import { joinAreas, joinColumns } from "./moves";
import { listAreas, type SheetArea, type Template, toTemplate } from "./templates";

/** Cells that were frozen beside one another, or one formula with all that it spilled over. */
export interface KeptBlock extends SheetArea {
  isSpill: boolean;
  /** Of each cell, row by row, the number of its template; null where none is kept (any more). A spill has one. */
  formulas: (number | null)[][];
  /** What each cell showed, in short; a spill has one mark for all. */
  marks: string[][];
  /** What tells each of its rows, where it matters which row a formula stands in. */
  tells?: string[];
}

/** The formulas that were frozen at once. */
export interface KeptRecord {
  version: 1;
  /** Part of the names by which the workbook follows the blocks and what they refer to. */
  id: string;
  templates: Template[];
  blocks: KeptBlock[];
  references: SheetArea[];
}

/** A change with what its cells show. */
export interface ShownChange extends Change<FoundCell> {
  values: CellValue[][];
}

/** What is kept of formulas that are about to be frozen. */
export function toRecord(id: string, changes: readonly ShownChange[]): KeptRecord {
  const templates = new Map<string, { number: number; template: Template }>();
  const areas: SheetArea[] = [];
  const toNumber = (formula: string, cell: SheetArea) => {
    const template = toTemplate(formula, cell);
    areas.push(...listAreas(template, cell));
    const key = JSON.stringify(template);
    const known = templates.get(key) ?? { number: templates.size, template };
    templates.set(key, known);
    return known.number;
  };
  const blocks = changes.map(({ sheet, area, cells, values }): KeptBlock => {
    const formulas = cells.map(({ formula, own }) => [toNumber(formula, { sheet, ...own })]);
    const isSpill = isSpilled(area, cells.length);
    return {
      sheet,
      ...area,
      isSpill,
      formulas,
      marks: isSpill ? [[toMark(values)]] : values.map((row) => row.map(toMark)),
    };
  });
  const spills = blocks.filter(({ isSpill }) => isSpill);
  const columns = blocks.filter(({ isSpill }) => !isSpill);
  return {
    version: 1,
    id,
    templates: [...templates.values()].map(({ template }) => template),
    blocks: [...joinColumns(columns, unite), ...spills],
    references: joinAreas(areas),
  };
}

export const isSpilled = ({ rows, columns }: Change<FoundCell>["area"], cells: number) => rows * columns !== cells;

function unite(one: KeptBlock, other: KeptBlock): KeptBlock {
  return {
    ...one,
    columns: one.columns + other.columns,
    formulas: one.formulas.map((row, r) => [...row, ...(other.formulas[r] ?? [])]),
    marks: one.marks.map((row, r) => [...row, ...(other.marks[r] ?? [])]),
  };
}

/** Tells values apart without keeping them: what a provider says is not stored where nobody sees it. */
export function toMark(value: unknown): string {
  let hash = 0x811c9dc5;
  for (const letter of JSON.stringify(value)) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** What is left of a record without some cells; null where that is nothing. */
export function withoutCells(record: KeptRecord, isOver: (block: number, row: number, column: number) => boolean) {
  const blocks = record.blocks.map((block, index) => ({
    ...block,
    formulas: block.formulas.map((row, r) => row.map((each, c) => (isOver(index, r, c) ? null : each))),
  }));
  const isEmpty = blocks.every(({ formulas }) => formulas.flat().every((each) => each === null));
  return isEmpty ? null : { ...record, blocks };
}

/** Under which the workbook's parts are known to be ours. */
export const KEPT_NAMESPACE = "urn:feed-for-excel:frozen-formulas";

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

export function toXml(record: KeptRecord): string {
  const text = JSON.stringify(record).replace(/[&<>]/g, (letter) => ESCAPED[letter] as string);
  return `<frozen xmlns="${KEPT_NAMESPACE}">${text}</frozen>`;
}

/** Reads a part; null where it is none that this version writes. */
export function readXml(xml: string): KeptRecord | null {
  try {
    const text = new DOMParser().parseFromString(xml, "text/xml").documentElement.textContent ?? "";
    const record = JSON.parse(text) as KeptRecord;
    return record.version === 1 ? record : null;
  } catch {
    return null;
  }
}

import type { CellValue } from "../../contract/workbook";
import { type Area, toAddress } from "../addresses";
import { listCalls } from "../formula-text";
import { type FoundCell, readShownFormula } from "./feed-cells";
import { type PlacedRecord, readKept } from "./keeping";
import { alignLines, type Line } from "./kept/alignment";
import { createMove, type Followed, type Move } from "./kept/moves";
import { type KeptBlock, toMark } from "./kept/record";
import { type Beside, findRows, isShuffled } from "./kept/tells";
import { type SheetArea, showTemplate } from "./kept/templates";
import { toRows } from "./ranges";
import { type LookBeside, readBeside } from "./row-tells";

/** What has become of a frozen cell. */
type State =
  /** It shows what was frozen. */
  | "frozen"
  /** It or what its formula refers to has changed, or cannot be told any more. */
  | "changed"
  /** It holds a FEED formula again, or never lost it. */
  | "stale"
  /** It was deleted. */
  | "gone";

/** A cell whose formula the workbook keeps. */
export interface KeptCell extends FoundCell {
  state: State;
  kept: PlacedRecord;
  /** Where in the record it is: the number of its block, and row and column in that. */
  at: readonly [block: number, row: number, column: number];
  /** What it and all that it spilled over show now. */
  values: readonly (readonly unknown[])[];
}

interface Contents {
  values: unknown[][];
  formulas: unknown[][];
}

/** All cells whose formulas the workbook keeps, each once: what was kept last counts. */
export async function findKept(context: Excel.RequestContext): Promise<KeptCell[]> {
  const seen = new Set<string>();
  const found: KeptCell[] = [];
  for (const kept of await readKept(context)) {
    const contents = await readContents(context, kept.blocks);
    const told = kept.blocks.filter((now, index) => now !== null && kept.record.blocks[index]?.tells !== undefined);
    const { look } = await readBeside(context, told as SheetArea[]);
    const lines = kept.record.blocks.map((block, index) =>
      toFollowed(block, kept.blocks[index], contents[index], look),
    );
    const references = kept.record.references.map((before, index) => ({ before, now: kept.references[index] ?? null }));
    const move = createMove([...lines, ...references]);
    const cells = lines.flatMap((followed, index) => listCells(kept, index, followed, contents[index], move));
    for (const cell of cells) {
      found.push(isPlaced(cell) && seen.has(toKey(cell)) ? { ...cell, state: "stale" } : cell);
    }
    for (const cell of cells.filter(isPlaced)) seen.add(toKey(cell));
  }
  return found;
}

/** Whether it is known which cell it is now: one that is lost somewhere in its block takes no other one's place. */
const isPlaced = ({ state, own }: KeptCell) => state !== "gone" && own.rows === 1 && own.columns === 1;

const toKey = ({ sheet, own }: KeptCell) => JSON.stringify([sheet, own]);

async function readContents(
  context: Excel.RequestContext,
  blocks: readonly (SheetArea | null)[],
): Promise<(Contents | undefined)[]> {
  const contents: (Contents | undefined)[] = blocks.map(() => undefined);
  const used = blocks.flatMap((whole, index) =>
    whole === null ? [] : [{ index, whole, sheet: context.workbook.worksheets.getItem(whole.sheet) }],
  );
  for (const rows of toRows(used)) {
    for (const { block } of rows) block.load("values, formulas");
    await context.sync();
    for (const { index, block } of rows) {
      const { values = [], formulas = [] } = contents[index] ?? {};
      contents[index] = { values: [...values, ...block.values], formulas: [...formulas, ...block.formulas] };
    }
  }
  return contents;
}

/** Where a block's rows and columns are now: with others among them, what they show tells. */
function toFollowed(
  before: KeptBlock,
  now: SheetArea | null = null,
  contents?: Contents,
  look: LookBeside = () => [],
): Followed {
  if (now === null || contents === undefined) return { before, now };
  if (before.isSpill) return { before, now, rows: findToldSpill(before, look(now)) };
  const marks = contents.values.map((row) => row.map(toMark));
  const isAligned = now.rows === before.rows || now.columns === before.columns;
  const toLines = (one: string[][], other: string[][]) =>
    isAligned ? alignLines(one.map(join), other.map(join)) : one.map((): Line => "unknown");
  return {
    before,
    now,
    rows: before.tells === undefined ? toLines(before.marks, marks) : findTold(before, before.tells, marks, look(now)),
    columns: toLines(transpose(before.marks), transpose(marks)),
  };
}

/** Where the rows of a block are now that are told by what stands beside them. */
function findTold(
  { marks }: KeptBlock,
  tells: readonly string[],
  shown: string[][],
  beside: readonly Beside[],
): Line[] {
  const before = marks.map((row, index) => ({ tell: tells[index] ?? "", shown: join(row) }));
  return findRows(
    before,
    beside.map((each, index) => ({ ...each, shown: join(shown[index] ?? []) })),
  );
}

/** A spill stays where it is: nothing is known of it once another row is there. */
function findToldSpill({ tells }: KeptBlock, [first]: readonly Beside[]): Line[] | undefined {
  const [tell] = tells ?? [];
  return tell === undefined || tell === first?.texts || tell === first?.all ? undefined : ["unknown"];
}

const join = (line: readonly string[]) => line.join();

const transpose = (rows: readonly string[][]): string[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as string));

/** Judges the cells of a block. */
function listCells(
  kept: PlacedRecord,
  number: number,
  followed: Followed,
  contents: Contents | undefined,
  move: Move,
): KeptCell[] {
  const { templates, blocks } = kept.record;
  const block = blocks[number] as KeptBlock;
  const isLost = block.tells !== undefined && isShuffled(followed.rows ?? [], followed.now?.rows ?? 0);
  return block.formulas.flatMap((row, r) =>
    row.flatMap((template, c) => {
      if (template === null) return [];
      const from = { sheet: block.sheet, row: block.row + r, column: block.column + c };
      const { area, state } = findArea(block, followed, r, c);
      const kind = templates[template] ?? [];
      // What a formula refers to does not come along when a person sorts.
      const formula = isLost && kind.length > 1 ? null : showTemplate(kind, from, area, move);
      const look = takeContents(contents, followed.now, area);
      const isSame =
        formula !== null && toMark(block.isSpill ? look.values : look.values[0]?.[0]) === block.marks[r]?.[c];
      return {
        sheet: area.sheet,
        address: toAddress(state === null ? toFirst(area) : area),
        formula: formula ?? showTemplate(kind, from, from, (same) => same) ?? "",
        value: (look.values[0]?.[0] ?? null) as CellValue,
        own: state === null ? toFirst(area) : area,
        filled: area,
        values: look.values,
        state: state ?? toState(look, isSame),
        kept,
        at: [number, r, c] as const,
      };
    }),
  );
}

/** Where a cell is now, with all that it spilled over; all of its block, and what became of it, where that is not known. */
function findArea(
  block: KeptBlock,
  { now, rows, columns }: Followed,
  r: number,
  c: number,
): { area: SheetArea; state: "gone" | "changed" | null } {
  if (now === null) return { area: block, state: "gone" };
  if (rows === undefined || columns === undefined) return { area: now, state: rows === undefined ? null : "changed" };
  const [row, column] = [rows[r], columns[c]];
  if (typeof row === "number" && typeof column === "number") {
    return { area: { sheet: now.sheet, row: now.row + row, column: now.column + column, ...SINGLE }, state: null };
  }
  if (row === "unknown" && typeof column === "number" && rows.length === now.rows && !rows.includes(r)) {
    return { area: { sheet: now.sheet, row: now.row + r, column: now.column + column, ...SINGLE }, state: "changed" };
  }
  return { area: now, state: row === "gone" || column === "gone" ? "gone" : "changed" };
}

const SINGLE = { rows: 1, columns: 1 };

const toFirst = ({ row, column }: Area): Area => ({ row, column, ...SINGLE });

function takeContents(contents: Contents | undefined, now: SheetArea | null, area: SheetArea): Contents {
  if (contents === undefined || now === null) return { values: [], formulas: [] };
  const take = (rows: unknown[][]) =>
    rows
      .slice(area.row - now.row, area.row - now.row + area.rows)
      .map((row) => row.slice(area.column - now.column, area.column - now.column + area.columns));
  return { values: take(contents.values), formulas: take(contents.formulas) };
}

function toState({ values, formulas }: Contents, isSame: boolean): State {
  const written = formulas.map((row, r) => row.map((each, c) => readShownFormula(each, values[r]?.[c])));
  const first = written[0]?.[0] ?? null;
  if (first !== null) return listCalls(first).length > 0 ? "stale" : "changed";
  return isSame && written.flat().every((each) => each === null) ? "frozen" : "changed";
}

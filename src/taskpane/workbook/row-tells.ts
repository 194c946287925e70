import type { Area } from "../addresses";
import type { KeptRecord } from "./kept/record";
import { type Beside, listTied, toBeside, toTells } from "./kept/tells";
import type { SheetArea } from "./kept/templates";
import { toArea, toRows } from "./ranges";

/** What stands beside an area, row by row. */
export type LookBeside = (area: SheetArea) => Beside[];

/** Everything that a sheet shows. */
interface Shown {
  whole: Area;
  values: unknown[][];
}

/** Has every block whose formulas are tied to their rows keep what tells those. */
export async function withTells(context: Excel.RequestContext, record: KeptRecord): Promise<KeptRecord> {
  const tied = listTied(record);
  const { look, lookAll } = await readBeside(context, [...tied]);
  const blocks = record.blocks.map((block) =>
    tied.has(block) ? { ...block, tells: toTells(look(block).slice(0, block.formulas.length), lookAll(block)) } : block,
  );
  return { ...record, blocks };
}

/** Reads the sheets of some areas, to look at what stands beside these, and beside all that is above and below them. */
export async function readBeside(
  context: Excel.RequestContext,
  areas: readonly SheetArea[],
): Promise<{ look: LookBeside; lookAll: LookBeside }> {
  const shown = await readShown(context, [...new Set(areas.map(({ sheet }) => sheet))]);
  const known = new Map<string, Beside[]>();
  const lookAll = ({ sheet, column, columns }: SheetArea) => {
    const { whole, values } = shown.get(sheet) ?? { whole: { column: 0 }, values: [] };
    const key = JSON.stringify([sheet, column, columns]);
    const before = column - whole.column;
    const beside = known.get(key) ?? values.map((line) => toBeside(line, before, before + columns));
    known.set(key, beside);
    return beside;
  };
  const look = (area: SheetArea) => {
    const first = area.row - (shown.get(area.sheet)?.whole.row ?? 0);
    return Array.from({ length: area.rows }, (_, row) => lookAll(area)[first + row] ?? { texts: "", all: "" });
  };
  return { look, lookAll };
}

async function readShown(context: Excel.RequestContext, sheets: readonly string[]): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>();
  if (sheets.length === 0) return shown;
  const asked = sheets.map((name) => {
    const sheet = context.workbook.worksheets.getItem(name);
    return { name, sheet, range: sheet.getUsedRangeOrNullObject(true).load("address") };
  });
  await context.sync();
  const used = asked.flatMap(({ range, ...each }) => (range.isNullObject ? [] : [{ ...each, whole: toArea(range) }]));
  for (const rows of toRows(used)) {
    for (const { block } of rows) block.load("values");
    await context.sync();
    for (const { name, whole, block } of rows) {
      shown.set(name, { whole, values: [...(shown.get(name)?.values ?? []), ...block.values] });
    }
  }
  return shown;
}

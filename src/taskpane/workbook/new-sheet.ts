import type { CellStyle, SheetPlan } from "../../contract/workbook";
import { toExcelContent, toFormat } from "./cell-contents";
import { createFault, inExcel } from "./excel-run";
import { drawChart } from "./sheet-chart";
import { toSheetName } from "./sheet-names";

/** Excel's own cell styles: they follow the workbook's theme, and people know inputs by its input style. */
const STYLES: Readonly<Record<CellStyle, `${Excel.BuiltInStyle}`>> = {
  title: "SheetTitle",
  note: "ExplanatoryText",
  label: "Normal",
  input: "Input",
  heading: "Heading3",
  numberHeading: "Heading3",
  section: "Heading4",
};

/** Adds a sheet, whole or not at all. */
export function addSheet(plan: SheetPlan): Promise<string> {
  return inExcel(async (context) => {
    const { worksheets, protection } = context.workbook;
    worksheets.load("items/name");
    protection.load("protected");
    await context.sync();
    // Excel has more than one code for a sheet that may not be added, and none that says why.
    if (protection.protected) throw createFault("protected", "the structure of the workbook is protected");
    const name = toSheetName(
      plan.name,
      worksheets.items.map((sheet) => sheet.name),
    );
    const sheet = worksheets.add(name);
    await context.sync();
    try {
      await fill(context, sheet, plan);
    } catch (error) {
      sheet.delete();
      await context.sync().catch(() => {}); // the first error tells more
      throw error;
    }
    return name;
  });
}

async function fill(context: Excel.RequestContext, sheet: Excel.Worksheet, plan: SheetPlan): Promise<void> {
  dress(sheet, plan);
  for (const { at, content } of plan.cells) {
    const cell = sheet.getRange(at);
    const format = toFormat(content);
    if (format !== null) cell.numberFormat = [[format]];
    cell.formulas = [[toExcelContent(content)]];
  }
  // After the cells, whose texts would else take the place of a format that was planned.
  for (const { range, format } of plan.formats) setAll(sheet.getRange(range), format);
  if (plan.chart !== undefined) await drawChart(context, sheet, plan.chart);
  sheet.activate();
  sheet.getRange(plan.selected).select();
  await context.sync();
}

function dress(sheet: Excel.Worksheet, { styles, widths, frozenRows }: SheetPlan): void {
  for (const { range, style } of styles) {
    const styled = sheet.getRange(range);
    styled.style = STYLES[style];
    if (style === "numberHeading") styled.format.horizontalAlignment = "Right";
  }
  for (const [column, characters] of Object.entries(widths)) {
    sheet.getRange(`${column}:${column}`).format.columnWidth = toPoints(characters);
  }
  if (frozenRows > 0) sheet.freezePanes.freezeRows(frozenRows);
}

/** A single value stands for every cell of the range, which the types do not know. */
function setAll(range: Excel.Range, format: string): void {
  range.numberFormat = format as unknown as string[][];
}

/** Of Excel's usual font a character is 7 pixels wide, a cell has 5 more, and a pixel is 3/4 of a point. */
const toPoints = (characters: number) => (characters * 7 + 5) * 0.75;

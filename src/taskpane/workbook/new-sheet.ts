import type { CellStyle, ChartPlan, RuleStyle, SheetPlan } from "../../contract/workbook";
import { toSheetName } from "../addresses";
import { createFault, inExcel } from "./excel-run";
import { toExcelContent, toFormat, toPoints } from "./writing";

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

/** Adds a sheet completely or not at all. */
export function addSheet(plan: SheetPlan): Promise<string> {
  return inExcel(async (context) => {
    const { worksheets, protection } = context.workbook;
    worksheets.load("items/name");
    protection.load("protected");
    await context.sync();
    // Excel's codes for a refused sheet give no reason.
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
      await context.sync().catch(() => {}); // the first error says more
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
  // After the cells, since their text format would replace a planned one.
  for (const { range, format } of plan.formats) setAll(sheet.getRange(range), format);
  finish(sheet, plan);
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

/** Fills a cell, with a font that is legible on it in any theme. */
const toFill = (fill: string, font: string) => (format: Excel.ConditionalRangeFormat) => {
  format.fill.color = fill;
  format.font.color = font;
};

const RULE_STYLES: Readonly<Record<RuleStyle, (format: Excel.ConditionalRangeFormat) => void>> = {
  part(format) {
    format.font.bold = true;
    format.fill.color = "#DCE9F5";
    format.font.color = "#12324D";
  },
  subtotal(format) {
    format.font.bold = true;
    format.borders.getItem("EdgeTop").style = "Continuous";
  },
  missing(format) {
    format.font.color = "#7A828E";
  },
  up(format) {
    format.font.color = "#0B6A3B";
  },
  down(format) {
    format.font.color = "#B42318";
  },
  fresh(format) {
    format.font.color = "#1F3FBF";
  },
  hot: toFill("#F2A65A", "#3B1F00"),
  warm: toFill("#FBE3C6", "#3B1F00"),
  cool: toFill("#DCE9F5", "#12324D"),
  cold: toFill("#A9CBE8", "#12324D"),
};

function addRule(sheet: Excel.Worksheet, { range, formula, style }: SheetPlan["rules"][number]) {
  const added = sheet.getRange(range).conditionalFormats.add("Custom");
  added.custom.rule.formula = formula;
  RULE_STYLES[style](added.custom.format);
  return added;
}

/** Adds rules to a sheet; what removes them leaves those that the person has removed. */
export async function addRules(name: string, rules: SheetPlan["rules"]): Promise<() => Promise<void>> {
  const [sheetId, ids] = await inExcel(async (context) => {
    const sheet = context.workbook.worksheets.getItem(name).load("id");
    const added = rules.map((rule) => addRule(sheet, rule).load("id"));
    await context.sync();
    return [sheet.id, added.map(({ id }) => id)];
  });
  const remove = (id: string) =>
    inExcel(async (context) => {
      context.workbook.worksheets.getItem(sheetId).getRange().conditionalFormats.getItem(id).delete();
      await context.sync();
    });
  return async () => {
    for (const id of ids) await remove(id).catch(() => {});
  };
}

/** Adds the outline, conditional formats and the page layout. */
function finish(sheet: Excel.Worksheet, { grouped, rules, headingRow, printed }: SheetPlan): void {
  for (const column of grouped) sheet.getRange(`${column}:${column}`).group("ByColumns");
  for (const rule of rules) addRule(sheet, rule);
  const { pageLayout } = sheet;
  pageLayout.setPrintArea(printed);
  pageLayout.setPrintTitleRows(`${headingRow}:${headingRow}`);
  pageLayout.orientation = "Landscape";
  pageLayout.zoom = { horizontalFitToPages: 1, verticalFitToPages: 0 };
}

/** A single value stands for every cell of the range, which the types do not know. */
function setAll(range: Excel.Range, format: string): void {
  range.numberFormat = format as unknown as string[][];
}

/** The gap between bars, as a percentage of their width. */
const GAP = 45;

/** Draws a bar chart of one series, the first row on top. */
async function drawChart(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  { title, categories, values, at }: ChartPlan,
): Promise<void> {
  const chart = sheet.charts.add("BarClustered", sheet.getRange(values), "Columns");
  chart.series.load("items/name");
  await context.sync();
  // Excel guesses a number of series from the present values; deleted from the last, since indexes move up.
  for (const guessed of [...chart.series.items].reverse()) guessed.delete();
  const series = chart.series.add(title);
  series.setValues(sheet.getRange(values));
  series.setXAxisValues(sheet.getRange(categories));
  series.gapWidth = GAP;
  chart.title.text = title;
  chart.legend.visible = false;
  chart.axes.categoryAxis.reversePlotOrder = true;
  chart.axes.valueAxis.majorGridlines.visible = false;
  const [from = at, to = from] = at.split(":");
  chart.setPosition(from, to);
}

import type { ChartPlan } from "../../contract/workbook";

/** The gap between bars, as a percentage of their width. */
const GAP = 45;

/** Draws a bar chart of one series, the first row on top. */
export async function drawChart(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  { title, categories, values, at }: ChartPlan,
): Promise<void> {
  const chart = sheet.charts.add("BarClustered", sheet.getRange(values), "Columns");
  chart.series.load("items/name");
  await context.sync();
  // How many series Excel guesses depends on whether the values have come already; from the last, for indexes move up.
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

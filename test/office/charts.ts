import { showBlock, showSheet } from "./addresses";
import { HostError } from "./errors";
import type { RangeObject } from "./ranges";
import { createRecorder } from "./recorder";
import type { HostObject } from "./requests";
import type { Chart, Series, Sheet } from "./sheet";

export function createCharts(sheet: Sheet): HostObject {
  return {
    open: {
      Add: (type: string, source: RangeObject) => {
        if (sheet.isProtected) throw new HostError("AccessDenied");
        const chart: Chart = { type, place: "", set: {}, series: guessSeries(source) };
        sheet.charts.push(chart);
        return createChart(chart, `chart-${sheet.charts.length}`);
      },
      "": (id: string) => {
        const chart = sheet.charts[Number(id.replace("chart-", "")) - 1];
        if (chart === undefined) throw new HostError("ItemNotFound");
        return createChart(chart, id);
      },
    },
  };
}

function createChart(chart: Chart, id: string): HostObject {
  const axis = (name: string) => createRecorder(chart.set, `Axes.${name}`, ["MajorGridlines"]);
  const axes: HostObject = { open: { CategoryAxis: () => axis("CategoryAxis"), ValueAxis: () => axis("ValueAxis") } };
  return {
    id,
    open: {
      Title: () => createRecorder(chart.set, "Title"),
      Legend: () => createRecorder(chart.set, "Legend"),
      Axes: () => axes,
      Series: () => createSeriesCollection(chart),
    },
    call: {
      SetPosition: (from: string, to: string) => {
        chart.place = `${from}:${to}`;
      },
    },
  };
}

function createSeriesCollection(chart: Chart): HostObject {
  return {
    items: () => chart.series.map((series) => createSeries(chart, series)),
    open: {
      GetItemAt: (index: number) => {
        const series = chart.series[index];
        if (series === undefined) throw new HostError("ItemNotFound");
        return createSeries(chart, series);
      },
      Add: (name: string) => {
        chart.series.push({ name, values: "", categories: "", set: {} });
        return createSeries(chart, chart.series.at(-1)!);
      },
    },
  };
}

function createSeries(chart: Chart, series: Series): HostObject {
  return {
    read: { Name: () => series.name },
    write: createRecorder(series.set, "").write,
    call: {
      Delete: () => void chart.series.splice(chart.series.indexOf(series), 1),
      SetValues: (range: RangeObject) => {
        series.values = showRange(range);
      },
      SetXAxisValues: (range: RangeObject) => {
        series.categories = showRange(range);
      },
    },
  };
}

/** Excel creates no series from empty cells; for others its documents do not say how many, so this makes two. */
function guessSeries({ sheet, block }: RangeObject): Series[] {
  if (sheet.usedIn(block) === null) return [];
  return ["Series1", "Series2"].map((name) => ({ name, values: "guessed", categories: "", set: {} }));
}

const showRange = ({ sheet, block }: RangeObject) => `${showSheet(sheet.name)}!${showBlock(block)}`;

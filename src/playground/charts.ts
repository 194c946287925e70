import { registries } from "@odoo/o-spreadsheet";
import { Component } from "@odoo/owl";
import { _adapters, BarController, BarElement, Chart, registerables, Tooltip } from "chart.js";

Chart.register(...registerables);
// The engine expects what a script tag would leave: one global, with the parts it builds upon as its properties.
Object.assign(globalThis, { Chart: Object.assign(Chart, { _adapters, BarController, BarElement, Tooltip }) });

/** Kinds that the engine offers, and that Chart.js draws only with further packages. */
const KINDS_NOT_DRAWN = ["treemap", "geo"];

class ChartNotDrawn extends Component {
  static override template = "playground-ChartNotDrawn";
  static override props = ["*"];
}

// Chart.js would throw, and the engine would take the whole grid away.
for (const kind of KINDS_NOT_DRAWN) registries.chartComponentRegistry.replace(kind, ChartNotDrawn);

import { type Model, registries, Spreadsheet, stores } from "@odoo/o-spreadsheet";
import { type Compiled, templates as engineTemplates, written } from "@odoo/o-spreadsheet/dist/o_spreadsheet.xml";
import { App, Component, onError, status, useExternalListener, useState } from "@odoo/owl";
import { _adapters, BarController, BarElement, Chart, registerables, Tooltip } from "chart.js";
import { templates as ownTemplates } from "./templates.xml";

const { ComposerFocusStore, useStoreProvider } = stores;
const DARK = "(prefers-color-scheme: dark)";

/** The engine's component, in the colour scheme that the person's system asks for. */
class SpreadsheetView extends Component<{ model: Model; end: () => void }> {
  static override template = "playground-Spreadsheet";
  static components = { Spreadsheet };
  static override props = { model: Object, end: Function };

  theme = { scheme: readScheme() };
  stores!: ReturnType<typeof useStoreProvider>;

  override setup() {
    // biome-ignore lint/correctness/useHookAtTopLevel: Owl's hooks belong into setup.
    this.theme = useState(this.theme);
    // biome-ignore lint/correctness/useHookAtTopLevel: as above; the engine takes the stores that it finds.
    this.stores = useStoreProvider();
    onError((error) => {
      if (status(this) !== "mounted") throw error;
      // biome-ignore lint/suspicious/noConsole: handled here, so that Owl does not name it any more.
      console.error(error);
      this.props.end();
    });
    // biome-ignore lint/correctness/useHookAtTopLevel: as above.
    useExternalListener(matchMedia(DARK), "change", () => {
      this.theme.scheme = readScheme();
    });
  }
}

function readScheme(): "dark" | "light" {
  return matchMedia(DARK).matches ? "dark" : "light";
}

// Also of the apps that the engine makes itself: the page's policy forbids compiling code, and the build has compiled all.
for (const each of Object.entries({ ...engineTemplates, ...ownTemplates })) App.registerTemplate(...each);
App.prototype._compileTemplate = (name, template) => {
  const compiled: Compiled | undefined = written.get(String(template));
  if (compiled === undefined) throw new Error(`The build has not compiled the template "${name}".`);
  return compiled;
};

/** A workbook that is shown. */
export type ShownWorkbook = Awaited<ReturnType<typeof showWorkbook>>;

/** @param onEnd called where an error ends the engine later, so that it is to be hidden; the workbook is unharmed */
export async function showWorkbook(model: Model, target: HTMLElement, onEnd: () => void) {
  target.replaceChildren();
  const app = new App(SpreadsheetView, { props: { model, end: onEnd } });
  const view = await app.mount(target);
  return {
    /** Whether somebody is writing into a cell. */
    isEditing: () => view.stores.get(ComposerFocusStore).activeComposer.editionMode !== "inactive",
    hide: () => app.destroy(),
  };
}

Chart.register(...registerables);
// The engine expects one global, with the used parts as its properties, as a script tag would set it.
Object.assign(globalThis, { Chart: Object.assign(Chart, { _adapters, BarController, BarElement, Tooltip }) });

/** Chart kinds of the engine that need further packages of Chart.js. */
const KINDS_NOT_DRAWN = ["treemap", "geo"];

class ChartNotDrawn extends Component {
  static override template = "playground-ChartNotDrawn";
  static override props = ["*"];
}

// Otherwise Chart.js throws, and the engine unmounts the whole grid.
for (const kind of KINDS_NOT_DRAWN) registries.chartComponentRegistry.replace(kind, ChartNotDrawn);

import { type Model, Spreadsheet, stores } from "@odoo/o-spreadsheet";
import templates from "@odoo/o-spreadsheet/dist/o_spreadsheet.xml";
import { App, Component, useState, xml } from "@odoo/owl";
import "./charts";

const { ComposerFocusStore, useStoreProvider } = stores;
const DARK = "(prefers-color-scheme: dark)";

/** The engine's component, in the colour scheme that the person's system asks for. */
class SpreadsheetView extends Component<{ model: Model }> {
  static override template = xml`<Spreadsheet model="props.model" colorScheme="theme.scheme"/>`;
  static components = { Spreadsheet };
  static override props = { model: Object };

  theme = { scheme: readScheme() };
  stores!: ReturnType<typeof useStoreProvider>;

  override setup() {
    // biome-ignore lint/correctness/useHookAtTopLevel: Owl's hooks belong into setup.
    this.theme = useState(this.theme);
    // biome-ignore lint/correctness/useHookAtTopLevel: as above; the engine takes the stores that it finds.
    this.stores = useStoreProvider();
    matchMedia(DARK).addEventListener("change", () => {
      this.theme.scheme = readScheme();
    });
  }
}

function readScheme(): "dark" | "light" {
  return matchMedia(DARK).matches ? "dark" : "light";
}

/** A workbook that is shown. */
export interface ShownWorkbook {
  /** Whether somebody is writing into a cell. */
  isEditing(): boolean;
  hide(): void;
}

export async function showWorkbook(model: Model, target: HTMLElement): Promise<ShownWorkbook> {
  const app = new App(SpreadsheetView, { props: { model }, templates });
  const view = await app.mount(target);
  return {
    isEditing: () => view.stores.get(ComposerFocusStore).activeComposer.editionMode !== "inactive",
    hide: () => app.destroy(),
  };
}

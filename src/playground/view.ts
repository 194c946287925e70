import { type Model, Spreadsheet } from "@odoo/o-spreadsheet";
import templates from "@odoo/o-spreadsheet/dist/o_spreadsheet.xml";
import { App, Component, useState, xml } from "@odoo/owl";
import "./charts";

const DARK = "(prefers-color-scheme: dark)";

/** The engine's component, in the colour scheme that the person's system asks for. */
class SpreadsheetView extends Component<{ model: Model }> {
  static override template = xml`<Spreadsheet model="props.model" colorScheme="theme.scheme"/>`;
  static components = { Spreadsheet };
  static override props = { model: Object };

  theme = { scheme: readScheme() };

  override setup() {
    // biome-ignore lint/correctness/useHookAtTopLevel: Owl's hooks belong into setup.
    this.theme = useState(this.theme);
    matchMedia(DARK).addEventListener("change", () => {
      this.theme.scheme = readScheme();
    });
  }
}

function readScheme(): "dark" | "light" {
  return matchMedia(DARK).matches ? "dark" : "light";
}

/** Shows a workbook in an element; gives what takes it away again. */
export async function showWorkbook(model: Model, target: HTMLElement): Promise<() => void> {
  const app = new App(SpreadsheetView, { props: { model }, templates });
  await app.mount(target);
  return () => app.destroy();
}

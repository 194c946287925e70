import type { Page } from "playwright-core";
import type { HostSide } from "./bridge";

const FRAME = "pane";

/**
 * Opens the pane of a workbook that has just been opened: its page runs in a frame without a place on the screen.
 *
 * @param address of the add-in's page; the page around it stands for Excel's own, at the same origin
 */
export function createClosedPane(page: Page, host: HostSide, address: string) {
  const body = `<!doctype html><title>Excel</title><style>body{margin:0}iframe{width:100vw;height:100vh;border:0}</style>
    <iframe id="${FRAME}" src="${address}" style="display:none"></iframe>`;
  const surroundings = new URL("/excel.html", address).href;
  const setStyle = (style: string) =>
    page.locator(`#${FRAME}`).evaluate((frame, value) => frame.setAttribute("style", value), style);
  const notify = () => host.notifyVisibility("Visible");
  return {
    /** Gives the frame a style: none shows it. */
    setStyle,
    /** Only notifies the add-in. */
    notify,
    async open() {
      await page.route(surroundings, (route) => route.fulfill({ contentType: "text/html", body }));
      await page.goto(surroundings);
    },
    /** Hides the pane as Excel does, with an event. */
    async hide() {
      await setStyle("display:none");
      await host.notifyVisibility("Hidden");
    },
    /** Shows the pane as Excel does: in its place, and with an event. */
    async show() {
      await setStyle("");
      await notify();
    },
  };
}

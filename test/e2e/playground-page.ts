import type { Browser, BrowserContext, Download, Frame, Page } from "playwright-core";
import type { Playground } from "../../src/playground/playground";
import type { CellView } from "../../src/playground/workbook";
import { waitForStatus, waitUntilConnected } from "../support/pane-page";

declare global {
  interface Window {
    playground: Playground;
  }
}

/**
 * Opens the playground and waits until it is ready; uncaught errors are collected.
 * @param browser Gives the page a profile of its own; a context keeps its own look.
 * @param script Runs in the page before its own scripts.
 */
export async function openPlayground(
  browser: Browser | BrowserContext,
  address: string,
  colorScheme: "light" | "dark" = "light",
  script = "",
): Promise<{ page: Page; errors: string[] }> {
  const look = { viewport: { width: 1440, height: 900 }, colorScheme };
  const page = "contexts" in browser ? await browser.newPage(look) : await browser.newPage();
  page.setDefaultTimeout(15_000);
  await page.emulateMedia({ reducedMotion: "reduce" }); // so that nothing waits for the end of an animation
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.addInitScript(script);
  await page.goto(address);
  await page.evaluate(() => window.playground.ready);
  return { page, errors };
}

/** Opens the demo on the companion's sample data and waits until it is filled. */
export async function openDemo(
  browser: Browser,
  origin: string,
  { query = "" } = {},
): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPlayground(browser, `${origin}/playground.html${query}`);
  await waitForDemo(opened.page);
  return opened;
}

export async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.evaluate(() => window.playground.ready);
}

/** Starts the pane's page anew, as Excel does for each workbook, and waits until it is connected. */
export async function reloadPane(page: Page): Promise<void> {
  const frame = pane(page);
  const navigated = page.waitForEvent("framenavigated", (each) => each === frame);
  await frame.evaluate(() => location.reload());
  await navigated;
  await waitUntilConnected(frame);
}

/** Chooses a command of the menu of workbooks. */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  await page.click("#workbooks summary");
  await page.click(`#workbooks-list >> text=${name}`);
}

export const waitUntilSaved = (page: Page): Promise<void> =>
  page.locator("#save-state", { hasText: /^Saved in this browser \d\d:\d\d/ }).waitFor();

export const waitForName = (page: Page, name: string) =>
  page.waitForFunction((wanted) => document.getElementById("workbook-name")?.textContent === wanted, name);

/** Replaces the open workbook by a saved one. */
export const openWorkbook = (page: Page, saved: object): Promise<void> =>
  page.evaluate((snapshot) => window.playground.load(snapshot), saved);

/** Refreshes all formulas by the strip, waits until the pane has said so, and closes its notices. */
export async function refreshAll(page: Page): Promise<void> {
  await page.locator("header").getByRole("button", { name: "Refresh all", exact: true }).click();
  await waitForStatus(pane(page), /changed\./);
  for (const button of await pane(page).getByRole("button", { name: "Close", exact: true }).all()) await button.click();
}

/** Waits until no cell of the demo is busy or in error. */
export async function waitForDemo(page: Page): Promise<void> {
  await page.evaluate(() => window.playground.ready); // after a reload
  await page.waitForFunction(
    () =>
      window.playground.get("Ranking!A30").value === 25 &&
      ["Model!A1:H36", "Ranking!A1:I30"]
        .flatMap((range) => window.playground.range(range).flat())
        .every((value) => !String(value).startsWith("#")),
    undefined,
    { timeout: 20_000 },
  );
}

/** Replaces the workbook by an empty sheet with room for the longest ranking. */
export async function clearWorkbook(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { version } = window.playground.save();
    await window.playground.load({ version, sheets: [{ id: "empty", name: "Empty", colNumber: 26, rowNumber: 5000 }] });
  });
}

/** Enters texts into cells as one command. */
export const type = (page: Page, ...entries: [cell: string, text: string][]): Promise<void> =>
  page.evaluate((all) => window.playground.setMany(all), entries);

export const read = (page: Page, cell: string): Promise<CellView> =>
  page.evaluate((reference) => window.playground.get(reference), cell);

export const readRange = (page: Page, range: string): Promise<CellView["value"][][]> =>
  page.evaluate((reference) => window.playground.range(reference), range);

export async function waitFor(page: Page, cell: string, value: CellView["value"]): Promise<void> {
  await page.waitForFunction(([reference, expected]) => window.playground.get(reference).value === expected, [
    cell,
    value,
  ] as const);
}

/** Waits until a cell shows a value, then gives it. */
export async function readSettled(page: Page, cell: string, timeoutMs = 10_000): Promise<CellView> {
  await page.waitForFunction(
    (reference) => ![null, "#BUSY!"].includes(window.playground.get(reference).value as string | null),
    cell,
    { timeout: timeoutMs },
  );
  return read(page, cell);
}

/** The pane's page beside the grid, which also runs the formulas. */
export function pane(page: Page): Frame {
  const frame = page.frame({ url: /playground-pane/ });
  if (!frame) throw new Error("The playground shows no pane.");
  return frame;
}

/** The content of a file that the page has let the person download. */
export async function readDownload(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

import { join } from "node:path";
import { transformFileSync } from "@swc/core";
import type { Browser, Page } from "playwright-core";
import { playOffice } from "../office/browser-host";
import type { ExcelWorkbook } from "../office/workbook";
import { readToken } from "../support/direct-reading";
import { waitUntilConnected } from "../support/pane-page";
import type { BatchOptions } from "./excel/in-page/contenders";
import type { FillTimes } from "./excel/in-page/host";
import type { CellCall } from "./excel/sheet";

/** An add-in's page in Excel, ready for calls. */
export type ExcelPage = ReturnType<typeof toExcelPage>;

/** How cells were answered, and by how many requests. */
export type CountedFill = FillTimes & { requests: number };

export type OpenExcel = (browser: Browser, origin: string, workbook?: ExcelWorkbook) => Promise<ExcelPage>;

/** Makes a page refetch all its cells, and waits for a number of new results. */
export type Refresh = (excel: ExcelPage, cells: number) => Promise<FillTimes>;

const OFFICE = "https://appsforoffice.microsoft.com/lib/1/hosted/office.js";

function readScript(name: string): { content: string } {
  const { code } = transformFileSync(join(__dirname, "excel/in-page", name), { module: { type: "commonjs" } });
  return { content: `((exports) => {${code}})({})` };
}

/** Opens the built pane on the genuine Office.js, connected and idle. */
export const openFeed: OpenExcel = async (browser, origin, workbook) => {
  const { page } = await playOffice(browser, { origin, ...(workbook && { workbook }) });
  await page.addInitScript(readScript("host.ts"));
  await openPane(page, origin);
  return toExcelPage(page);
};

/** Opens or reopens the pane in its page. */
export async function openPane(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/taskpane.html`);
  await page.evaluate(() => window.bench.ready);
  await waitUntilConnected(page);
  await page.evaluate(() => window.bench.timeFunctions());
}

/** Clicks the pane's Refresh all. */
export const refreshFeed: Refresh = ({ page }, cells) =>
  page
    .getByRole("button", { name: "Refresh all", exact: true })
    .first()
    .evaluate((button, wanted) => window.bench.measure(wanted, () => (button as HTMLElement).click()), cells);

/**
 * Opens an empty page on the genuine Office.js, with an add-in of a few lines.
 * @param play runs in the page, and has one of the contenders answer
 */
export async function openBare<Given>(
  browser: Browser,
  origin: string,
  play: (given: Given) => void,
  given: Given,
): Promise<ExcelPage> {
  const { page } = await playOffice(browser, { origin });
  for (const script of ["host.ts", "contenders.ts"]) await page.addInitScript(readScript(script));
  const body = `<!doctype html><title>Bare</title><script src="${OFFICE}"></script>`;
  await page.route("**/bare.html", (route) => route.fulfill({ contentType: "text/html", body }));
  await openBarePage(page, origin, play, given);
  return toExcelPage(page);
}

export async function openBarePage<Given>(
  page: Page,
  origin: string,
  play: (given: Given) => void,
  given: Given,
): Promise<void> {
  await page.goto(`${origin}/bare.html`);
  await page.evaluate(() => window.bench.ready);
  const access = { baseUrl: `${origin}/companion/relay`, token: await readToken(origin) };
  await page.evaluate((all) => window.contenders.open(all), access);
  await page.evaluate(play as (given: unknown) => void, given);
  await page.evaluate(() => window.bench.timeFunctions());
}

/** An add-in that collects calls and requests their companies in batches. */
export const openBatching = (browser: Browser, origin: string, options: BatchOptions): Promise<ExcelPage> =>
  openBare(browser, origin, (given) => window.contenders.inBatches(given), options);

/** An add-in that requests each company and year once. */
export const openOneByOne: OpenExcel = (browser, origin) =>
  openBare(browser, origin, () => window.contenders.oneByOne(), null);

/** The floor of a fill: requests as many companies as the API allows once the calls are in, and sets each figure. */
export const openFloor: OpenExcel = (browser, origin) => openBatching(browser, origin, { size: 25, waitMs: null });

const toExcelPage = (page: Page) => ({
  page,
  /** Makes all calls in one message, and waits for a result of each, of a table for so many rows. */
  call: (calls: readonly CellCall[], rows?: number): Promise<FillTimes> =>
    page.evaluate(([all, least]) => window.bench.call(all, least), [calls, rows] as const),
  values: (): Promise<unknown[]> => page.evaluate(() => window.bench.values()),
  close: () => page.context().close(),
});

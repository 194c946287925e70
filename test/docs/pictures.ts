import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Language } from "../../src/reference/texts";
import { openDemo, pane } from "../e2e/playground-page";
import { launchBrowser } from "../support/browser";
import { startCompanion } from "../support/companion";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { ROOT } from "./examples";

const FOLDER = join(ROOT, "docs/pictures");
const COMPANY = "Komorebi Education Inc.";

/** A picture of the playground on sample data. */
interface Picture {
  language: Language;
  size: { width: number; height: number };
  /** Whether only the pane is pictured; default the whole page. */
  isPane?: boolean;
  prepare?(page: Page): Promise<void>;
}

/** Each picture by its file name in docs/pictures. */
export const PICTURES: Readonly<Record<string, Picture>> = {
  "playground.png": { language: "en", size: { width: 1280, height: 640 }, prepare: (page) => find(page, "Find") },
  "find.png": {
    language: "en",
    size: { width: 1280, height: 640 },
    isPane: true,
    prepare: (page) => find(page, "Find"),
  },
  "find-ja.png": {
    language: "ja",
    size: { width: 1280, height: 640 },
    isPane: true,
    prepare: (page) => find(page, "検索"),
  },
  "this-cell.png": { language: "en", size: { width: 1280, height: 520 }, isPane: true, prepare: selectAmbiguous },
};

/** Opens a company's card in the pane. */
async function find(page: Page, tab: string): Promise<void> {
  const place = pane(page);
  await openTab(place, tab);
  await place.getByRole("combobox").first().fill(COMPANY);
  await place.getByRole("option").first().click();
  await place.getByRole("img").first().waitFor();
}

/** Shows in the pane why a name is not enough, in the cell that the playground selects at first. */
async function selectAmbiguous(page: Page): Promise<void> {
  await page.evaluate(() => window.playground.setMany([["J2", '=FEED.FINANCIAL("Sakura","FY0","Revenue")']]));
  await page.waitForFunction(() => window.playground.get("J2").error !== undefined);
  await openTab(pane(page), "This cell");
  await pane(page).getByText("FEED_AMBIGUOUS").first().waitFor();
}

async function picture(browser: Browser, origin: string, name: string, { language, size, isPane, prepare }: Picture) {
  const { page } = await openDemo(browser, origin, { query: `?lang=${language}` });
  await page.setViewportSize(size);
  await waitUntilConnected(pane(page));
  await prepare?.(page);
  await page.mouse.move(0, 0); // a control under the pointer looks different
  const target = isPane ? page.locator("iframe") : page;
  await target.screenshot({ path: join(FOLDER, name), animations: "disabled" });
  await page.close();
}

async function pictureAll(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  for (const [name, each] of Object.entries(PICTURES)) await picture(browser, companion.origin, name, each);
  await browser.close();
  await companion.close();
}

if (require.main === module) void pictureAll();

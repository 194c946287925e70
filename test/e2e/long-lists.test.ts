import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Locator, Page } from "playwright-core";
import { METRICS } from "../../src/contract/constants";
import type { CompanyPage } from "../../src/contract/types";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { checkAccess } from "../support/page-access";
import { openTab } from "../support/pane-page";

const COMPANIES = 60;
const YEARS = [2021, 2022, 2023];
const CELLS = COMPANIES * YEARS.length;
const [METRIC = ""] = Object.values(METRICS).flat();

let browser: Browser;
let companion: RunningCompanion;
let ids: string[];
let host: OfficeHost | undefined;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 200 })]);
  const read = await createDirectReading(companion.origin);
  const page = await read<CompanyPage>(`/asia/private-markets/v1/companies?country=ALL&page_size=${COMPANIES}`);
  ids = page.data.map(({ id }) => id);
});
afterAll(async () => {
  await browser.close();
  await companion.close();
});

/** Opens a workbook full of figures, refreshes them with other values, and shows them. */
async function open(words: { all: string; changes: string }, options: Partial<OfficeHostOptions> = {}): Promise<Page> {
  await host?.close();
  companion.controls.reset();
  host = await openOfficeHost(browser, { origin: companion.origin, ...options });
  const { page, workbook } = host;
  const calls = ids.flatMap((id) => YEARS.map((year) => ({ id, year })));
  const cells = calls.map(({ id, year }, row) => {
    workbook.enterFormula(`B${row + 1}`, `=FEED.FINANCIAL("${id}",${year},"${METRIC}")`, 1);
    return host!.call("FINANCIAL", [[[id]], [[year]], [[METRIC]], null, null], { address: `Sheet1!B${row + 1}` });
  });
  await Promise.all(cells.map(host.next));
  companion.controls.perturb = (value) => value + 1;
  await openTab(page, words.changes);
  await page.getByRole("button", { name: words.all, exact: true }).first().click();
  await changes(page).waitFor();
  return page;
}

/** The frame of the changes' list. */
const changes = (page: Page): Locator => page.getByRole("group", { name: /^Sheet1: .*(cells|セル)$/ });
const scrollTop = (frame: Locator): Promise<number> => frame.evaluate(({ scrollTop }) => scrollTop);
const ENGLISH = { all: "Refresh all", changes: "Changes" };

describe("a list of 180 changed cells", () => {
  it("draws the rows in sight, tells their places, and reaches the last by keyboard", async () => {
    const page = await open(ENGLISH);
    const frame = changes(page);
    const rows = frame.getByRole("listitem");
    const changed = Number(await rows.first().getAttribute("aria-setsize"));
    expect(changed).toBeGreaterThan(CELLS / 2);
    expect(await rows.count()).toBeLessThan(40);
    await frame.focus();
    await page.keyboard.press("End");
    const last = frame.locator(`[aria-posinset="${changed}"]`);
    await last.waitFor();
    const place = await last.getByRole("button").textContent();
    await last.getByRole("button").press("Enter");
    const row = Number(place?.slice(1));
    for (let times = 0; times < 100 && host!.workbook.activeCell.top !== row; times++) await page.waitForTimeout(50);
    expect(host!.workbook.activeCell).toMatchObject({ top: row, left: 2 });
    expect(host!.errors).toEqual([]);
  });

  it("stays where it was scrolled to, in another tab and folded", async () => {
    const page = await open(ENGLISH);
    const frame = changes(page);
    await frame.evaluate((element) => element.scrollTo(0, 1_000));
    await openTab(page, "Find");
    await openTab(page, "Changes");
    await frame.waitFor();
    expect(await scrollTop(frame)).toBeCloseTo(1_000, -1);
    const fold = page.getByRole("button", { name: /^Sheet1 .* cells$/ });
    await fold.click();
    await frame.waitFor({ state: "detached" });
    await fold.click();
    await frame.waitFor();
    expect(await scrollTop(frame)).toBeCloseTo(1_000, -1);
  });

  it("keeps the focused row while others scroll by", async () => {
    const page = await open(ENGLISH);
    const frame = changes(page);
    const first = frame.getByRole("listitem").first().getByRole("button");
    await first.focus();
    await frame.evaluate((element) => element.scrollTo(0, 3_000));
    await frame.locator('[aria-posinset="80"]').waitFor();
    expect(await first.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it.each([
    { look: "light", words: ENGLISH, options: {} },
    { look: "dark", words: ENGLISH, options: { theme: "dark" } },
    { look: "ja", words: { all: "すべて更新", changes: "変更" }, options: { language: "ja-JP" } },
  ] as const)("is readable and accessible: $look", async ({ look, words, options }) => {
    const page = await open(words, options);
    await saveScreenshot(page, `taskpane-changes-${look}`);
    await checkAccess(page);
    await page.getByRole("button", { name: /^Sheet1 .*(formulas|数式).*$/ }).click();
    await page.getByRole("group", { name: /^Sheet1: .*(formulas|数式)/ }).scrollIntoViewIfNeeded();
    await saveScreenshot(page, `taskpane-formulas-${look}`);
    await checkAccess(page);
  });
});

import type { Page } from "playwright-core";
import type { ExcelWorkbook } from "../../office/workbook";
import { openSettings, openTab } from "../../support/pane-page";
import { type ExcelPage, openFeed, refreshFeed } from "../excel";
import { CELLS_OF_COMPANY, createWorkbook, toAddress } from "../excel/figures";
import { readSheet, type Sheet } from "../excel/sheet";
import { traceLongestTask } from "../excel/tasks";
import { type Bench, type Finding, type Row, toFinding, toMost } from "../row";
import { type Site, startSite } from "../site";

const LONGEST_TASK_MS = 50;
const SIZES = [14_000, 100_000];
/** Filling 100,000 cells takes half a minute. */
const MOST_ROUNDS = 2;
const STEP_TIMEOUT_MS = 240_000;
/** Cells that lost their stream, for Repair. */
const LOST_CELLS = 100;
/** Until the pane has taken in what came last: it looks twice a second. */
const SETTLED_MS = 3_000;

interface Steps {
  page: Page;
  excel: ExcelPage;
  site: Site;
  workbook: ExcelWorkbook;
  cells: number;
}

/** What a person does, in this order; each begins where the one before ended. */
const STEPS: Readonly<Record<string, (steps: Steps) => Promise<void>>> = {
  "Changes opened": async ({ page, cells }) => {
    await openTab(page, "Changes");
    await page.getByText(`All ${cells.toLocaleString("en")} formulas`).waitFor();
  },
  "all cells changed while it is open": async ({ page, excel, site, cells }) => {
    await site.order({ forget: true, changed: "all" });
    await refreshFeed(excel, cells);
    await waitUntilChanged(page, cells);
  },
  "the changes filtered": async ({ page }) => {
    await page.getByRole("searchbox", { name: "Filter" }).fill("revenue");
    await settle(page);
    await page.getByRole("combobox", { name: "Which" }).selectOption("changed");
    await settle(page);
    await page.getByRole("searchbox", { name: "Filter" }).fill("");
  },
  "the page scrolled through the changes": async ({ page }) => {
    await page.mouse.move(160, 500);
    for (let times = 0; times < 20; times++) await page.mouse.wheel(0, 2_000);
    await page.keyboard.press("Home");
  },
  "a cell selected": async ({ workbook }) => {
    await workbook.select("Sheet1!D9");
  },
  "Changes opened once all cells have changed": async ({ page, excel, site, cells }) => {
    await openTab(page, "Find");
    await site.order({ forget: true, changed: [] });
    await refreshFeed(excel, cells);
    await openTab(page, "Changes");
    await waitUntilChanged(page, cells);
  },
  "the text for support prepared": async ({ page }) => {
    await openSettings(page);
    await page.getByRole("button", { name: "Copy for support" }).click();
    await page.getByRole("textbox", { name: "What will be copied" }).waitFor();
    await page.getByRole("button", { name: "Back" }).click();
  },
  "a formula opened in Build": async ({ page, workbook }) => {
    await workbook.select("Sheet1!D9");
    await openTab(page, "Build");
  },
  "lost cells repaired": async ({ page, workbook }) => {
    for (let row = 2; row < LOST_CELLS + 2; row++) Object.assign(workbook.cell(`C${row}`), { value: "#VALUE!" });
    await runCommand(page, "Repair formulas");
    await page.getByText("FEED formulas entered again").waitFor();
  },
};

/** The record of 100,000 frozen formulas is larger than what Excel takes in one request. */
const MOST_FROZEN = 14_000;

const FREEZING: typeof STEPS = {
  "all cells frozen": async ({ page }) => {
    await runCommand(page, "Freeze workbook");
    await page.getByRole("button", { name: /^Freeze .* FEED formulas$/ }).click();
    await page.getByText("formulas are values now").waitFor();
  },
  "all cells thawed": async ({ page }) => {
    await runCommand(page, "Thaw workbook");
    await page.getByRole("button", { name: /^Thaw .* FEED formulas$/ }).click();
    await page.getByText("FEED formulas are back").waitFor();
  },
};

export const PANE: Row = {
  name: "pane",
  title: "The pane beside 14,000 and 100,000 live figures",
  async measure(bench) {
    const site = await startSite();
    const sheet = await readSheet(site.origin, Math.ceil(SIZES.at(-1)! / CELLS_OF_COMPANY));
    const findings: Finding[] = [];
    for (const cells of SIZES) findings.push(...(await measureSize(bench, site, sheet, cells)));
    site.close();
    return findings;
  },
};

async function measureSize({ browser, rounds, print }: Bench, site: Site, sheet: Sheet, cells: number) {
  const steps = Object.entries({ ...STEPS, ...(cells <= MOST_FROZEN && FREEZING) });
  const samples = new Map<string, number[]>(steps.map(([name]) => [name, []]));
  for (let round = 0; round < Math.min(MOST_ROUNDS, rounds); round++) {
    await site.order({ forget: true, changed: [] });
    const workbook = createWorkbook(sheet, cells);
    const excel = await openFeed(browser, site.origin, workbook);
    const { page } = excel;
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    await excel.call(sheet.calls.slice(0, cells).map(([name, given], at) => [name, given, `Sheet1!${toAddress(at)}`]));
    for (const [name, act] of steps) {
      const longest = await traceLongestTask(page, site.origin, async () => {
        await act({ page, excel, site, workbook, cells });
        await settle(page);
      });
      samples.get(name)!.push(longest.ownMs);
      if (longest.ownMs > LONGEST_TASK_MS)
        print(`${name}: ${Math.round(longest.ownMs)} ms, ${longest.functions.join(", ")}`);
    }
    await excel.close();
  }
  return [...samples].map(([name, all]) => {
    const what = `longest task of our own: ${name}, ${cells.toLocaleString("en")} cells`;
    return toFinding(what, "ms", all, toMost(LONGEST_TASK_MS, "ms", all));
  });
}

const waitUntilChanged = (page: Page, cells: number): Promise<void> =>
  page
    .getByText(`${cells.toLocaleString("en")} cells changed since`)
    .first()
    .waitFor();

const settle = (page: Page): Promise<void> => page.waitForTimeout(SETTLED_MS);

async function runCommand(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("group", { name: "Menu" }).getByRole("button", { name, exact: true }).click();
}

import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { forgetRequests, listRequests } from "./large-workbook";
import { ageAnswers, waitUntilPersisted } from "./persisted-answers";
import { pane, readRange, waitForDemo } from "./playground-page";

const DAY_MS = 86_400_000;
/** A due refresh begins within 20 seconds. */
const DUE_MS = 30_000;
/** Data of today, and the next Monday at 07:00 in Tokyo. */
const TODAY = /^As of \d\d:\d\d · next Mon, .*07:00 GMT\+9$/;
const TIMEOUT_MS = 90_000;

let browser: Browser;
let companion: RunningCompanion;
let context: BrowserContext;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
});
afterEach(() => context.close());
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

async function open(): Promise<Page> {
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${companion.origin}/playground.html?lang=en`);
  await forgetRequests(page, companion);
  return page;
}

/** Makes a ranking of industries with a weekly schedule, and leaves all else to the person. */
async function makeWeekly(page: Page): Promise<void> {
  const frame = pane(page);
  await openTab(frame, "Sheets");
  await frame.getByLabel("What is ranked").selectOption("Industries");
  await frame.getByLabel("Refresh this sheet").selectOption("Weekly, Monday at 07:00");
  await frame.getByLabel("Refresh automatically").selectOption("By hand only");
  await frame.getByRole("button", { name: "Create sheet" }).click();
  await lineOf(page)
    .getByText(/As of .* · next Mon, /)
    .waitFor();
}

const lineOf = (page: Page) =>
  pane(page)
    .getByRole("listitem")
    .filter({ has: pane(page).getByRole("button", { name: "Show Industry ranking" }) });

const waitUntilSaved = (page: Page) =>
  page.locator("#save-state", { hasText: /^Saved in this browser \d\d:\d\d/ }).waitFor();

async function reload(page: Page): Promise<void> {
  companion.controls.reset();
  await page.reload();
  await waitForDemo(page);
  await waitUntilConnected(pane(page));
  await openTab(pane(page), "Sheets");
}

/** The as-of cell of the sheet, a serial of local time. */
const readAsOf = async (page: Page) => Number((await readRange(page, "Industry ranking!B6:B6"))[0]?.[0]);

describe("a sheet with a weekly schedule", () => {
  it(
    "is refreshed alone after a Monday with the workbook closed, and not again in that week",
    async () => {
      const page = await open();
      await makeWeekly(page);
      expect(listRequests(companion)).toEqual(["rankIndustries"]);
      await waitUntilSaved(page);
      await waitUntilPersisted(page, ["rankIndustries"]);
      const firstAsOf = await readAsOf(page);

      await ageAnswers(page, [""], 8 * DAY_MS);
      await reload(page);
      await lineOf(page).getByText(TODAY).waitFor({ timeout: DUE_MS });
      expect(listRequests(companion)).toEqual(["rankIndustries"]);
      expect(await readAsOf(page)).toBeGreaterThanOrEqual(firstAsOf);

      await waitUntilPersisted(page, ["rankIndustries"]);
      await reload(page);
      await lineOf(page).getByText(TODAY).waitFor();
      expect(listRequests(companion)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

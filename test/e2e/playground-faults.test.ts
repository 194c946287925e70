import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { startCompanion } from "../support/companion";
import { clearWorkbook, openDemo, readRange, readSettled, type, waitFor } from "./playground-page";

/** A query that no answer of the demo serves. */
const TABLE = '=FEED.RANKING("2023-05-01","2023-05-31",3)';
/** Slightly more than a query's deadline. */
const DEADLINE_MS = 35_000;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe("a stopped companion", () => {
  let page: Page;
  let errors: string[];
  let before: unknown[][];
  beforeAll(async () => {
    const companion = await startCompanion();
    ({ page, errors } = await openDemo(browser, companion.origin));
    before = await readRange(page, "Model!A1:H36");
    await companion.close();
  });
  afterAll(() => page.close());

  it("leaves shown values, which also answer another equal formula", async () => {
    await type(page, ["J40", '=FEED.FINANCIAL(B6,G4,"Revenue",,B2)']);
    expect((await readSettled(page, "J40")).value).toBe(before[5]?.[6]);
    expect(await readRange(page, "Model!A1:H36")).toEqual(before);
    expect(errors).toEqual([]);
  });

  it(
    "is named by a new formula as unreachable, although the token is valid",
    async () => {
      await clearWorkbook(page);
      await type(page, ["A1", TABLE]);
      const { value, error } = await readSettled(page, "A1", DEADLINE_MS);
      expect(`${value} ${error?.message}`).toMatch(
        /^#N\/A FEED_SIGNER_UNREACHABLE: the companion does not answer; start it/,
      );
    },
    2 * DEADLINE_MS,
  );

  it(
    "is named likewise without a token",
    async () => {
      const companion = await startCompanion();
      companion.controls.tokenFaults = { expiresIn: 2 }; // expired before the demo is shown
      const opened = await openDemo(browser, companion.origin);
      await companion.close();
      await clearWorkbook(opened.page);
      await type(opened.page, ["A1", TABLE]);
      const { value, error } = await readSettled(opened.page, "A1", DEADLINE_MS);
      expect(`${value} ${error?.message}`).toMatch(/^#N\/A FEED_SIGNER_UNREACHABLE: .*companion/);
      await opened.page.close();
    },
    2 * DEADLINE_MS,
  );
});

describe("a formula's script that never loads", () => {
  it("is reported in the cell by the deadline with a remedy, and loaded again by the next formula", async () => {
    const companion = await startCompanion();
    const context = await browser.newContext({ serviceWorkers: "block" }); // requests of a service worker bypass routes
    await context.route("**/lists.*.js", () => {});
    await context.clock.install();
    const page = await context.newPage();
    await page.goto(`${companion.origin}/playground.html`);
    await page.evaluate(() => window.playground.ready);
    await clearWorkbook(page);
    await type(page, ["A1", TABLE]);
    const script = page.frameLocator("iframe").locator('script[src*="lists."]'); // its request may join the prefetch's
    await script.waitFor({ state: "attached" });
    await page.clock.fastForward(30_000);
    const { value, error } = await readSettled(page, "A1");
    expect(`${value} ${error?.message}`).toMatch(/^#N\/A FEED_NETWORK_FAILED: .* check the network and that the comp/);
    await context.unrouteAll();
    await type(page, ["A10", TABLE.replace(",3)", ",2)")]);
    await waitFor(page, "A12", 2);
    await context.close();
    await companion.close();
  });
});

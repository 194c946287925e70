import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { waitUntilConnected } from "../support/pane-page";
import {
  createLargeWorkbook,
  enter,
  forgetRequests,
  type LargeWorkbook,
  listRequests,
  openWorkbook,
  RECORDING_SCRIPT,
  readFigures,
  takeOutputs,
  toFirstValues,
  waitForFigures,
} from "./large-workbook";
import { ageAnswers, listAnswers, waitUntilPersisted } from "./persisted-answers";
import { pane } from "./playground-page";

const FOUR_POSTS = Array.from({ length: 4 }, () => "getFinancialsOfMany");
const FIGURES = 14_000;
const COMPANIES = 100;
const YEAR_MS = 365 * 86_400_000;
/** Two cores need a quarter of this to fill and open the workbook. */
const TIMEOUT_MS = 120_000;

let browser: Browser;
let companion: RunningCompanion;
let large: LargeWorkbook;
let context: BrowserContext;
let page: Page;
let errors: string[];
/** The requests of the first fill. */
let requestsAtFirst: string[];
/** The cells when the workbook was saved. */
let before: unknown[];
let saved: object;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  large = await createLargeWorkbook(companion, COMPANIES);
  context = await browser.newContext();
  await context.addInitScript(RECORDING_SCRIPT);
  page = await open();
  await forgetRequests(page, companion);
  await enter(page, large);
  requestsAtFirst = listRequests(companion);
  before = await readFigures(page, large.figures);
  saved = await page.evaluate(() => window.playground.save());
  await waitUntilPersisted(page, large.companyIds);
  await page.close();
}, TIMEOUT_MS);
beforeEach(() => {
  errors = [];
  companion.controls.reset();
});
afterEach(async () => {
  for (const each of context.pages()) await each.close();
  expect(errors).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Opens the playground in a separate window that shares the browser's storage. */
async function open(within = context): Promise<Page> {
  const opened = await within.newPage();
  opened.on("pageerror", ({ message }) => errors.push(message));
  await opened.goto(`${companion.origin}/playground.html?lang=en`);
  await opened.evaluate(() => window.playground.ready);
  return opened;
}

/** Opens the saved workbook in a new window, and waits for each figure. */
async function reopen(): Promise<Page> {
  const opened = await open();
  await openWorkbook(opened, saved);
  await waitForFigures(opened, large.figures);
  return opened;
}

describe("a page that closes as soon as its cells are filled", () => {
  it.each([
    ["is left for another page", (opened: Page) => opened.goto("about:blank")],
    ["is closed", (opened: Page) => opened.close()],
  ])(
    "has persisted every answer when it %s",
    async (_, leave) => {
      const few = await createLargeWorkbook(companion, 3);
      const other = await browser.newContext();
      const first = await open(other);
      await forgetRequests(first, companion);
      await enter(first, few);
      const figures = await readFigures(first, few.figures);
      const workbook = await first.evaluate(() => window.playground.save());
      await leave(first);
      expect(listRequests(companion)).toEqual(["getFinancialsOfMany"]);
      const second = await open(other);
      await forgetRequests(second, companion);
      await openWorkbook(second, workbook);
      await waitForFigures(second, few.figures);
      expect(await readFigures(second, few.figures)).toEqual(figures);
      expect(listRequests(companion)).toEqual([]);
      await other.close();
    },
    TIMEOUT_MS,
  );
});

describe("a workbook of 14,000 figures of 100 companies", () => {
  it("is first filled by exactly four requests", () => {
    expect(before).toHaveLength(FIGURES);
    expect(before.filter((value) => typeof value === "number").length).toBeGreaterThan(10_000);
    expect(requestsAtFirst).toEqual(FOUR_POSTS);
  });

  it(
    "shows every value in the first result when reopened in two windows, without a data request",
    async () => {
      const windows = await Promise.all([reopen(), reopen()]);
      const addresses = new Set(large.addresses);
      for (const opened of windows) {
        const handed = await takeOutputs(opened);
        expect(toFirstValues(handed, large)).toEqual(before);
        expect(handed.filter(({ address }) => addresses.has(address))).toHaveLength(FIGURES);
        expect(await readFigures(opened, large.figures)).toEqual(before);
      }
      await Promise.all(windows.map((opened) => waitUntilConnected(pane(opened))));
      expect(listRequests(companion)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "shows outdated values first, then those of one refresh with as few requests",
    async () => {
      page = await context.newPage();
      await page.goto(`${companion.origin}/functions.json`);
      await ageAnswers(page, large.companyIds, YEAR_MS);
      companion.controls.perturb = (value) => value + 1;
      page = await reopen();
      const later = before.map((value) => (typeof value === "number" ? value + 1 : value));
      await page.waitForFunction(
        ([range, expected]) =>
          window.playground
            .range(range)
            .flat()
            .every((value, index) => value === expected[index]),
        [large.figures, later] as const,
        { timeout: TIMEOUT_MS, polling: 100 },
      );
      expect(toFirstValues(await takeOutputs(page), large)).toEqual(before);
      expect(listRequests(companion)).toEqual(FOUR_POSTS);
    },
    TIMEOUT_MS,
  );

  it(
    "is refetched for another client, and the first one's answers are deleted",
    async () => {
      await context.route("**/companion/config", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), clientId: "another-client" } });
      });
      page = await open();
      await waitForFigures(page, "Model!C6:G11");
      await forgetRequests(page, companion);
      await openWorkbook(page, saved);
      await waitForFigures(page, large.figures);
      expect(await readFigures(page, large.figures)).toEqual(before);
      expect(listRequests(companion)).toEqual(FOUR_POSTS);
      await waitUntilPersisted(page, large.companyIds);
      const owners = new Set((await listAnswers(page)).map((key) => key.split("\n")[0]));
      expect([...owners]).toEqual([expect.stringMatching(/ another-client$/)]);
    },
    TIMEOUT_MS,
  );
});

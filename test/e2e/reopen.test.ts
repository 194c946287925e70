import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";
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
import { openPlayground, pane } from "./playground-page";
import { createSurroundings } from "./surroundings";

const ONE_POST = ["getFinancialsOfMany"];
const YEAR_MS = 365 * 86_400_000;

const at = createSurroundings({ companies: 300 });
/** 420 figures of three companies. */
let large: LargeWorkbook;
let context: BrowserContext;
let errors: string[][] = [];
/** The cells when the workbook was saved, as its window closed at once. */
let before: unknown[];
let saved: object;

beforeAll(async () => {
  large = await createLargeWorkbook(at.companion, 3);
  context = await at.browser.newContext();
  await context.addInitScript(RECORDING_SCRIPT);
  const page = await open();
  await forgetRequests(page, at.companion);
  await enter(page, large);
  expect(listRequests(at.companion)).toEqual(ONE_POST);
  before = await readFigures(page, large.figures);
  saved = await page.evaluate(() => window.playground.save());
  await page.close();
}, 60_000);
afterEach(async () => {
  for (const each of context.pages()) await each.close();
  expect(errors.flat()).toEqual([]);
  errors = [];
});

/** Opens the playground in a separate window that shares the browser's storage. */
async function open(within = context): Promise<Page> {
  const opened = await openPlayground(within, `${at.companion.origin}/playground.html?lang=en`);
  errors.push(opened.errors);
  return opened.page;
}

/** Opens the saved workbook in a new window, and waits for each figure. */
async function reopen(): Promise<Page> {
  const opened = await open();
  await openWorkbook(opened, saved);
  await waitForFigures(opened, large.figures);
  return opened;
}

const runBare = async (run: (page: Page) => Promise<void>) => {
  const page = await context.newPage();
  await page.goto(`${at.companion.origin}/functions.json`); // a page of the origin that is not the add-in
  await run(page);
  await page.close();
};

describe("a workbook whose window closed as soon as its cells were filled", () => {
  it("shows every value in the first result when reopened in two windows, without a data request", async () => {
    const windows = await Promise.all([reopen(), reopen()]);
    const addresses = new Set(large.addresses);
    for (const opened of windows) {
      const handed = await takeOutputs(opened);
      expect(toFirstValues(handed, large)).toEqual(before);
      expect(handed.filter(({ address }) => addresses.has(address))).toHaveLength(before.length);
      expect(await readFigures(opened, large.figures)).toEqual(before);
    }
    await Promise.all(windows.map((opened) => waitUntilConnected(pane(opened))));
    expect(listRequests(at.companion)).toEqual([]);
  });

  it("shows every value when its window was left for another page", async () => {
    const other = await at.browser.newContext();
    const first = await open(other);
    await forgetRequests(first, at.companion);
    await enter(first, large);
    await first.goto("about:blank");
    const second = await open(other);
    await forgetRequests(second, at.companion);
    await openWorkbook(second, saved);
    await waitForFigures(second, large.figures);
    expect(await readFigures(second, large.figures)).toEqual(before);
    expect(listRequests(at.companion)).toEqual([]);
    await other.close();
  });

  it("shows outdated values first, then those of one refresh with as few requests", async () => {
    await runBare((page) => ageAnswers(page, large.companyIds, YEAR_MS));
    at.companion.controls.perturb = (value) => value + 1;
    const page = await reopen();
    const later = before.map((value) => (typeof value === "number" ? value + 1 : value));
    await until(async () => JSON.stringify(await readFigures(page, large.figures)) === JSON.stringify(later));
    expect(toFirstValues(await takeOutputs(page), large)).toEqual(before);
    expect(listRequests(at.companion)).toEqual(ONE_POST);
  });

  it("is refetched for another client, and the first one's answers are deleted", async () => {
    await context.route("**/companion/config", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), clientId: "another-client" } });
    });
    const page = await open();
    await waitForFigures(page, "Model!C6:G11");
    await forgetRequests(page, at.companion);
    await openWorkbook(page, saved);
    await waitForFigures(page, large.figures);
    expect(await readFigures(page, large.figures)).toEqual(before);
    expect(listRequests(at.companion)).toEqual(ONE_POST);
    await waitUntilPersisted(page, large.companyIds);
    const owners = new Set((await listAnswers(page)).map((key) => key.split("\n")[0]));
    expect([...owners]).toEqual([expect.stringMatching(/ another-client$/)]);
  });
});

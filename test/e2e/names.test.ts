import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openPlayground, readRange, readSettled, type } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
});
beforeEach(() => companion.controls.reset());
afterEach(() => page.close());
afterAll(async () => {
  await browser.close();
  await companion.close();
});

const WITHOUT_WORKER = "delete window.Worker;";
const WITH_CRASHING_WORKER = `
  const Genuine = window.Worker;
  window.Worker = class extends Genuine {
    constructor() { super("data:text/javascript,throw new Error('crashed')"); }
  };`;

async function open(script?: string): Promise<void> {
  ({ page, errors } = await openPlayground(browser, `${companion.origin}/playground.html`, "light", script));
  await clearWorkbook(page);
}

async function find(): Promise<void> {
  await type(page, ["A1", '=FEED.COMPANY.FIND("高島", "JPN", 5, "companyInformalName,companyFormalName", FALSE)']);
  await readSettled(page, "A1", 20_000);
  const names = (await readRange(page, "B1:B5")).flat();
  expect(names).toHaveLength(5);
  for (const name of names) expect(name).toMatch(/髙島/);
  expect(errors).toEqual([]);
}

/** Requests for pages of names; the pane also reads a single company to probe its access. */
const countPages = () =>
  companion.controls.requests.filter(
    ({ operationId, url }) =>
      ["listTaxonomyCompanies", "searchCompanies"].includes(operationId) && !/page_size=1(?!\d)/.test(url),
  ).length;

describe("names in the browser", () => {
  it("are searched by a worker, persisted, and found after a reload without a request", async () => {
    await open();
    await find();
    expect(page.workers().map((worker) => worker.url())).toEqual([`${companion.origin}/names.js`]);
    expect(countPages()).toBeGreaterThan(0);
    companion.controls.reset();
    await page.reload();
    await page.evaluate(() => window.playground.ready);
    await clearWorkbook(page);
    await find();
    expect(page.workers()).toHaveLength(1);
    expect(countPages()).toBe(0);
  });

  it.each([
    ["by the worker, which loads the matcher's script", undefined, 1],
    ["without a worker", WITHOUT_WORKER, 0],
  ])("are matched %s, and again without a request", async (_, script, workers) => {
    await open(script);
    const loaded = new Set<string>();
    page.context().on("request", (request) => loaded.add(new URL(request.url()).pathname));
    await type(page, ["A1", "Takasima Optcs Osaka"], ["A2", "Umezawa Boats"]);
    await type(page, ["B1", '=FEED.COMPANY.MATCH(A1:A2, "JPN", , "state,closestName", FALSE)']);
    await readSettled(page, "B1", 20_000);
    const before = countPages();
    await type(page, ["E1", '=FEED.COMPANY.MATCH("Sakura Foods KK", "JPN", , "closestName", FALSE)']);
    await readSettled(page, "E1", 20_000);
    expect((await readRange(page, "B2:B2")).flat()).toEqual(["none"]);
    expect(String((await readRange(page, "E1:E1")).flat()[0])).toMatch(/Sakura Foods|さくら食品/);
    expect(countPages()).toBe(before);
    expect([...loaded].filter((path) => path.startsWith("/matching."))).toHaveLength(1);
    expect(page.workers()).toHaveLength(workers);
    expect(errors).toEqual([]);
  });

  it("are found without a worker", async () => {
    await open(WITHOUT_WORKER);
    await find();
    expect(page.workers()).toEqual([]);
  });

  it("are found if the worker does not load", async () => {
    await open(WITH_CRASHING_WORKER);
    await find();
  });
});

import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { clearWorkbook, readRange, readSettled, type } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const WITHOUT_WORKER = "delete window.Worker;";
const WITH_CRASHING_WORKER = `
  const Genuine = window.Worker;
  window.Worker = class extends Genuine {
    constructor() { super("data:text/javascript,throw new Error('crashed')"); }
  };`;

const at = createPlaygroundPage({ companies: 500 });

async function find(page: Page): Promise<void> {
  await type(page, ["A1", '=FEED.COMPANY.FIND("高島", "JPN", 5, "companyInformalName,companyFormalName", FALSE)']);
  await readSettled(page, "A1");
  const names = (await readRange(page, "B1:B5")).flat();
  expect(names).toHaveLength(5);
  for (const name of names) expect(name).toMatch(/髙島/);
}

/** Matches some names, and then another one without a request. */
async function match(page: Page): Promise<void> {
  const loaded = new Set<string>();
  page.context().on("request", (request) => loaded.add(new URL(request.url()).pathname));
  await type(
    page,
    ["G1", "Takasima Optcs Osaka"],
    ["G2", "Umezawa Boats"],
    ["H1", '=FEED.COMPANY.MATCH(G1:G2, "JPN", , "state,closestName", FALSE)'],
  );
  await readSettled(page, "H1");
  const before = countPages();
  await type(page, ["K1", '=FEED.COMPANY.MATCH("Sakura Foods KK", "JPN", , "closestName", FALSE)']);
  expect(String((await readSettled(page, "K1")).value)).toMatch(/Sakura Foods|さくら食品/);
  expect((await readRange(page, "H2:H2")).flat()).toEqual(["none"]);
  expect(countPages()).toBe(before);
  expect([...loaded].filter((path) => path.startsWith("/matching."))).toHaveLength(1);
}

/** Requests for pages of names; the pane also reads a single company to probe its access. */
const countPages = () =>
  at.companion.controls.requests.filter(
    ({ operationId, url }) =>
      ["listTaxonomyCompanies", "searchCompanies"].includes(operationId) && !/page_size=1(?!\d)/.test(url),
  ).length;

describe("names in the browser", () => {
  it("are searched and matched by a worker, persisted, and found after a reload without a request", async () => {
    const worker = `${at.companion.origin}/names.js`;
    await find(at.page);
    expect(at.page.workers().map((each) => each.url())).toEqual([worker]);
    expect(countPages()).toBeGreaterThan(0);
    await match(at.page);
    at.companion.controls.reset();
    await at.page.reload();
    await at.page.evaluate(() => window.playground.ready);
    await clearWorkbook(at.page);
    await find(at.page);
    expect(at.page.workers().map((each) => each.url())).toEqual([worker]);
    expect(countPages()).toBe(0);
  });

  it("are found and matched without a worker", async () => {
    const page = await at.open({ script: WITHOUT_WORKER });
    await clearWorkbook(page);
    await find(page);
    await match(page);
    expect(page.workers()).toEqual([]);
  });

  it("are found if the worker does not load", async () => {
    const page = await at.open({ script: WITH_CRASHING_WORKER });
    await clearWorkbook(page);
    await find(page);
  });
});

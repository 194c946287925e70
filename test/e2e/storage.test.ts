import { afterEach, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { type PlayedOffice, playOffice } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { clearWorkbook, pane, readRange, readSettled, type } from "./playground-page";
import { createOpening, createSurroundings } from "./surroundings";

const COMPANY = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
const FIGURE = [[[COMPANY]], [[2023]], [["Revenue"]], null, null];

const at = createSurroundings();

let office: PlayedOffice;

/** Opens the pane on a browser that `prepare` has changed, and fills a cell. */
async function open(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
  office = await playOffice(at.browser, { origin: at.companion.origin });
  const { page, host, log } = office;
  await prepare(page);
  await page.goto(`${at.companion.origin}/taskpane.html`);
  await log.ready;
  const call = { stream: true, cancelable: true, functionName: "FINANCIAL", parameters: FIGURE };
  const [invocation = 0] = host.callMany([call]);
  expect(toOutcome(await log.next(invocation))).toEqual({ value: [[expect.any(Number)]] });
  return page;
}

interface Access {
  member: string;
  /** Whether the page has not learned from Office yet that it is in Excel. */
  isStarting: boolean;
}

/** Records each use of local storage by a script of the add-in; Office.js uses it too. Runs in the page. */
function recordAccesses(): void {
  const accesses: Access[] = [];
  const record = (member: string) => {
    const lines = new Error().stack?.split("\n").slice(3) ?? [];
    if (!lines.some((line) => line.includes(location.origin))) return;
    accesses.push({ member, isStarting: document.documentElement?.lang === "en" });
  };
  for (const member of ["getItem", "setItem", "removeItem", "clear", "key"] as const) {
    const genuine = Storage.prototype[member] as (...given: string[]) => unknown;
    const recorded = function (this: Storage, ...given: string[]) {
      record(member);
      return genuine.apply(this, given);
    };
    Object.assign(Storage.prototype, { [member]: recorded });
  }
  const items = window.localStorage;
  const get = () => {
    record("localStorage");
    return items;
  };
  Object.defineProperty(window, "localStorage", { get });
  Object.assign(window, { accesses });
}

const readAccesses = (page: Page) => page.evaluate(() => (window as unknown as { accesses: Access[] }).accesses);

describe("local storage", () => {
  afterEach(async () => {
    expect(office.errors).toEqual([]);
    await office.page.context().close();
  });

  it("is not used by the add-in while its page starts", async () => {
    const page = await open((empty) => empty.addInitScript(recordAccesses));
    await waitUntilConnected(page);
    const accesses = await readAccesses(page);
    expect(accesses.filter(({ isStarting }) => isStarting)).toEqual([]);
    expect(accesses.length).toBeGreaterThan(0);
  });

  it("fills cells and opens the pane where it refuses every use", async () => {
    const get = "get() { throw new DOMException('no', 'SecurityError'); }";
    const content = `Object.defineProperty(window, "localStorage", { ${get} });`;
    const page = await open((empty) => empty.addInitScript({ content }));
    await waitUntilConnected(page);
    await openTab(page, "Build");
    await page.getByRole("tab", { name: "Build", selected: true }).waitFor();
  });
});

describe("cells show the right values in a browser", () => {
  const open = createOpening(() => at.companion.origin);
  const formulas = [2020, 2021, 2022, 2023].map((year, index): [cell: string, text: string] => [
    `K${index + 1}`,
    `=FEED.FINANCIAL("${COMPANY}",${year},"Revenue")`,
  ]);

  /** Enters the formulas into an empty workbook and gives their values once each has one. */
  async function fill(page: Page): Promise<unknown[][]> {
    await clearWorkbook(page);
    await type(page, ["A1", '=FEED.RANKING("2024-01-01","2024-01-31",5)'], ...formulas);
    for (const cell of ["A6", ...formulas.map(([each]) => each)]) await readSettled(page, cell);
    return readRange(page, "A1:K6");
  }

  it("whose storage is full, or that kills the page while it stores answers", async () => {
    const [full, killed] = await Promise.all([at.browser.newContext(), at.browser.newContext()]);
    const dying = await open(killed);
    const expected = await fill(dying);
    const killer = await killed.newCDPSession(dying);
    const crashed = new Promise((resolve) => dying.once("crash", resolve));
    killer.send("Page.crash").catch(() => {}); // nothing is left to answer
    await crashed;
    expect(await fill(await open(killed))).toEqual(expected);

    const page = await open(full);
    const devTools = await full.newCDPSession(page);
    await devTools.send("Storage.overrideQuotaForOrigin", { origin: at.companion.origin, quotaSize: 1 });
    expect(await fill(page)).toEqual(expected);
    // A busy machine may delay the database until it is given up, which the pane reports.
    const warning = pane(page).getByText(/^This page keeps nothing \(storage (is full|does not answer)\)/);
    await warning.waitFor({ state: "attached" }); // its part of the pane may be hidden
    for (const context of at.browser.contexts()) await context.close();
  });
});

import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { type PlayedOffice, playOffice } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";
import {
  createLargeWorkbook,
  enter,
  forgetRequests,
  type LargeWorkbook,
  listRequests,
  RECORDING_SCRIPT,
  readFigures,
  takeOutputs,
  toFirstValues,
  waitForFigures,
} from "./large-workbook";
import { listAnswers, waitUntilPersisted } from "./persisted-answers";
import { clearWorkbook, openWorkbook, pane, readRange, readSettled, type } from "./playground-page";
import { createOpening, createSurroundings } from "./surroundings";

const ONE_POST = ["getFinancialsOfMany"];
/** Longer than a query outlives its last cell. */
const GRACE_MS = 2_500;
const COMPANY = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
const FIGURE = [[[COMPANY]], [[2023]], [["Revenue"]], null, null];

const at = createSurroundings({ companies: 300 });
const openWindow = createOpening(() => at.companion.origin);

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

describe("a workbook of 420 figures that was left as soon as its cells were filled", () => {
  /** Figures of three companies. */
  let book: LargeWorkbook;
  let context: BrowserContext;
  /** A window with the reopened workbook. */
  let page: Page;
  /** The cells when the workbook was saved and left. */
  let before: unknown[];
  let saved: object;

  beforeAll(async () => {
    book = await createLargeWorkbook(at.companion, 3);
    context = await at.browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.clock.install();
    await context.addInitScript(RECORDING_SCRIPT);
    const first = await openWindow(context);
    await forgetRequests(first, at.companion);
    await waitUntilPersisted(first, ["financials", "rankCompanies"]); // the demo's, which each window shows first
    await enter(first, book);
    expect(listRequests(at.companion)).toEqual(ONE_POST);
    before = await readFigures(first, book.figures);
    saved = await first.evaluate(() => window.playground.save());
    await first.goto("about:blank"); // its process goes on: a busy machine may end one before it has handed over its answers
  }, 60_000);

  /** Opens the saved workbook in a new window, and waits for each figure. */
  async function reopen(): Promise<Page> {
    const opened = await openWindow(context); // a window that shares the browser's storage
    await openWorkbook(opened, saved);
    await waitForFigures(opened, book.figures);
    return opened;
  }

  it("shows every value in the first result when reopened in two windows, without a data request", async () => {
    const windows = await Promise.all([reopen(), reopen()]);
    const addresses = new Set(book.addresses);
    for (const opened of windows) {
      const handed = await takeOutputs(opened);
      expect(toFirstValues(handed, book)).toEqual(before);
      expect(handed.filter(({ address }) => addresses.has(address))).toHaveLength(before.length);
      expect(await readFigures(opened, book.figures)).toEqual(before);
    }
    await Promise.all(windows.map((opened) => waitUntilConnected(pane(opened))));
    expect(listRequests(at.companion)).toEqual([]);
    page = windows[0];
    await windows[1].close();
  });

  describe("and an operation on its sheet", () => {
    beforeEach(() => takeOutputs(page));

    const expectNoRequests = async (figures = book.figures) => {
      await waitForFigures(page, figures);
      expect(await readFigures(page, figures)).toEqual(before);
      expect(listRequests(at.companion)).toEqual([]);
    };
    const select = (address: string) =>
      pane(page).evaluate((range) => window.feedPlaygroundWorkbook.show({ sheet: "Empty", address: range }), address);
    /** Removes queries without cells. */
    const outliveGrace = () => page.clock.fastForward(GRACE_MS);
    const undo = () => page.evaluate(() => window.playground.undo());

    /** Chooses from a menu above the grid. */
    async function choose(menu: string, ...names: string[]): Promise<void> {
      await page.click(`.o-topbar-menu[data-id='${menu}']`);
      for (const name of names.slice(0, -1)) await page.hover(`.o-menu-item[data-name='${name}']`);
      await page.click(`.o-menu-item[data-name='${names.at(-1)}']`);
    }

    it("sends no request: a row inserted above, rows grouped, folded and sorted, all undone", async () => {
      const live = await page.evaluate(() => window.playground.live());
      await page.evaluate(() => window.playground.insertRow(1));
      const below = book.figures.replace(/\d+/g, (digits) => String(Number(digits) + 1));
      await expectNoRequests(below);
      await outliveGrace();
      await expectNoRequests(below);
      await undo();
      await outliveGrace();
      await expectNoRequests();
      expect(await page.evaluate(() => window.playground.live())).toBe(live);

      await select(book.figuresOf(1));
      await choose("view", "group_headers", "group_rows");
      await page.click(".o-group-fold-button");
      await outliveGrace();
      await page.click(".o-group-fold-button");
      await expectNoRequests();
      expect(await takeOutputs(page)).toEqual([]);

      await select("A2:P31");
      const [one = "", other = ""] = book.companyIds;
      await choose("data", "sort_range", one < other ? "sort_descending" : "sort_ascending");
      await until(async () => JSON.stringify(await readFigures(page, book.figures)) !== JSON.stringify(before));
      await waitForFigures(page, book.figures);
      const sorted = (figures: unknown[]) => figures.map(String).sort();
      expect(sorted(await readFigures(page, book.figures))).toEqual(sorted(before));
      await outliveGrace();
      await undo();
      await outliveGrace();
      await expectNoRequests();
    });

    it("sends no request: F9, and Ctrl+Alt+F9, which reruns every formula", async () => {
      await page.keyboard.press("F9");
      await expectNoRequests();
      expect(await takeOutputs(page)).toEqual([]);
      await page.keyboard.press("Control+Alt+F9");
      await expectNoRequests();
      expect(await takeOutputs(page)).toHaveLength(before.length);
      await outliveGrace();
      await expectNoRequests();
    });

    it("sends no request: the workbook reopened in the same page", async () => {
      await openWorkbook(page, await page.evaluate(() => window.playground.save()));
      await expectNoRequests();
      await outliveGrace();
      await expectNoRequests();
    });
  });

  it("is refetched for another client, and the first one's answers are deleted", async () => {
    await page.close();
    await context.route("**/companion/config", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), clientId: "another-client" } });
    });
    const other = await openWindow(context);
    await waitForFigures(other, "Model!C6:G11");
    await forgetRequests(other, at.companion);
    await openWorkbook(other, saved);
    await waitForFigures(other, book.figures);
    expect(await readFigures(other, book.figures)).toEqual(before);
    expect(listRequests(at.companion)).toEqual(ONE_POST);
    await waitUntilPersisted(other, book.companyIds);
    const owners = new Set((await listAnswers(other)).map((key) => key.split("\n")[0]));
    expect([...owners]).toEqual([expect.stringMatching(/ another-client$/)]);
  });
});

/** Comes last, since it closes every window. */
describe("cells show the right values in a browser", () => {
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
    const dying = await openWindow(killed);
    const expected = await fill(dying);
    const killer = await killed.newCDPSession(dying);
    const crashed = new Promise((resolve) => dying.once("crash", resolve));
    killer.send("Page.crash").catch(() => {}); // nothing is left to answer
    await crashed;
    expect(await fill(await openWindow(killed))).toEqual(expected);

    const page = await openWindow(full);
    const devTools = await full.newCDPSession(page);
    await devTools.send("Storage.overrideQuotaForOrigin", { origin: at.companion.origin, quotaSize: 1 });
    expect(await fill(page)).toEqual(expected);
    // A busy machine may delay the database until it is given up, which the pane reports.
    const warning = pane(page).getByText(/^This page keeps nothing \(storage (is full|does not answer)\)/);
    await warning.waitFor({ state: "attached" }); // its part of the pane may be hidden
    for (const context of at.browser.contexts()) await context.close();
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { waitForStatus, waitUntilConnected } from "../support/pane-page";
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
import { ageAnswers, listAnswers, waitUntilPersisted } from "./persisted-answers";
import { closeNotices, openWorkbook, pane, refreshAll, waitFor } from "./playground-page";
import { createOpening, createSurroundings } from "./surroundings";

const ONE_READ = ["getCompanyFinancials"];
const ONE_POST = ["getFinancialsOfMany"];
const YEAR_MS = 365 * 86_400_000;
/** Longer than a query outlives its last cell. */
const GRACE_MS = 2_500;
const SLOW_MS = 10_000;

const at = createSurroundings({ companies: 300 });
const open = createOpening(() => at.companion.origin);

describe("a workbook of 280 figures", () => {
  /** 280 figures of two companies. */
  let book: LargeWorkbook;
  let page: Page;
  let before: unknown[];

  beforeAll(async () => {
    book = await createLargeWorkbook(at.companion, 2);
    const context = await at.browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.clock.install();
    page = await open(context, { script: RECORDING_SCRIPT });
    await forgetRequests(page, at.companion);
    await enter(page, book);
    before = await readFigures(page, book.figures);
  }, 60_000);
  beforeEach(() => takeOutputs(page));
  afterAll(() => page.close());

  const strip = () => page.locator("header");
  const pressAll = () => strip().getByRole("button", { name: "Refresh all", exact: true }).click();

  /** Selects cells and refreshes them by the strip's commands. */
  async function refreshSelected(address: string): Promise<void> {
    await select(address);
    await strip().getByText("More", { exact: true }).click();
    await strip().getByRole("button", { name: "Refresh selection", exact: true }).click();
  }

  const select = (address: string) =>
    pane(page).evaluate((range) => window.feedPlaygroundWorkbook.show({ sheet: "Empty", address: range }), address);

  const waitForNotice = (text: RegExp) => waitForStatus(pane(page), text);

  /** Chooses from a menu above the grid. */
  async function choose(menu: string, ...names: string[]): Promise<void> {
    await page.click(`.o-topbar-menu[data-id='${menu}']`);
    for (const name of names.slice(0, -1)) await page.hover(`.o-menu-item[data-name='${name}']`);
    await page.click(`.o-menu-item[data-name='${names.at(-1)}']`);
  }

  /** Figures that occur in one cell alone, and so identify it; the provider gives them larger by 1,000. */
  function changeAtProvider(count: number): { cell: string; value: number }[] {
    const unique = book.addresses.flatMap((address, index) => {
      const value = before[index];
      const isAlone = typeof value === "number" && before.filter((other) => other === value).length === 1;
      return isAlone ? [{ cell: address.replace("Empty!", ""), value: Number(value) }] : [];
    });
    const chosen = [0, 1, 2].slice(0, count).map((index) => unique[index * 7]!);
    const numbers = chosen.map(({ value }) => value);
    at.companion.controls.perturb = (value) => (numbers.includes(value) ? value + 1_000 : value);
    return chosen;
  }

  describe("a refresh", () => {
    /** Restores the cells' first values, and leaves no notice for the next test. */
    afterEach(async () => {
      await closeNotices(page);
      at.companion.controls.reset();
      await refreshAll(page);
      await until(async () => JSON.stringify(await readFigures(page, book.figures)) === JSON.stringify(before));
    });

    it("of one company's 140 cells is one request, and outputs only changed values", async () => {
      const [first] = changeAtProvider(1);
      await refreshSelected(book.figuresOf(0));
      await waitFor(page, first!.cell, first!.value + 1_000);
      expect(listRequests(at.companion)).toEqual(ONE_READ);
      expect(at.companion.controls.requests[0]?.url).toContain(book.companyIds[0]);
      await waitForNotice(/1 cell changed\./);
      expect(await takeOutputs(page)).toEqual([{ address: `Empty!${first!.cell}`, value: first!.value + 1_000 }]);
    });

    it("shows the changed cells with old and new numbers, and is undone without a request", async () => {
      const changed = changeAtProvider(3);
      await pressAll();
      for (const { cell, value } of changed) await waitFor(page, cell, value + 1_000);
      await waitForNotice(/3 cells changed\./);
      await pane(page).getByRole("button", { name: "What changed" }).click();
      const list = pane(page).getByRole("tabpanel");
      for (const shown of changed.flatMap(({ value }) => [value, value + 1_000])) {
        await list.getByText(shown.toLocaleString("en")).first().waitFor(); // the cells are looked for first
      }
      at.companion.controls.requests.length = 0;
      await takeOutputs(page);
      await pane(page).getByRole("button", { name: /^Undo/ }).click();
      for (const { cell, value } of changed) await waitFor(page, cell, value);
      expect(await readFigures(page, book.figures)).toEqual(before);
      expect(await takeOutputs(page)).toHaveLength(3);
      expect(listRequests(at.companion)).toEqual([]);
    });

    it("that is cancelled leaves every cell unchanged; the next one works, and joins another that starts", async () => {
      const [first] = changeAtProvider(1);
      at.companion.controls.latencyMs = SLOW_MS;
      await pressAll();
      await pane(page).getByRole("button", { name: "Cancel" }).click();
      await waitForNotice(/Cancelled/);
      expect(await readFigures(page, book.figures)).toEqual(before);
      expect(await takeOutputs(page)).toEqual([]);
      at.companion.controls.latencyMs = 500;
      at.companion.controls.requests.length = 0;
      await pressAll();
      await until(() => listRequests(at.companion).length > 0);
      await pressAll();
      await refreshSelected(book.figuresOf(1));
      await waitFor(page, first!.cell, first!.value + 1_000);
      await waitForNotice(/1 cell changed\./);
      expect(listRequests(at.companion)).toEqual(ONE_POST);
    });

    it("that fails keeps the values, and says so", async () => {
      const broken = { status: 500, times: Number.POSITIVE_INFINITY };
      at.companion.controls.answers = { getFinancialsOfMany: broken, getCompanyFinancials: broken };
      await pressAll();
      await waitForNotice(/FEED_SERVER_FAILED/);
      expect(await readFigures(page, book.figures)).toEqual(before);
      expect(await takeOutputs(page)).toEqual([]);
    });
  });

  describe("an operation on a sheet", () => {
    const expectNoRequests = async (figures = book.figures) => {
      await waitForFigures(page, figures);
      expect(await readFigures(page, figures)).toEqual(before);
      expect(listRequests(at.companion)).toEqual([]);
    };
    /** Removes queries without cells. */
    const outliveGrace = () => page.clock.fastForward(GRACE_MS);
    const undo = () => page.evaluate(() => window.playground.undo());

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

      await select("A2:P21");
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
});

describe("a workbook whose window closed as soon as its cells were filled", () => {
  /** 420 figures of three companies. */
  let large: LargeWorkbook;
  let context: BrowserContext;
  /** The cells when the workbook was saved, as its window closed at once. */
  let before: unknown[];
  let saved: object;

  beforeAll(async () => {
    large = await createLargeWorkbook(at.companion, 3);
    context = await at.browser.newContext();
    await context.addInitScript(RECORDING_SCRIPT);
    const page = await open(context);
    await forgetRequests(page, at.companion);
    await enter(page, large);
    expect(listRequests(at.companion)).toEqual(ONE_POST);
    before = await readFigures(page, large.figures);
    saved = await page.evaluate(() => window.playground.save());
    await page.close();
  }, 60_000);
  afterEach(async () => {
    for (const each of context.pages()) await each.close();
  });

  /** Opens the saved workbook in a new window, and waits for each figure. */
  async function reopen(): Promise<Page> {
    const opened = await open(context); // a window that shares the browser's storage
    await openWorkbook(opened, saved);
    await waitForFigures(opened, large.figures);
    return opened;
  }

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
    const bare = await context.newPage();
    await bare.goto(`${at.companion.origin}/functions.json`); // a page of the origin that is not the add-in
    await ageAnswers(bare, large.companyIds, YEAR_MS);
    await bare.close();
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
    const page = await open(context);
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

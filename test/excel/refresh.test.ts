import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { createWorkbook, toAddress } from "../bench/excel/figures";
import { readSheet, toFunctionCalls } from "../bench/excel/sheet";
import { listRequests } from "../e2e/large-workbook";
import type { FunctionCall } from "../office/bridge";
import { type PlayedOffice, playOffice } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkAccess } from "../support/page-access";
import { waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";

/** The values of one cell that crossed the bridge. */
type Crossed = { cell: string; value: unknown }[];

let browser: Browser;
let companion: RunningCompanion;
/** The formulas of 420 figures of three companies, as Excel calls them. */
let calls: (FunctionCall & { address: string })[];
let office: PlayedOffice;
let page: Page;
/** The invocation of each cell, in the order of the calls. */
let running: number[];
/** How many results of each invocation have been read. */
let seen: Map<number, number>;
let before: unknown[];

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
  const sheet = await readSheet(companion.origin, 3);
  companion.controls.reset();
  calls = toFunctionCalls(sheet).map((call, at) => ({ ...call, address: `Sheet1!${toAddress(at)}` }));
  office = await playOffice(browser, { origin: companion.origin, workbook: createWorkbook(sheet, calls.length) });
  ({ page } = office);
  await open();
  before = await callAll();
  await waitUntilConnected(page);
}, 60_000);
beforeEach(() => {
  companion.controls.reset();
  takeCrossed();
});
/** Restores the cells' first values, and leaves no notice for the next test. */
afterEach(async () => {
  companion.controls.reset();
  await closeNotice();
  await refreshAll();
  await waitForNotice(/(No cell|\d cells?) changed\./);
  const isAsBefore = (id: number, index: number) => toValue(office.log.results(id).at(-1)?.value) === before[index];
  await until(() => running.every(isAsBefore));
  await closeNotice();
  expect(office.errors).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Opens or reopens the pane, and waits until its functions are ready. */
async function open(): Promise<void> {
  const openings = countReady();
  await page.goto(`${companion.origin}/taskpane.html`);
  await until(() => countReady() > openings);
}

const countReady = () =>
  office.log.messagesSent.flat().filter(({ name }) => name === "_SetOsfControlContainerReadyForCustomFunctions").length;

/** Makes Excel call the formulas of all cells in one message, and gives each first result. */
async function callAll(): Promise<unknown[]> {
  running = office.host.callMany(calls);
  seen = new Map();
  await office.log.settled(running);
  const first = running.map((id) => toValue(office.log.results(id)[0]?.value));
  takeCrossed();
  return first;
}

/** The results since the last call. */
function takeCrossed(): Crossed {
  return running.flatMap((id, index) => {
    const results = office.log.results(id);
    const fresh = results.slice(seen.get(id) ?? 0);
    seen.set(id, results.length);
    return fresh.map(({ value }) => ({ cell: calls[index]!.address, value: toValue(value) }));
  });
}

/** The same, once a formula that is called now has its result: the runtime sends results in order, some time later. */
async function takeAllCrossed(): Promise<Crossed> {
  const marker = { stream: true, cancelable: true, functionName: "STATUS", parameters: [[["version"]]] };
  const [invocation = 0] = office.host.callMany([marker]);
  await office.log.next(invocation);
  office.host.cancel(invocation);
  return takeCrossed();
}

function toValue(value: unknown): unknown {
  const [[only]] = (Array.isArray(value) ? value : [[value]]) as [[unknown]];
  return typeof only === "object" ? (only as { code?: string } | null)?.code : only;
}

/** Settled after a number of results since the last read; gives all until then. */
async function waitForCrossed(count: number): Promise<Crossed> {
  const crossed: Crossed = [];
  await until(() => crossed.push(...takeCrossed()) >= count);
  return crossed;
}

const refreshAll = () => page.getByRole("button", { name: "Refresh all", exact: true }).click();

async function refresh(scope: "in the selection" | "on this sheet"): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("group", { name: "Menu" }).getByRole("button", { name: "Refresh…", exact: true }).click();
  await page.getByRole("button", { name: new RegExp(`^Refresh .* ${scope}$`) }).click();
}

const waitForNotice = (text: RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor();

/** Closes the pane's notice, if any. */
async function closeNotice(): Promise<void> {
  for (const button of await page.getByRole("button", { name: "Close", exact: true }).all()) await button.click();
}

/** The width Chromium reserves for a search field's clear button. */
const SEARCH_MARK_PX = 18;

/** The free pixels beside the placeholder of an empty field. */
function readSpare(element: Element): number {
  const field = element as HTMLInputElement;
  const context = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
  context.font = getComputedStyle(field).font;
  return field.clientWidth - context.measureText(field.placeholder).width;
}

/** Lines in which one part overlaps the next. */
function listOverlapping(lines: Element[]): (string | null)[] {
  const reaches = ({ lastElementChild }: Element, next: Element) =>
    (lastElementChild?.getBoundingClientRect().right ?? 0) > next.getBoundingClientRect().left;
  const isCrossed = ({ children: [, subject, fate] }: Element) =>
    subject !== undefined && fate !== undefined && reaches(subject, fate);
  return lines.filter(isCrossed).map(({ textContent }) => textContent);
}

/** Three figures that occur in one cell alone, and their new values at the provider. */
function changeThree(): Crossed {
  const alone = before.flatMap((value, index) =>
    typeof value === "number" && before.indexOf(value) === before.lastIndexOf(value) ? [index] : [],
  );
  const chosen = [alone[0], alone[7], alone[14]] as number[];
  const values = chosen.map((index) => Number(before[index]));
  companion.controls.perturb = (value) => (values.includes(value) ? value + 1_000 : value);
  return chosen.map((index) => ({ cell: calls[index]!.address, value: Number(before[index]) + 1_000 }));
}

describe("420 live formulas, on the genuine Office.js", () => {
  it("with one company's 140 selected are refreshed by one request; only changed ones get a value", async () => {
    const changed = changeThree();
    await office.workbook.select("C2:P11");
    await refresh("in the selection");
    await waitForNotice(/\b3 cells changed\./);
    expect(await waitForCrossed(3)).toEqual(changed);
    expect(listRequests(companion)).toEqual(["getCompanyFinancials"]);
    expect(await takeAllCrossed()).toEqual([]);
  });

  it("revert to the values before a refresh, without a request", async () => {
    const changed = changeThree();
    await refreshAll();
    await waitForNotice(/\b3 cells changed\./);
    expect(await waitForCrossed(3)).toEqual(changed);
    companion.controls.requests.length = 0;
    await page.getByRole("button", { name: "What changed" }).click();
    await page.getByRole("button", { name: /^Undo/ }).click();
    const old = changed.map(({ cell, value }) => ({ cell, value: Number(value) - 1_000 }));
    expect(await waitForCrossed(3)).toEqual(old);
    expect(listRequests(companion)).toEqual([]);
  });

  it("are listed when they changed, on 320 pixels without clipping or overlap", async () => {
    companion.controls.perturb = (value) => value * 1.1;
    await refreshAll();
    await waitForNotice(/\d cells changed\./);
    await page.getByRole("button", { name: "What changed" }).click();
    const filter = page.getByRole("searchbox", { name: "Filter" });
    expect(await filter.evaluate(readSpare)).toBeGreaterThan(SEARCH_MARK_PX);
    const lines = page.locator("section", { hasText: /^What changed/ }).getByRole("listitem");
    expect(await lines.evaluateAll(listOverlapping)).toEqual([]);
    await checkAccess(page);
  });

  it("get no value by a refresh that changes nothing", async () => {
    await refresh("on this sheet");
    await waitForNotice(/\bNo cell changed\./);
    expect(listRequests(companion)).toEqual(["getFinancialsOfMany"]);
    expect(await takeAllCrossed()).toEqual([]);
  });

  it.each(["before", "after"])(
    "show their values at once when Excel reruns them, with a cancel %s the call, without a request",
    async (order) => {
      const old = [...running];
      if (order === "before") office.host.cancel(...old);
      const shown = callAll();
      if (order === "after") office.host.cancel(...old);
      expect(await shown).toEqual(before);
      expect(listRequests(companion)).toEqual([]);
    },
  );

  it("show their values first when the workbook is reopened, without a data request", async () => {
    await open();
    expect(await callAll()).toEqual(before);
    await waitUntilConnected(page);
    expect(listRequests(companion)).toEqual([]);
  });
});

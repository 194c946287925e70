import { afterEach, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { type PlayedOffice, playOffice } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { openTab, waitUntilConnected } from "../support/pane-page";
import { createSurroundings } from "./surroundings";

const FIGURE = [[["3d1ce6e7-7fd1-463c-ab13-8646d111213d"]], [[2023]], [["Revenue"]], null, null];

const at = createSurroundings();
let office: PlayedOffice;

afterEach(async () => {
  expect(office.errors).toEqual([]);
  await office.page.context().close();
});

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
  it("is not used by the add-in while its page starts", async () => {
    const page = await open((empty) => empty.addInitScript(recordAccesses));
    await waitUntilConnected(page);
    const accesses = await readAccesses(page);
    expect(accesses.filter(({ isStarting }) => isStarting)).toEqual([]);
    expect(accesses.length).toBeGreaterThan(0);
  });

  it.each([
    [
      "refuses every use",
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })",
    ],
    ["is missing", "Object.defineProperty(window, 'localStorage', { value: undefined })"],
  ])("fills cells and opens the pane where it %s", async (_what, content) => {
    const page = await open((empty) => empty.addInitScript({ content }));
    await waitUntilConnected(page);
    await openTab(page, "Build");
    await page.getByRole("tab", { name: "Build", selected: true }).waitFor();
  });
});

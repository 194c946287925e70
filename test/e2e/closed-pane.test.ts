import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Frame } from "playwright-core";
import { type OfficeHost, openOfficeHost } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { waitUntilConnected } from "../support/pane-page";
import { listPersisted } from "./offline-page";
import { pressRibbon } from "./ribbon";

const FIGURE = [[["3d1ce6e7-7fd1-463c-ab13-8646d111213d"]], [[2023]], [["Revenue"]], null, null];
const WEB = join(__dirname, "../../dist/web");
const REACT = /react\.(transitional\.)?element|fluentui|griffel/i;
const PANE_SCRIPT = /\/pane\.[0-9a-f]{8}\.js$/;

let browser: Browser;
let companion: RunningCompanion;
let host: OfficeHost;
let frame: Frame;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 100 })]);
});
afterAll(async () => {
  await browser.close();
  await companion.close();
});

/** Opens a workbook whose pane is closed. */
beforeEach(async () => {
  host = await openOfficeHost(browser, { origin: companion.origin, isClosed: true });
  frame = host.frame;
});
afterEach(async () => {
  expect(host.errors).toEqual([]);
  await host.close();
});

/** The paths of the add-in's scripts that the page has requested. */
const listScripts = () =>
  frame.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.endsWith(".js"))
      .map(({ pathname }) => pathname),
  );

const said = (text: string | RegExp) => frame.getByRole("status").filter({ hasText: text }).waitFor();
const fillCell = async () => toOutcome(await host.next(host.call("FINANCIAL", FIGURE)));
const tabs = () => frame.getByRole("tab", { includeHidden: true });
const words = () => frame.getByText("This page belongs in Excel");

describe("a workbook whose pane is closed", () => {
  it("fills its first cell without React: no script that it loads contains it", async () => {
    expect(await fillCell()).toEqual({ value: [[expect.any(Number)]] });
    const paths = await listScripts();
    expect(paths).toContain("/taskpane.js");
    const read = (path: string) => readFileSync(join(WEB, path), "utf8");
    expect(paths.filter((path) => PANE_SCRIPT.test(path) || REACT.test(read(path)))).toEqual([]);
    expect(await tabs().count()).toBe(0);
    expect(await frame.evaluate(() => [document.visibilityState, innerWidth])).toEqual(["visible", 0]);
  });

  it("shows the pane once Excel opens it, with the live cells", async () => {
    await fillCell();
    await host.closed.show();
    await waitUntilConnected(frame);
    await frame.getByRole("button", { name: "Refresh all" }).click();
    await said("1 formula refreshed.");
    expect((await listScripts()).filter((path) => PANE_SCRIPT.test(path))).toHaveLength(1);
    expect(await words().count()).toBe(0);
    await saveScreenshot(host.page, "taskpane-opened-later");
  });

  it("shows the pane where Excel only reports that it does", async () => {
    await fillCell();
    await host.closed.notify();
    await tabs().first().waitFor({ state: "attached" });
  });

  it("shows the pane where Excel reports nothing, but not before its frame has a size", async () => {
    await host.closed.setStyle("width:0;height:0");
    await fillCell();
    expect(await tabs().count()).toBe(0);
    await host.closed.setStyle("");
    await waitUntilConnected(frame);
  });

  it("opens the pane by a command of the ribbon, which reports its result there", async () => {
    await pressRibbon(frame, "refreshAll");
    await said("No cell asks for anything yet");
    expect(await frame.evaluate(() => innerWidth)).toBe(320);
  });

  it("says what to do where the pane's script does not come, and shows the pane once it does", async () => {
    await host.page.context().route(PANE_SCRIPT, (route) => route.abort());
    await host.closed.show();
    await words().waitFor({ state: "visible" });
    await host.page.context().unroute(PANE_SCRIPT);
    await host.page.mouse.move(160, 300);
    await waitUntilConnected(frame);
  });

  it("stores its files for use without a network, and those of the pane once it was shown", async () => {
    const isStored = async (path: RegExp) => (await listPersisted(host.page)).some((address) => path.test(address));
    while (!(await isStored(/taskpane\.js$/)));
    expect(await isStored(PANE_SCRIPT)).toBe(false);
    await host.closed.show();
    while (!(await isStored(PANE_SCRIPT)));
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Frame, Page } from "playwright-core";
import { routeOffice } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { checkAccess } from "../support/page-access";
import { waitForStatus, waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";
import { listPersisted } from "./offline-page";
import { pressRibbon } from "./ribbon";
import { createOfficePane } from "./surroundings";

const FIGURE = [[["3d1ce6e7-7fd1-463c-ab13-8646d111213d"]], [[2023]], [["Revenue"]], null, null];
const WEB = join(__dirname, "../../dist/web");
const REACT = /react\.(transitional\.)?element|fluentui|griffel/i;
const PANE_SCRIPT = /\/pane\.[0-9a-f]{8}\.js$/;

const at = createOfficePane();
let frame: Frame;

/** The paths of the add-in's scripts that the page has requested. */
const listScripts = () =>
  frame.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.endsWith(".js"))
      .map(({ pathname }) => pathname),
  );

const said = (text: string) => waitForStatus(frame, text);
const fillCell = async () => toOutcome(await at.host.next(at.host.call("FINANCIAL", FIGURE)));
const tabs = () => frame.getByRole("tab", { includeHidden: true });
const words = () => frame.getByText("This page belongs in Excel");
/** Lets a size take effect. Runs in the page. */
const drawTwice = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined))));
const isStored = async (path: RegExp) => (await listPersisted(at.page)).some((address) => path.test(address));

describe("a workbook whose pane is closed", () => {
  /** Opens a workbook whose pane is closed. */
  beforeEach(async () => {
    await at.open({ isClosed: true });
    frame = at.host.frame;
  });

  it("fills its first cell without React, and shows the pane once Excel opens it, with the live cells", async () => {
    expect(await fillCell()).toEqual({ value: [[expect.any(Number)]] });
    const paths = await listScripts();
    expect(paths).toContain("/taskpane.js");
    const read = (path: string) => readFileSync(join(WEB, path), "utf8");
    expect(paths.filter((path) => PANE_SCRIPT.test(path) || REACT.test(read(path)))).toEqual([]);
    expect(await tabs().count()).toBe(0);
    expect(await frame.evaluate(() => [document.visibilityState, innerWidth])).toEqual(["visible", 0]);
    await until(() => isStored(/taskpane\.js$/)); // for use without a network
    expect(await isStored(PANE_SCRIPT)).toBe(false);

    await at.host.closed.show();
    await waitUntilConnected(frame);
    await frame.getByRole("button", { name: "Refresh all" }).click();
    await said("1 formula refreshed.");
    expect((await listScripts()).filter((path) => PANE_SCRIPT.test(path))).toHaveLength(1);
    expect(await words().count()).toBe(0);
    await until(() => isStored(PANE_SCRIPT));
  });

  it("shows the pane where Excel only reports that it does", async () => {
    await fillCell();
    await at.host.closed.notify();
    await tabs().first().waitFor({ state: "attached" });
  });

  it("shows the pane where Excel reports nothing, but not before its frame has a size", async () => {
    const requested: string[] = [];
    at.page.on("request", (request) => requested.push(request.url()));
    const isPaneRequested = () => requested.some((url) => PANE_SCRIPT.test(url));
    await at.host.closed.setStyle("width:0;height:0");
    await fillCell();
    await at.page.evaluate(drawTwice);
    expect([isPaneRequested(), await tabs().count()]).toEqual([false, 0]);
    await at.host.closed.setStyle("");
    await waitUntilConnected(frame);
    expect(isPaneRequested()).toBe(true);
  });

  it("opens the pane by a command of the ribbon, which reports its result there", async () => {
    await pressRibbon(frame, "refreshAll");
    await said("No cell asks for anything yet");
    expect(await frame.evaluate(() => innerWidth)).toBe(320);
  });

  it("says what to do where the pane's script does not come, and shows the pane once it does", async () => {
    await at.page.context().route(PANE_SCRIPT, (route) => route.abort());
    await at.host.closed.show();
    await words().waitFor({ state: "visible" });
    await at.page.context().unroute(PANE_SCRIPT);
    await at.page.mouse.move(160, 300);
    await waitUntilConnected(frame);
  });

  it("opens the pane by a shortcut, which shows and hides it in turn, also after Excel itself has", async () => {
    const isShown = (state: "visible" | "hidden") => at.page.locator("#pane").waitFor({ state });
    await at.host.pressShortcut("refreshAll");
    await said("No cell asks for anything yet");
    await at.host.pressShortcut("togglePane");
    await isShown("hidden");
    await at.host.pressShortcut("togglePane");
    await isShown("visible");
    await at.host.closed.hide();
    await at.host.pressShortcut("togglePane");
    await isShown("visible");
    await at.host.pressShortcut("togglePane");
    await isShown("hidden");
    await at.host.closed.show();
    await at.host.pressShortcut("togglePane");
    await isShown("hidden");
  });
});

describe("keyboard shortcuts in the open pane", () => {
  const KEYS = { refreshAll: "Ctrl+Alt+Shift+M", refreshSelection: null, aboutCell: "Ctrl+1", togglePane: "Ctrl+2" };

  /** The keys beneath the commands of the menu, by command; each is the tooltip, too. Refresh all has a tooltip alone. */
  async function readKeys(requirementSets?: { keyboardshortcuts: string }): Promise<Record<string, string | null>> {
    const page = await at.open({ shortcuts: KEYS, requirementSets });
    await page.getByRole("button", { name: "Menu" }).click();
    const buttons = page.getByRole("group", { name: "Menu" }).getByRole("button");
    await buttons.first().waitFor();
    if (requirementSets !== undefined) await page.locator("[title='Ctrl+Alt+Shift+M']").waitFor();
    const entries = await buttons.evaluateAll((all) =>
      all.map((each) => {
        const [name = "", keys = null] = (each as HTMLElement).innerText.split("\n");
        return [name, keys === each.getAttribute("title") ? keys : "not the tooltip"] as const;
      }),
    );
    const ofRefresh = await page.getByRole("button", { name: "Refresh all" }).getAttribute("title");
    return { ...Object.fromEntries(entries), "Refresh all": ofRefresh };
  }

  it("stand beneath its commands, as the person has them", async () => {
    const [refreshAll, aboutCell] = [KEYS.refreshAll, KEYS.aboutCell];
    const wanted = { "Refresh all": refreshAll, "About this cell": aboutCell };
    expect(await readKeys({ keyboardshortcuts: "1.1" })).toMatchObject({
      ...wanted,
      "Refresh…": null,
    });
    expect(at.host.actions()).toContain("GetShortcuts");
  });

  it("are absent where Excel has none, which it is then not asked for", async () => {
    const keys = Object.values(await readKeys());
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.every((each) => each === null)).toBe(true);
    await fillCell(); // its result comes after what the pane has sent
    expect(at.host.actions()).not.toContain("GetShortcuts");
  });
});

describe("a page outside Excel", () => {
  let page: Page;

  afterEach(() => page.context().close());

  /** Opens an empty page, as narrow as a pane. */
  async function open(javaScriptEnabled = true): Promise<void> {
    page = await at.browser.newPage({ viewport: { width: 320, height: 720 }, javaScriptEnabled });
    await routeOffice(page, at.companion.origin);
  }

  const load = () => page.goto(`${at.companion.origin}/taskpane.html`);
  /** Ends the moment that the page gives its scripts. */
  const passMoment = () =>
    page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
  const block = (addresses: string) => page.route(addresses, (route) => route.abort());
  const words = () => page.getByText("This page belongs in Excel");

  it("says where it belongs, and leads to the playground", async () => {
    await open();
    await load();
    await words().waitFor();
    await checkAccess(page);
    await page.getByRole("link", { name: "Try the formulas here" }).click();
    await page.waitForURL(`${at.companion.origin}/playground.html`, { waitUntil: "commit" });
  });

  it("says so if Office.js cannot be loaded", async () => {
    await open();
    await block("https://appsforoffice.microsoft.com/**");
    await load();
    await words().waitFor();
  });

  it("says so after a moment if it cannot start at all", async () => {
    await open();
    await block(`${at.companion.origin}/*.js`);
    await load();
    expect(await words().isVisible()).toBe(false);
    await passMoment();
    expect(await words().isVisible()).toBe(true);
  });

  const link = () => page.getByRole("link", { name: "Microsoft Edge WebView2 Runtime" });

  /** Replaces each script of the add-in by one that an old browser might stop at. */
  const breakScripts = () =>
    page.route(`${at.companion.origin}/*.js`, (route) =>
      route.fulfill({ contentType: "text/javascript", body: "a ?.?. b;" }),
    );

  /** The language, address and paragraph of each link to the runtime. Runs in the page. */
  const readLinks = () =>
    [...document.querySelectorAll("a")]
      .filter(({ textContent }) => textContent?.includes("WebView2"))
      .map((each) => [each.closest<HTMLElement>("[lang]")?.lang, each.href, each.closest("p")?.textContent]);

  it.each([
    ["scripts are switched off", false],
    ["the scripts do not parse", true],
  ])("shows in both languages how to have another browser, where %s", async (_what, javaScriptEnabled) => {
    await open(javaScriptEnabled);
    if (javaScriptEnabled) await breakScripts();
    await load();
    await passMoment();
    expect(await link().isVisible()).toBe(true);
    const url = "https://developer.microsoft.com/microsoft-edge/webview2/";
    expect(await page.evaluate(readLinks)).toEqual([
      ["en", url, expect.stringContaining("start Excel again")],
      ["ja", url, expect.stringContaining("Excel を起動し直してください")],
    ]);
  });

  it("shows that at once where the browser is too old to wait", async () => {
    await open();
    await breakScripts();
    await page.route("**/taskpane.html", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll("@supports (inset", "@supports (unknown");
      await route.fulfill({ response, body });
    });
    await load();
    expect(await link().isVisible()).toBe(true);
    await checkAccess(page);
  });
});

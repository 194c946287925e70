import { afterEach, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { routeOffice } from "../office/browser-host";
import { checkAccess } from "../support/page-access";
import { createSurroundings } from "./surroundings";

const at = createSurroundings();
let page: Page;

afterEach(() => page.context().close());

/** Opens an empty page, as narrow as a pane. */
async function open(javaScriptEnabled = true): Promise<void> {
  page = await at.browser.newPage({ viewport: { width: 320, height: 720 }, javaScriptEnabled });
  await routeOffice(page, at.companion.origin);
}

const load = () => page.goto(`${at.companion.origin}/taskpane.html`);

describe("the pane's page outside Excel", () => {
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
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    expect(await words().isVisible()).toBe(true);
  });
});

describe("a browser that cannot run the pane's scripts", () => {
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
  ])("shows in both languages how to have another, where %s", async (_what, javaScriptEnabled) => {
    await open(javaScriptEnabled);
    if (javaScriptEnabled) await breakScripts();
    await load();
    await link().waitFor();
    const url = "https://developer.microsoft.com/microsoft-edge/webview2/";
    expect(await page.evaluate(readLinks)).toEqual([
      ["en", url, expect.stringContaining("start Excel again")],
      ["ja", url, expect.stringContaining("Excel を起動し直してください")],
    ]);
  });

  it("shows it at once where the browser is too old to wait", async () => {
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

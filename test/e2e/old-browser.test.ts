import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { routeOffice } from "../office/browser-host";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkAccess } from "../support/page-access";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 20 })]);
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser.close();
  await companion.close();
});

/** Opens an empty page, as narrow as a pane. */
async function open(javaScriptEnabled: boolean): Promise<void> {
  page = await browser.newPage({ viewport: { width: 320, height: 720 }, javaScriptEnabled });
  await routeOffice(page, companion.origin);
}

const load = () => page.goto(`${companion.origin}/taskpane.html`);

/** The language, address and paragraph of each link to the runtime. Runs in the page. */
function readLinks(): [language: string | undefined, address: string, text: string | null | undefined][] {
  return [...document.querySelectorAll("a")]
    .filter(({ textContent }) => textContent?.includes("WebView2"))
    .map((link) => [link.closest<HTMLElement>("[lang]")?.lang, link.href, link.closest("p")?.textContent]);
}

/** Replaces each script of the add-in by one that an old browser might stop at. */
const breakScripts = () =>
  page.route(`${companion.origin}/*.js`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: "a ?.?. b;" }),
  );

describe("a browser that cannot run the pane's scripts", () => {
  it.each([
    ["scripts are switched off", false],
    ["the scripts do not parse", true],
  ])("shows in both languages how to have another, where %s", async (_what, javaScriptEnabled) => {
    await open(javaScriptEnabled);
    if (javaScriptEnabled) await breakScripts();
    await load();
    await page.getByRole("link", { name: "Microsoft Edge WebView2 Runtime" }).waitFor();
    const url = "https://developer.microsoft.com/microsoft-edge/webview2/";
    expect(await page.evaluate(readLinks)).toEqual([
      ["en", url, expect.stringContaining("start Excel again")],
      ["ja", url, expect.stringContaining("Excel を起動し直してください")],
    ]);
  });

  it("shows it at once where the browser is too old to wait", async () => {
    await open(true);
    await breakScripts();
    await page.route("**/taskpane.html", async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll("@supports (inset", "@supports (unknown"),
      });
    });
    await load();
    expect(await page.getByRole("link", { name: "Microsoft Edge WebView2 Runtime" }).isVisible()).toBe(true);
    await checkAccess(page);
    await saveScreenshot(page, "taskpane-old-browser");
  });
});

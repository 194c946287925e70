import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser } from "playwright-core";
import { type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";

const SUPPORTED = { keyboardshortcuts: "1.1" };
const KEYS = { refreshAll: "Ctrl+Alt+Shift+M", refreshSelection: null, aboutCell: "Ctrl+1", togglePane: "Ctrl+2" };

let browser: Browser;
let companion: RunningCompanion;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 100 })]);
});
afterAll(async () => {
  await browser.close();
  await companion.close();
});

const open = (options: Partial<OfficeHostOptions>) => openOfficeHost(browser, { origin: companion.origin, ...options });

/** The keys beneath the commands of the menu, by command; each is the tooltip, too. Refresh all has a tooltip alone. */
async function readKeys(options: Partial<OfficeHostOptions>): Promise<Record<string, string | null>> {
  const { page, close } = await open(options);
  await page.getByRole("button", { name: "Menu" }).click();
  const buttons = page.getByRole("group", { name: "Menu" }).getByRole("button");
  await buttons.first().waitFor();
  if (options.requirementSets !== undefined) await page.locator("[title='Ctrl+Alt+Shift+M']").waitFor();
  await saveScreenshot(page, `taskpane-shortcuts-${options.requirementSets === undefined ? "without" : "with"}`);
  const entries = await buttons.evaluateAll((all) =>
    all.map((each) => {
      const [name = "", keys = null] = (each as HTMLElement).innerText.split("\n");
      return [name, keys === each.getAttribute("title") ? keys : "not the tooltip"] as const;
    }),
  );
  const ofRefresh = await page.getByRole("button", { name: "Refresh all" }).getAttribute("title");
  await close();
  return { ...Object.fromEntries(entries), "Refresh all": ofRefresh };
}

describe("keyboard shortcuts, on the genuine Office.js", () => {
  it("run a command in a closed pane, which opens it and shows the result", async () => {
    const host = await open({ isClosed: true });
    await host.pressShortcut("refreshAll");
    await host.frame.getByRole("status").filter({ hasText: "No cell asks for anything yet" }).waitFor();
    expect(host.errors).toEqual([]);
    await host.close();
  });

  it("show and hide the pane in turn, also after Excel itself has opened or closed it", async () => {
    const host = await open({ isClosed: true });
    const pane = host.page.locator("#pane");
    const isShown = (state: "visible" | "hidden") => pane.waitFor({ state });
    await host.pressShortcut("togglePane");
    await isShown("visible");
    await host.pressShortcut("togglePane");
    await isShown("hidden");
    await host.closed.show();
    await host.pressShortcut("togglePane");
    await isShown("hidden");
    await host.pressShortcut("togglePane");
    await isShown("visible");
    await host.closed.hide();
    await host.pressShortcut("togglePane");
    await isShown("visible");
    expect(host.errors).toEqual([]);
    await host.close();
  });

  it("stand beneath the pane's commands, as the person has them", async () => {
    const keys = await readKeys({ requirementSets: SUPPORTED, shortcuts: KEYS });
    expect(keys).toMatchObject({
      "Refresh all": "Ctrl+Alt+Shift+M",
      "Refresh selection": null,
      "About this cell": "Ctrl+1",
      "Refresh sheet": null,
    });
  });

  it("are absent from the pane where Excel has none, which it is then not asked for", async () => {
    const keys = Object.values(await readKeys({ shortcuts: KEYS }));
    expect(keys.length).toBeGreaterThan(10);
    expect(keys.every((each) => each === null)).toBe(true);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openTab, waitUntilConnected } from "../support/pane-page";

let browser: Browser;
let companion: RunningCompanion;
let host: OfficeHost;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 100 })]);
});
afterEach(() => host.close());
afterAll(async () => {
  await browser.close();
  await companion.close();
});

async function open(options: Partial<OfficeHostOptions> = {}): Promise<Page> {
  host = await openOfficeHost(browser, { origin: companion.origin, ...options });
  const { page } = host;
  await waitUntilConnected(page);
  await openTab(page, "Sheets");
  return page;
}

describe("the sheets of a workbook, on the genuine Office.js", () => {
  it("are created by Excel and stored with the refresh policy, which applies at the next opening", async () => {
    const settings: Record<string, string> = {};
    const page = await open({ settings });
    await page.getByRole("button", { name: "Create sheet" }).click();
    await page.getByRole("button", { name: "Show Ranking" }).waitFor();
    await page.getByLabel("Refresh automatically").selectOption("Every 5 minutes");
    await page.getByText(/Next at/).waitFor();
    expect(host.workbook.active.name).toBe("Ranking");
    expect(host.workbook.cell("Ranking!A13").formula).toMatch(/^=FEED\.RANKING\(B3, ?B4, ?B5, /);
    while (!settings.feed?.includes('"rankings":"every-5"')) await page.evaluate(() => undefined);
    await host.close();
    const next = await open({ settings });
    expect(await next.getByRole("heading", { level: 2 }).nth(0).textContent()).toBe("Sheets made here");
    await next.getByText(/Next at/).waitFor();
    // The next one is another workbook with the list but without the sheet.
    await next.getByRole("button", { name: "Show Ranking" }).click();
    await next.getByText(/There is no sheet "Ranking" in this workbook/).waitFor();
    expect(host.errors).toEqual([]);
  });

  it.each(['{"refreshMinutes":0.01,"sheets":"all"}', '{"refresh":"every-1","sheets":[{"name":5}]}'])(
    "are none, without a scheduled refresh, if the workbook holds %s",
    async (feed) => {
      const page = await open({ settings: { feed } });
      await page.getByText(/None yet/).waitFor();
      expect(await page.getByLabel("Refresh automatically").inputValue()).toBe("open");
      expect(host.errors).toEqual([]);
    },
  );
});

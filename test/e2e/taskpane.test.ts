import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost, routeOffice } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { checkAccess } from "../support/page-access";
import { CONNECTED, openSettings } from "../support/pane-page";

const ALWAYS = Number.POSITIVE_INFINITY;
const JANUARY_1904 = { start: 43_830, end: 43_860 };

let browser: Browser;
let companion: RunningCompanion;
let host: OfficeHost;
let page: Page;
/** A figure read directly from the API, and the parameters of its formula. */
let figure: { value: number; parameters: unknown[] };

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
  figure = await readFigure();
  companion.controls.reset();
});
afterEach(() => companion.controls.reset());
afterAll(async () => {
  await browser.close();
  await companion.close();
});

async function readFigure() {
  const read = await createDirectReading(companion.origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=ALL");
  for (const { id } of page.data) {
    const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
    const [year] = years;
    const metrics = year?.statements.flatMap((statement) => statement.metrics) ?? [];
    const revenues = metrics.filter(({ name, value }) => name === "Revenue" && typeof value === "number");
    if (year && revenues.length === 1) {
      return { value: Number(revenues[0]?.value), parameters: [[[id]], [[year.year]], [["Revenue"]], null, null] };
    }
  }
  throw new Error("no company has just one revenue in its first year");
}

async function open(options: Partial<OfficeHostOptions> = {}): Promise<Page> {
  host = await openOfficeHost(browser, { origin: companion.origin, ...options });
  return host.page;
}

const status = (page: Page, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
const nextValue = async (invocationId: number) => toOutcome(await host.next(invocationId));
const toGrid = (value: number) => ({ value: [[value]] });

/** Opens one pane for all tests of a group, since opening is slow. */
async function openForAll(): Promise<void> {
  page = await open();
  await status(page, CONNECTED);
}

describe("the pane in Excel, on the genuine Office.js", () => {
  beforeAll(openForAll);
  afterAll(() => host.close());

  it("connects, violates no content security policy and loads scripts from Microsoft alone", async () => {
    await openSettings(page);
    await page.getByText("From the key to a token").click();
    const steps = await page.getByRole("list", { name: "Steps of connecting" }).getByRole("listitem").allInnerTexts();
    expect(steps).toHaveLength(3);
    for (const step of steps) expect(step).toMatch(/\d+ ms$/);
    expect(host.errors).toEqual([]);
    expect(host.foreign.every((address) => address.startsWith("https://appsforoffice.microsoft.com/lib/1/"))).toBe(
      true,
    );
  });

  it("works by keyboard alone, and never loses focus", async () => {
    await page.reload(); // so that nothing has the focus yet
    await status(page, CONNECTED);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const pressTab = async () => {
      await page.keyboard.press("Tab");
      return focused();
    };
    const pressEnter = () => page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "FEED for Excel" }).click(); // the tab order goes on from there
    expect(await pressTab()).toBe("Refresh all");
    await pressEnter();
    await status(page, "No cell asks for anything yet");
    expect(await focused()).toBe("Refresh all");
    expect([await pressTab(), await pressTab(), await pressTab()]).toEqual(["⋯", "Connected · sample data", "Find"]);
    await page.keyboard.press("Shift+Tab");
    await pressEnter();
    expect(await focused()).toBe("Settings");
    expect(await pressTab()).toBe("Connect again");
    expect(await pressTab()).toBe("Disconnect");
    await pressEnter();
    await status(page, "Disconnected.");
    expect(await focused()).toBe("Connect");
    await pressEnter();
    await status(page, CONNECTED);
    expect(await focused()).toBe("Connect again");
    await page.keyboard.press("Shift+Tab");
    await pressEnter(); // Back
    expect(await focused()).toBe("Connected · sample data");
  });
});

describe("a live cell beside the pane", () => {
  beforeAll(openForAll);
  afterAll(() => host.close());

  it("shares its session with the pane: one token serves both, and Refresh all reaches it", async () => {
    const cell = host.call("FINANCIAL", figure.parameters);
    expect(await nextValue(cell)).toEqual(toGrid(figure.value));
    companion.controls.perturb = (value) => value + 1000;
    await press(page, "Refresh all");
    expect(await nextValue(cell)).toEqual(toGrid(figure.value + 1000));
    await status(page, "1 formula refreshed.");
    expect(companion.controls.count("createToken")).toBe(1);
  });

  it("keeps its value when its refresh fails, with the reason and the remedy", async () => {
    const cell = host.call("FINANCIAL", figure.parameters);
    await nextValue(cell);
    companion.controls.answers.getCompanyFinancials = { status: 403, times: ALWAYS };
    await press(page, "Refresh all");
    await status(page, "2 of 2 formulas could not be refreshed; cells that had a value keep it"); // the other test's lives on
    await status(page, "What to do: ask your administrator or the provider for this data family or country");
    expect(host.results(cell)).toHaveLength(1);
    await saveScreenshot(page, "taskpane-refresh-failed");
  });
});

describe("the pane in a particular Excel", () => {
  afterEach(() => host.close());

  it("names the step at which the credentials were refused, and continues when they are accepted", async () => {
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    const page = await open();
    const cell = host.call("FINANCIAL", figure.parameters);
    await page.getByRole("button", { name: "Connect to sample data…" }).click();
    await status(page, "Not connected.");
    const refused = page.getByRole("listitem").filter({ hasText: "Provider gives a token" });
    const reason = await refused.innerText();
    expect(reason).toMatch(/failed, \d+ ms/);
    expect(reason).toContain("What to do: check client id");
    expect(reason).toContain("FEED_TOKEN_REFUSED");
    expect(await nextValue(cell)).toMatchObject({ error: { code: "#N/A" } });
    await checkAccess(page);
    await saveScreenshot(page, "taskpane-refused");
    companion.controls.reset();
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await status(page, CONNECTED);
    expect(await nextValue(cell)).toEqual(toGrid(figure.value));
  });

  it("reads date serials by the workbook's date system, 1904 too", async () => {
    await open({ dateSystem: 1904 });
    const cell = host.call("RANKING", [[[JANUARY_1904.start]], [[JANUARY_1904.end]], [[5]], null, null, null]);
    const isRequested = () =>
      companion.controls.requests.some(({ url }) => url.includes("2024-01-01") && url.includes("2024-01-31"));
    while (!isRequested()) await host.next(cell);
    expect(host.computed).toContain("Date");
  });
});

describe("the pane's appearance", () => {
  afterEach(() => host.close());

  const english = { language: "en-US", country: "Default country" } as const;
  const japanese = { language: "ja-JP", country: "既定の国" } as const;
  const looks = [
    { name: "light", theme: "light", ...english },
    { name: "dark", theme: "dark", ...english },
    { name: "ja", theme: "light", ...japanese },
  ] as const;

  for (const { name, country, ...options } of looks) {
    it(`the settings fit 270 and 400 pixels and are accessible: ${name}`, async () => {
      const page = await open(options);
      await status(page, CONNECTED);
      await openSettings(page);
      for (const width of [270, 400]) {
        await page.setViewportSize({ width, height: 1060 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        await checkAccess(page);
        await saveScreenshot(page, `taskpane-settings-${name}-${width}`);
      }
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(options.language);
      await page.getByRole("combobox", { name: country }).click();
      await page.getByRole("option").first().waitFor();
      await checkAccess(page);
      await saveScreenshot(page, `taskpane-${name}-countries`);
      await page.keyboard.type("Mars");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("listbox").count()).toBe(0);
      expect(await page.getByRole("combobox", { name: country }).inputValue()).toBe("Mars");
      await checkAccess(page);
      await saveScreenshot(page, `taskpane-${name}-no-country`);
    });
  }
});

describe("the open pane's appearance", () => {
  beforeAll(openForAll);
  afterAll(() => host.close());

  it("stays readable in a contrast theme of Windows", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await checkAccess(page);
    await saveScreenshot(page, "taskpane-contrast");
    await page.emulateMedia({ forcedColors: "none" });
  });

  it("follows Office when its theme changes", async () => {
    expect(await isDark(page)).toBe(false);
    await host.changeTheme("dark");
    await page.clock.setFixedTime(Date.now() + 10_000); // Office.js caches a theme for five seconds
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    expect(await isDark(page)).toBe(true);
  });
});

describe("the pane's page outside Excel", () => {
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 320, height: 720 } });
    await routeOffice(page, companion.origin);
  });
  afterEach(() => page.close());

  const block = (addresses: string) => page.route(addresses, (route) => route.abort());
  const load = () => page.goto(`${companion.origin}/taskpane.html`);
  const words = () => page.getByText("This page belongs in Excel");

  it("says where it belongs, and leads to the playground", async () => {
    await load();
    await words().waitFor();
    await checkAccess(page);
    await saveScreenshot(page, "taskpane-outside");
    await page.getByRole("link", { name: "Try the formulas here" }).click();
    await page.waitForURL(`${companion.origin}/playground.html`, { waitUntil: "commit" });
  });

  it("says so if Office.js cannot be loaded", async () => {
    await block("https://appsforoffice.microsoft.com/**");
    await load();
    expect(await words().isVisible()).toBe(true);
  });

  it("says so after a moment if it cannot start at all", async () => {
    await block(`${companion.origin}/*.js`);
    await load();
    expect(await words().isVisible()).toBe(false);
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    expect(await words().isVisible()).toBe(true);
  });
});

/** Decided by the brightness of the page's background. */
const isDark = (page: Page) =>
  page.evaluate(() => {
    const provider = document.querySelector(".fui-FluentProvider");
    const [red = 255] =
      getComputedStyle(provider as Element)
        .backgroundColor.match(/\d+/g)
        ?.map(Number) ?? [];
    return red < 128;
  });

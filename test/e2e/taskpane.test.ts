import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { METRICS } from "../../src/contract/parameter-values";
import type { CompanyPage } from "../../src/contract/types";
import { toTexts } from "../../src/taskpane/texts";
import type { OfficeHostOptions } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { createDirectReading, readRevenue } from "../support/direct-reading";
import { checkAccess, checkFit, readOverflow } from "../support/page-access";
import { openSettings, openTab, waitForStatus, waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";
import { pressRibbon } from "./ribbon";
import { createOfficePane } from "./surroundings";

const ALWAYS = Number.POSITIVE_INFINITY;
const JANUARY_1904 = { start: 43_830, end: 43_860 };

const SWITCH = "Numbers carry currency, fiscal year and statement";
const NAMES = "Names of companies in cells";
const COUNTRY = "Default country";
const TIME_ZONE = "Time zone of relative dates";
const CHOSEN = { numberProperties: true, country: "SGP", timeZone: "Pacific/Kiritimati" };
/** The parameters of a formula that uses the default country. */
const FOUND = [[["sakura"]], null, [[1]], null, null];

const at = createOfficePane({ companies: 200 });
/** A figure read directly from the API, and the parameters of its formula. */
let figure: Awaited<ReturnType<typeof readRevenue>>;

beforeAll(async () => {
  figure = await readRevenue(at.companion.origin);
  at.companion.controls.reset();
  await at.open();
  await waitUntilConnected(at.page);
});

const status = (text: string) => waitForStatus(at.page, text);
const focused = () => at.page.evaluate(() => document.activeElement?.textContent);
const nextValue = async (invocationId: number) => toOutcome(await at.host.next(invocationId));
const toGrid = (value: number) => ({ value: [[value]] });

/** Decided by the brightness of the page's background. */
const isDark = () =>
  at.page.evaluate(() => {
    const provider = document.querySelector(".fui-FluentProvider") as Element;
    return Number(getComputedStyle(provider).backgroundColor.match(/\d+/)?.[0] ?? 255) < 128;
  });

describe("the pane in Excel, on the genuine Office.js", () => {
  it("connects, violates no content security policy and loads scripts from Microsoft alone", async () => {
    await openSettings(at.page);
    await at.page.getByText("From the key to a token").click();
    const steps = at.page.getByRole("list", { name: "Steps of connecting" }).getByRole("listitem");
    const texts = await steps.allInnerTexts();
    expect(texts).toHaveLength(3);
    for (const step of texts) expect(step).toMatch(/\d+ ms$/);
    const others = at.host.foreign.filter(
      (address) => !address.startsWith("https://appsforoffice.microsoft.com/lib/1/"),
    );
    expect(others).toEqual([]);
  });

  it("works by keyboard alone, and never loses focus", async () => {
    await at.page.reload(); // so that nothing has the focus yet
    await waitUntilConnected(at.page);
    const press = async (...keys: string[]) => {
      for (const key of keys) await at.page.keyboard.press(key);
      return focused();
    };
    await at.page.getByRole("heading", { name: "FEED for Excel" }).click(); // the tab order goes on from there
    expect(await press("Tab")).toBe("Refresh all");
    await press("Enter");
    await status("No cell asks for anything yet");
    expect(await focused()).toBe("Refresh all");
    expect([await press("Tab"), await press("Tab"), await press("Tab")]).toEqual([
      "⋯",
      "Connected · sample data",
      "Find",
    ]);
    expect(await press("Shift+Tab", "Enter")).toBe("Settings");
    expect([await press("Tab"), await press("Tab")]).toEqual(["Connect again", "Disconnect"]);
    await press("Enter");
    await status("Disconnected.");
    expect(await focused()).toBe("Connect");
    await press("Enter");
    await waitUntilConnected(at.page);
    expect(await focused()).toBe("Connect again");
    expect(await press("Shift+Tab", "Enter")).toBe("Connected · sample data"); // Back
  });
});

describe("a live cell beside the pane", () => {
  const refresh = () => at.page.getByRole("button", { name: "Refresh all" }).click();
  let cell: number;

  beforeEach(() => {
    cell = at.host.call("FINANCIAL", figure.parameters);
  });
  afterEach(() => at.host.cancel(cell));

  it("shares its session with the pane: one token serves both, and Refresh all reaches it", async () => {
    expect(await nextValue(cell)).toEqual(toGrid(figure.value));
    at.companion.controls.perturb = (value) => value + 1000;
    await refresh();
    expect(await nextValue(cell)).toEqual(toGrid(figure.value + 1000));
    await status("1 formula refreshed.");
    expect(at.companion.controls.count("createToken")).toBe(0); // the pane had got it
  });

  it("keeps its value when its refresh fails, with the reason and the remedy", async () => {
    await nextValue(cell);
    at.companion.controls.answers.getCompanyFinancials = { status: 403, times: ALWAYS };
    await refresh();
    await status("1 of 1 formula could not be refreshed; cells that had a value keep it");
    await status("What to do: ask your administrator or the provider for this data family or country");
    expect(at.host.results(cell)).toHaveLength(1);
  });
});

describe("the pane in a particular Excel", () => {
  it("follows Office when its theme changes", async () => {
    expect(await isDark()).toBe(false);
    await at.host.changeTheme("dark");
    await at.page.clock.setFixedTime(Date.now() + 10_000); // Office.js caches a theme for five seconds
    await at.page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await until(isDark);
  });

  it("keeps messages in sight above the part that scrolls, and each tab where it was scrolled to", async () => {
    const page = await at.open();
    await waitUntilConnected(page);
    const height = 480;
    await page.setViewportSize({ width: 320, height });
    const panel = (name: string) => page.getByRole("tabpanel", { name, exact: true });
    const isInSight = async (element: Locator) => {
      const { y = -1, height: own = 0 } = (await element.boundingBox()) ?? {};
      return y >= 0 && y + own <= height;
    };
    const readScroll = (name: string) => panel(name).evaluate(({ scrollTop }) => scrollTop);
    await openTab(page, "Sheets");
    const create = page.getByRole("button", { name: "Create sheet" });
    await create.waitFor();
    expect(await isInSight(create)).toBe(true);
    const bar = await create.locator("..").boundingBox();
    expect(Math.round(bar!.y + bar!.height)).toBe(height); // nothing shows below it
    await panel("Sheets").evaluate((element) => element.scrollTo(0, 120));
    await page.getByRole("button", { name: "Refresh all" }).click();
    await status("No cell asks for anything yet");
    expect(await isInSight(page.getByText("No cell asks for anything yet"))).toBe(true);
    expect(await readScroll("Sheets")).toBe(120);
    await openTab(page, "Changes");
    expect(await readScroll("Changes")).toBe(0);
    await openTab(page, "Sheets");
    expect(await readScroll("Sheets")).toBe(120);
  });

  it.each([
    { language: "en-US", theme: "light", country: "Default country" },
    { language: "ja-JP", theme: "dark", country: "既定の国" },
  ] as const)(
    "has room for every tab and the settings on 270 to 400 pixels, and is accessible, in high contrast too: $language, $theme",
    async ({ country, ...look }) => {
      const page = await at.open(look);
      const texts = toTexts(look.language);
      const checkLooks = async () => {
        await checkAccess(page);
        if (look.theme === "dark") return;
        await page.emulateMedia({ forcedColors: "active" });
        await checkAccess(page, { runOnly: ["color-contrast"] }); // no other rule depends on colours
        await page.emulateMedia({ forcedColors: "none" });
      };
      const fits = async (lines: number) => {
        for (const width of [270, 320]) {
          await page.setViewportSize({ width, height: 720 });
          expect([await readOverflow(page), await countLines(page)]).toEqual([0, lines]);
        }
        await checkLooks();
      };
      await waitUntilConnected(page);
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(look.language);
      for (const label of Object.values(texts.parts)) {
        await openTab(page, label);
        await page.getByRole("tabpanel", { name: label, exact: true }).waitFor();
        await fits(1);
      }
      await page.getByRole("button", { name: texts.ofCommands.more }).click();
      await fits(1);
      await page.getByRole("button", { name: texts.ofHead.settings, exact: true }).click();
      await page.getByRole("heading", { name: texts.ofHead.settings }).waitFor();
      await fits(0);
      await checkFit(page, 400);
      await page.getByRole("combobox", { name: country }).click();
      await page.locator("[role=listbox] [role=option]").first().waitFor();
      await checkLooks();
      await page.keyboard.type("Mars");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      await checkLooks();
    },
  );
});

describe("the ribbon's commands, on the genuine Office.js", () => {
  beforeAll(() => at.open({ dateSystem: 1904 }));

  it.each([
    ["refreshAll", "No cell asks for anything yet"],
    ["refreshSelection", "The selection holds no FEED formula."],
    ["freeze", "This workbook holds no FEED formula to freeze."],
    ["repair", "No FEED formula in this workbook needs repair"],
  ])("%s completes, and reports its result in the pane", async (command, words) => {
    await pressRibbon(at.page, command);
    await status(words);
  });

  it("lead to the help page of the selected formula, and replace it by its value once the person confirms", async () => {
    at.host.workbook.enterFormula("B2", '=FEED.RANKING("2024-01",,1)', 42);
    await at.host.workbook.select("B2");
    await pressRibbon(at.page, "help");
    const link = at.page.getByRole("link", { name: "Open the help page on FEED.RANKING" });
    expect((await fetch((await link.getAttribute("href")) ?? "")).status).toBe(200);
    await pressRibbon(at.page, "freeze");
    await status("in the place of FEED formulas?");
    expect(at.host.workbook.cell("B2").formula).toContain("FEED.RANKING");
    await at.page.getByRole("button", { name: "Freeze 1 FEED formula in the selection" }).click();
    await status("1 formula is a value now.");
    expect(at.host.workbook.cell("B2")).toMatchObject({ value: 42, formula: null });
  });

  it("are beside formulas that read date serials by the workbook's date system, 1904 too", async () => {
    const cell = at.host.call("RANKING", [[[JANUARY_1904.start]], [[JANUARY_1904.end]], [[5]], null, null, null]);
    await until(async () => {
      await at.host.next(cell);
      return at.companion.controls.requests.some(({ url }) => /2024-01-01.*2024-01-31/.test(url));
    });
    expect(at.host.computed).toContain("Date");
  });
});

/** The number of lines that the pane's tabs take; none while the settings are open. */
async function countLines(page: Page): Promise<number> {
  const tabs = page.getByRole("tablist", { name: "FEED for Excel" }).getByRole("tab");
  return new Set(await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))).size;
}

async function open(options: Partial<OfficeHostOptions> = {}): Promise<Page> {
  const { origin } = at.companion;
  // Find, which builds an index of names, stays closed.
  const storageState = { cookies: [], origins: [{ origin, localStorage: [{ name: "feed.part", value: "changes" }] }] };
  const page = await at.open({ context: { storageState }, ...options });
  await waitUntilConnected(page);
  await openSettings(page);
  // The pane's own requests are done, so later ones are the formulas'.
  await page.getByText("all data", { exact: true }).waitFor();
  at.companion.controls.reset();
  return page;
}

const toggle = (page: Page) => page.getByRole("switch", { name: SWITCH }).click();
const readSwitch = (page: Page) => page.getByRole("switch", { name: SWITCH }).isChecked();
const readFields = (page: Page) =>
  Promise.all([COUNTRY, TIME_ZONE].map((name) => page.getByRole("combobox", { name }).inputValue()));
const nextCell = async (cell: number) => ((await at.host.next(cell)).value as unknown[][])[0]?.[0];
const text = (basicValue: string) => ({ type: "String", basicType: "String", basicValue });
const dateOf = (numberFormat: string) => ({ type: "FormattedNumber", basicValue: expect.any(Number), numberFormat });

/** The figure with properties, as sent to the host. */
const toCarrying = () => ({
  type: "Double",
  basicType: "Double",
  basicValue: figure.value,
  properties: {
    Currency: text("JPY"),
    "Fiscal year": { type: "Double", basicType: "Double", basicValue: figure.year },
    "Period end": dateOf("yyyy-mm-dd"),
    Statement: text("INCOME_STATEMENT"),
    Consolidation: text("CONSOLIDATED"),
    "Fetched at": dateOf("yyyy-mm-dd hh:mm"),
  },
});

async function chooseTimeZone(page: Page, name: string): Promise<void> {
  const field = page.getByRole("combobox", { name: TIME_ZONE });
  await field.click();
  await field.fill(name);
  await page.getByRole("option", { name, exact: true }).click();
}

/** The countries of the provider's requests, each once, in order. */
function listCountries(): string[] {
  const urls = at.companion.controls.requests.map(({ url }) => new URL(url, at.companion.origin));
  return [...new Set(urls.map(({ searchParams }) => searchParams.get("country")))].filter((value) => value !== null);
}

describe("the settings of a workbook, on the genuine Office.js", () => {
  const settings: Record<string, string> = {};
  beforeAll(() => open({ settings }));
  afterAll(() => at.host.close());

  it("show numbers without properties, which a click toggles in live cells without a request", async () => {
    const { page } = at;
    expect(await readSwitch(page)).toBe(false);
    const cell = at.host.call("FINANCIAL", figure.parameters);
    expect(await nextCell(cell)).toBe(figure.value);
    const requestsBefore = at.companion.controls.requests.length;
    await toggle(page);
    expect(await nextCell(cell)).toEqual(toCarrying());
    await toggle(page);
    expect(await nextCell(cell)).toBe(figure.value);
    expect(at.companion.controls.requests).toHaveLength(requestsBefore);
  });

  it("have a country that is entered by keyboard and used at once by live formulas", async () => {
    const { page } = at;
    const found = at.host.call("COMPANY.FIND", FOUND);
    await nextCell(found);
    expect(listCountries()).toEqual(["JPN"]);
    await toggle(page);
    await page.getByRole("combobox", { name: NAMES }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("singap");
    await page.keyboard.press("Enter");
    expect(await readFields(page)).toEqual(["SGP", "Asia/Tokyo"]);
    await nextCell(found);
    expect(listCountries()).toEqual(["JPN", "SGP"]);
    await chooseTimeZone(page, CHOSEN.timeZone);
    await until(() => settings.feed?.includes(CHOSEN.timeZone));
    expect(JSON.parse(settings.feed ?? "")).toMatchObject(CHOSEN);
  });

  it("include the sheets that Excel has created, and their refresh policy", async () => {
    const { page } = at;
    await page.getByRole("button", { name: "Back" }).click();
    await openTab(page, "Sheets");
    await page.getByRole("button", { name: "Create sheet" }).click();
    await page.getByRole("button", { name: "Show Ranking" }).waitFor();
    await page.getByRole("heading", { name: "Refresh" }).click();
    await page.getByLabel("Refresh automatically").selectOption("Every 5 minutes");
    await page.getByText(/Next at/).waitFor();
    expect(at.host.workbook.active.name).toBe("Ranking");
    expect(at.host.workbook.cell("Ranking!A13").formula).toMatch(/^=FEED\.RANKING\(B3, ?B4, ?B5, /);
    await until(() => settings.feed?.includes('"rankings":"every-5"'));
  });

  it("apply to the next person", async () => {
    const page = await open({ settings });
    expect(await readSwitch(page)).toBe(true);
    expect(await readFields(page)).toEqual([CHOSEN.country, CHOSEN.timeZone]);
    expect(await nextCell(at.host.call("FINANCIAL", figure.parameters))).toEqual(toCarrying());
    await nextCell(at.host.call("COMPANY.FIND", FOUND));
    expect(listCountries()).toEqual([CHOSEN.country]);
    await page.getByRole("button", { name: "Back" }).click();
    await openTab(page, "Sheets");
    expect(await page.getByRole("heading", { level: 2 }).nth(0).textContent()).toBe("Sheets made here");
    await page.getByText(/Next at/).waitFor();
    // This is another workbook with the list but without the sheet.
    await page.getByRole("button", { name: "Show Ranking" }).click();
    await page.getByText(/There is no sheet "Ranking" in this workbook/).waitFor();
  });

  it("apply for now if the workbook refuses to store them, and the pane says why", async () => {
    const page = await open({ settings: null });
    const refusal = page.getByRole("status").filter({ hasText: "The workbook did not keep this setting" });
    await chooseTimeZone(page, CHOSEN.timeZone);
    await refusal.filter({ hasText: "The settings could not be saved" }).waitFor();
    expect(await readFields(page)).toEqual(["JPN", CHOSEN.timeZone]);
    await toggle(page);
    expect(await nextCell(at.host.call("FINANCIAL", figure.parameters))).toEqual(toCarrying());
    expect(await refusal.count()).toBe(1);
  });
});

describe("a list of 180 changed cells", () => {
  const COMPANIES = 60;
  const YEARS = [2021, 2022, 2023];
  const CELLS = COMPANIES * YEARS.length;
  const [METRIC = ""] = Object.values(METRICS).flat();

  /** Opens a workbook full of figures, refreshes them with other values, and shows them. */
  beforeAll(async () => {
    const read = await createDirectReading(at.companion.origin);
    const { data } = await read<CompanyPage>(`/asia/private-markets/v1/companies?country=ALL&page_size=${COMPANIES}`);
    const page = await at.open({ theme: "dark" });
    const calls = data.flatMap(({ id }) => YEARS.map((year) => ({ id, year })));
    const cells = calls.map(({ id, year }, row) => {
      at.host.workbook.enterFormula(`B${row + 1}`, `=FEED.FINANCIAL("${id}",${year},"${METRIC}")`, 1);
      return at.host.call("FINANCIAL", [[[id]], [[year]], [[METRIC]], null, null], { address: `Sheet1!B${row + 1}` });
    });
    await Promise.all(cells.map(at.host.next));
    at.companion.controls.perturb = (value) => value + 1;
    await openTab(page, "Changes");
    await page.getByRole("button", { name: "Refresh all", exact: true }).first().click();
    await changes().waitFor();
  }, 60_000);
  beforeEach(() => changes().evaluate((element) => element.scrollTo(0, 0)));

  /** The frame of the changes' list. */
  const changes = (): Locator => at.page.getByRole("group", { name: /^Sheet1: .*cells$/ });
  const scrollTop = (): Promise<number> => changes().evaluate((element) => element.scrollTop);

  it("draws the rows in sight, tells their places, and reaches the last by keyboard", async () => {
    const rows = changes().getByRole("listitem");
    const changed = Number(await rows.first().getAttribute("aria-setsize"));
    expect(changed).toBeGreaterThan(CELLS / 2);
    expect(await rows.count()).toBeLessThan(40);
    await changes().focus();
    await at.page.keyboard.press("End");
    const last = changes().locator(`[aria-posinset="${changed}"]`).getByRole("button");
    const row = Number((await last.textContent())?.slice(1));
    await last.press("Enter");
    await until(() => at.host.workbook.activeCell.top === row);
    expect(at.host.workbook.activeCell).toMatchObject({ top: row, left: 2 });
  });

  it("stays where it was scrolled to, in another tab and folded", async () => {
    await changes().evaluate((element) => element.scrollTo(0, 1_000));
    await openTab(at.page, "Find");
    await openTab(at.page, "Changes");
    await changes().waitFor();
    expect(await scrollTop()).toBeCloseTo(1_000, -1);
    const fold = at.page.getByRole("button", { name: /^Sheet1 .* cells$/ });
    await fold.click();
    await changes().waitFor({ state: "detached" });
    await fold.click();
    await changes().waitFor();
    expect(await scrollTop()).toBeCloseTo(1_000, -1);
  });

  it("keeps the focused row while others scroll by", async () => {
    const first = changes().getByRole("listitem").first().getByRole("button");
    await first.focus();
    await changes().evaluate((element) => element.scrollTo(0, 3_000));
    await changes().locator('[aria-posinset="80"]').waitFor();
    expect(await first.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it("is accessible, as is that of formulas", async () => {
    await checkAccess(at.page);
    await at.page.getByRole("button", { name: /^Sheet1 .*formulas.*$/ }).click();
    await at.page.getByRole("group", { name: /^Sheet1: .*formulas/ }).scrollIntoViewIfNeeded();
    await checkAccess(at.page);
  });
});

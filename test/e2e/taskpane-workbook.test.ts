import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import type { OfficeHostOptions } from "../office/browser-host";
import { createDirectReading } from "../support/direct-reading";
import { openSettings, openTab, waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";
import { createOfficePane } from "./surroundings";

const SWITCH = "Numbers carry currency, fiscal year and statement";
const COUNTRY = "Default country";
const TIME_ZONE = "Time zone of relative dates";
const CHOSEN = { numberProperties: true, country: "SGP", timeZone: "Pacific/Kiritimati" };
/** The parameters of a formula that uses the default country. */
const FOUND = [[["sakura"]], null, [[1]], null, null];

const at = createOfficePane();
/** A figure read directly from the API, and the parameters of its formula. */
let figure: { value: number; year: number; parameters: unknown[] };

beforeAll(async () => {
  const read = await createDirectReading(at.companion.origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=1");
  const id = page.data[0]?.id as string;
  const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
  const [{ year, statements }] = years as [CompanyFinancials["years"][number]];
  const metrics = statements.flatMap((statement) => statement.metrics);
  const value = Number(metrics.find(({ name }) => name === "Revenue")?.value);
  figure = { value, year, parameters: [[[id]], [[year]], [["Revenue"]], null, null] };
});
afterEach(() => at.host.close());

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
  it("show numbers without properties, which a click toggles in live cells without a request", async () => {
    const page = await open();
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

  it("have a country that is entered by keyboard and used at once by live formulas, and apply to the next person", async () => {
    const settings: Record<string, string> = {};
    const page = await open({ settings });
    const found = at.host.call("COMPANY.FIND", FOUND);
    await nextCell(found);
    expect(listCountries()).toEqual(["JPN"]);
    await toggle(page);
    await page.getByRole("switch", { name: SWITCH }).focus();
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

    const next = await open({ settings });
    expect(await readSwitch(next)).toBe(true);
    expect(await readFields(next)).toEqual([CHOSEN.country, CHOSEN.timeZone]);
    expect(await nextCell(at.host.call("FINANCIAL", figure.parameters))).toEqual(toCarrying());
    await nextCell(at.host.call("COMPANY.FIND", FOUND));
    expect(listCountries()).toEqual([CHOSEN.country]);
  });

  it("are read as far as they are valid", async () => {
    const page = await open({ settings: { feed: '{"numberProperties":"yes","country":"SGP","timeZone":9}' } });
    expect(await readFields(page)).toEqual(["SGP", "Asia/Tokyo"]);
    expect(await nextCell(at.host.call("FINANCIAL", figure.parameters))).toBe(figure.value);
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

describe("the sheets of a workbook, on the genuine Office.js", () => {
  it("are created by Excel and stored with the refresh policy, which applies at the next opening", async () => {
    const settings: Record<string, string> = {};
    const openSheets = async () => {
      const page = await at.open({ settings });
      await waitUntilConnected(page);
      await openTab(page, "Sheets");
      return page;
    };
    const page = await openSheets();
    await page.getByRole("button", { name: "Create sheet" }).click();
    await page.getByRole("button", { name: "Show Ranking" }).waitFor();
    await page.getByLabel("Refresh automatically").selectOption("Every 5 minutes");
    await page.getByText(/Next at/).waitFor();
    expect(at.host.workbook.active.name).toBe("Ranking");
    expect(at.host.workbook.cell("Ranking!A13").formula).toMatch(/^=FEED\.RANKING\(B3, ?B4, ?B5, /);
    await until(() => settings.feed?.includes('"rankings":"every-5"'));
    const next = await openSheets();
    expect(await next.getByRole("heading", { level: 2 }).nth(0).textContent()).toBe("Sheets made here");
    await next.getByText(/Next at/).waitFor();
    // The next one is another workbook with the list but without the sheet.
    await next.getByRole("button", { name: "Show Ranking" }).click();
    await next.getByText(/There is no sheet "Ranking" in this workbook/).waitFor();
  });
});

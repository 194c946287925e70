import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { openSettings, waitUntilConnected } from "../support/pane-page";

const SWITCH = "Numbers carry currency, fiscal year and statement";
const COUNTRY = "Default country";
const TIME_ZONE = "Time zone of relative dates";
const CHOSEN = { numberProperties: true, country: "SGP", timeZone: "Pacific/Kiritimati" };
/** The parameters of a formula that uses the default country. */
const FOUND = [[["sakura"]], null, [[1]], null, null];

let browser: Browser;
let companion: RunningCompanion;
let host: OfficeHost;
/** A figure read directly from the API, and the parameters of its formula. */
let figure: { value: number; year: number; parameters: unknown[] };

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 100 })]);
  const read = await createDirectReading(companion.origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=1");
  const id = page.data[0]?.id as string;
  const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
  const [{ year, statements }] = years as [CompanyFinancials["years"][number]];
  const metrics = statements.flatMap((statement) => statement.metrics);
  const value = Number(metrics.find(({ name }) => name === "Revenue")?.value);
  figure = { value, year, parameters: [[[id]], [[year]], [["Revenue"]], null, null] };
});
beforeEach(() => companion.controls.reset());
afterAll(async () => {
  await browser.close();
  await companion.close();
});

async function open(options: Partial<OfficeHostOptions> = {}): Promise<Page> {
  const { origin } = companion;
  // Find, which builds an index of names, stays closed.
  const storageState = { cookies: [], origins: [{ origin, localStorage: [{ name: "feed.part", value: "changes" }] }] };
  host = await openOfficeHost(browser, { origin, context: { storageState }, ...options });
  await waitUntilConnected(host.page);
  await openSettings(host.page);
  // The pane's own requests are done, so later ones are the formulas'.
  await host.page.getByText("all data", { exact: true }).waitFor();
  companion.controls.reset();
  return host.page;
}

const toggle = (page: Page) => page.getByRole("switch", { name: SWITCH }).click();
const nextCell = async (cell: number) => ((await host.next(cell)).value as unknown[][])[0]?.[0];
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

describe("the settings of a new workbook, on the genuine Office.js", () => {
  let page: Page;
  beforeAll(async () => {
    page = await open();
  });
  afterAll(() => host.close());

  it("show numbers without properties, which a click toggles in live cells without a request", async () => {
    expect(await readSwitch(page)).toBe(false);
    const cell = host.call("FINANCIAL", figure.parameters);
    expect(await nextCell(cell)).toBe(figure.value);
    const requestsBefore = companion.controls.requests.length;
    await toggle(page);
    expect(await nextCell(cell)).toEqual(toCarrying());
    await saveScreenshot(page, "taskpane-workbook");
    await toggle(page);
    expect(await nextCell(cell)).toBe(figure.value);
    expect(companion.controls.requests).toHaveLength(requestsBefore);
    expect(host.errors).toEqual([]);
  });

  it("have a country that is entered by keyboard, and used at once by live formulas", async () => {
    const found = host.call("COMPANY.FIND", FOUND);
    await nextCell(found);
    expect(listSent("country")).toEqual(["JPN"]);
    await page.getByRole("switch", { name: SWITCH }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("singap");
    await page.keyboard.press("Enter");
    expect(await readFields(page)).toEqual(["SGP", "Asia/Tokyo"]);
    await nextCell(found);
    expect(listSent("country")).toEqual(["JPN", "SGP"]);
    expect(host.errors).toEqual([]);
  });

  it("have a time zone, which decides which day is yesterday", async () => {
    await chooseTimeZone(page, "Pacific/Kiritimati");
    const ranking = host.call("RANKING", [[["-7d"]], null, [[5]], null, null, null]);
    await host.next(ranking);
    const [inKiritimati = ""] = listSent("end_datetime");
    await chooseTimeZone(page, "Pacific/Pago_Pago"); // 25 hours behind
    while (listSent("end_datetime").length < 2) await host.next(ranking);
    const [, inPagoPago = ""] = listSent("end_datetime");
    expect(inPagoPago).toMatch(/^\d{4}-\d\d-\d\dT23:59:59$/);
    expect(inPagoPago < inKiritimati).toBe(true);
  });
});

describe("the stored settings of a workbook, on the genuine Office.js", () => {
  afterEach(() => host.close());

  it("apply to the next person to open it, from the first formula", async () => {
    const settings: Record<string, string> = {};
    const first = await open({ settings });
    await toggle(first);
    await chooseTimeZone(first, CHOSEN.timeZone);
    await first.getByRole("combobox", { name: COUNTRY }).fill(CHOSEN.country);
    await first.keyboard.press("Tab");
    while (!settings.feed?.includes(CHOSEN.country)) await first.evaluate(() => undefined);
    expect(JSON.parse(settings.feed)).toMatchObject(CHOSEN);
    await host.close();
    const page = await open({ settings });
    expect(await readSwitch(page)).toBe(true);
    expect(await readFields(page)).toEqual([CHOSEN.country, CHOSEN.timeZone]);
    expect(await nextCell(host.call("FINANCIAL", figure.parameters))).toEqual(toCarrying());
    await nextCell(host.call("COMPANY.FIND", FOUND));
    expect(listSent("country")).toEqual([CHOSEN.country]);
  });

  it.each([
    ["nothing of ours", '"text"', ["JPN", "Asia/Tokyo"]],
    ["null", "null", ["JPN", "Asia/Tokyo"]],
    ["wrong", '{"numberProperties":"yes","country":"Japan","timeZone":"Mars/Phobos"}', ["JPN", "Asia/Tokyo"]],
    ["of other kinds", '{"country":392,"timeZone":null}', ["JPN", "Asia/Tokyo"]],
    ["right in part", '{"country":"SGP","timeZone":9}', ["SGP", "Asia/Tokyo"]],
  ])("are read as far as they are valid, if they are %s", async (_, feed, fields) => {
    const page = await open({ settings: { feed } });
    expect(await readFields(page)).toEqual(fields);
    expect(await nextCell(host.call("FINANCIAL", figure.parameters))).toBe(figure.value);
    expect(host.errors).toEqual([]);
  });

  it("apply for now if the workbook refuses to store them, and the pane says why", async () => {
    const page = await open({ settings: null });
    const refusal = page.getByRole("status").filter({ hasText: "The workbook did not keep this setting" });
    await chooseTimeZone(page, CHOSEN.timeZone);
    expect(await refusal.innerText()).toContain("The settings could not be saved");
    expect(await readFields(page)).toEqual(["JPN", CHOSEN.timeZone]);
    await toggle(page);
    expect(await readSwitch(page)).toBe(true);
    expect(await nextCell(host.call("FINANCIAL", figure.parameters))).toEqual(toCarrying());
    expect(await refusal.innerText()).toContain("The settings could not be saved");
    await saveScreenshot(page, "taskpane-not-kept");
  });

  it("give plain numbers in an Excel without properties, which does not offer them", async () => {
    const page = await open({ requirementSets: { excelapi: "1.18" }, settings: { feed: '{"numberProperties":true}' } });
    await page.getByText("This Excel cannot show properties of numbers").waitFor();
    expect(await page.getByRole("switch").count()).toBe(0);
    expect(await readFields(page)).toEqual(["JPN", "Asia/Tokyo"]); // missing from the settings of an older pane
    expect(await nextCell(host.call("FINANCIAL", figure.parameters))).toBe(figure.value);
  });
});

const readSwitch = (page: Page) => page.getByRole("switch", { name: SWITCH }).isChecked();

const readFields = (page: Page) =>
  Promise.all([COUNTRY, TIME_ZONE].map((name) => page.getByRole("combobox", { name }).inputValue()));

async function chooseTimeZone(page: Page, name: string): Promise<void> {
  const field = page.getByRole("combobox", { name: TIME_ZONE });
  await field.click();
  await field.fill(name);
  await page.getByRole("option", { name, exact: true }).click();
}

/** The values of a query parameter in the provider's requests, each once, in order. */
function listSent(parameter: string): string[] {
  const requests = companion.controls.requests.map(({ url }) =>
    new URL(url, companion.origin).searchParams.get(parameter),
  );
  return [...new Set(requests)].filter((value) => value !== null);
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../support/office-host";

const SWITCH = "Numbers carry currency, fiscal year and statement";

let browser: Browser;
let companion: RunningCompanion;
let host: OfficeHost;
/** A figure as a direct read of the API gives it, and the parameters of the formula that asks for it. */
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
afterEach(() => host.close());
afterAll(async () => {
  await browser.close();
  await companion.close();
});

async function open(options: Partial<OfficeHostOptions> = {}): Promise<Page> {
  host = await openOfficeHost(browser, { origin: companion.origin, ...options });
  await host.page.getByRole("status").filter({ hasText: "Connected" }).waitFor();
  return host.page;
}

const toggle = (page: Page) => page.getByRole("switch", { name: SWITCH }).click();
const nextCell = async (cell: number) => ((await host.next(cell)).value as unknown[][])[0]?.[0];
const text = (basicValue: string) => ({ type: "String", basicType: "String", basicValue });
const dateOf = (numberFormat: string) => ({ type: "FormattedNumber", basicValue: expect.any(Number), numberFormat });

/** The figure as it crosses the bridge to the host with its properties. */
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

describe("properties of numbers, on the genuine Office.js", () => {
  it("are off in a new workbook, and come and go in live cells with a click, without a request", async () => {
    const page = await open();
    expect(await page.getByRole("switch", { name: SWITCH }).isChecked()).toBe(false);
    const cell = host.call("FINANCIAL", figure.parameters);
    expect(await nextCell(cell)).toBe(figure.value);
    const asked = companion.controls.requests.length;
    await toggle(page);
    expect(await nextCell(cell)).toEqual(toCarrying());
    await saveScreenshot(page, "taskpane-workbook");
    await toggle(page);
    expect(await nextCell(cell)).toBe(figure.value);
    expect(companion.controls.requests).toHaveLength(asked);
    expect(host.errors).toEqual([]);
  });

  it("are kept by the workbook: the next to open it finds them on, from the first result", async () => {
    const settings: Record<string, string> = {};
    await toggle(await open({ settings }));
    while (!("feed" in settings)) await host.page.evaluate(() => undefined);
    await host.close();
    const page = await open({ settings });
    expect(await page.getByRole("switch", { name: SWITCH }).isChecked()).toBe(true);
    expect(await nextCell(host.call("FINANCIAL", figure.parameters))).toEqual(toCarrying());
  });

  it.each([
    ["is not what it was", '{"numberProperties":"yes"}'],
    ["is nothing of ours", '"text"'],
    ["is null", "null"],
  ])("stay off where what the workbook keeps %s", async (_, feed) => {
    await open({ settings: { feed } });
    expect(await nextCell(host.call("FINANCIAL", figure.parameters))).toBe(figure.value);
    expect(host.errors).toEqual([]);
  });

  it("hold for now where the workbook does not keep them, and the pane says why", async () => {
    const page = await open({ settings: null });
    await toggle(page);
    const refusal = page.getByRole("status").filter({ hasText: "The workbook did not keep this setting" });
    expect(await refusal.innerText()).toContain("The settings could not be saved");
    expect(await page.getByRole("switch", { name: SWITCH }).isChecked()).toBe(true);
    expect(await nextCell(host.call("FINANCIAL", figure.parameters))).toEqual(toCarrying());
    await saveScreenshot(page, "taskpane-not-kept");
  });

  it("are not offered by an Excel that cannot show them, and a workbook that wants them gets plain numbers", async () => {
    const page = await open({ excelApi: "1.18", settings: { feed: '{"numberProperties":true}' } });
    await page.getByText("This Excel cannot show properties of numbers").waitFor();
    expect(await page.getByRole("switch").count()).toBe(0);
    expect(await nextCell(host.call("FINANCIAL", figure.parameters))).toBe(figure.value);
  });
});

import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { toOutcome } from "../office/deliveries";
import { createDirectReading } from "../support/direct-reading";
import { checkAccess, checkFit } from "../support/page-access";
import { CONNECTED, openSettings } from "../support/pane-page";
import { until } from "../support/until";
import { createOfficePane } from "./surroundings";

const ALWAYS = Number.POSITIVE_INFINITY;
const JANUARY_1904 = { start: 43_830, end: 43_860 };

const at = createOfficePane();
/** A figure read directly from the API, and the parameters of its formula. */
let figure: { value: number; parameters: unknown[] };

beforeAll(async () => {
  figure = await readFigure();
  at.companion.controls.reset();
  await at.open();
  await status(CONNECTED);
});

async function readFigure() {
  const read = await createDirectReading(at.companion.origin);
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

const status = (text: string | RegExp) => at.page.getByRole("status").filter({ hasText: text }).first().waitFor();
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
    await status(CONNECTED);
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
    await status(CONNECTED);
    expect(await focused()).toBe("Connect again");
    expect(await press("Shift+Tab", "Enter")).toBe("Connected · sample data"); // Back
  });

  it("stays readable in a contrast theme of Windows", async () => {
    await at.page.emulateMedia({ forcedColors: "active" });
    await checkAccess(at.page);
    await at.page.emulateMedia({ forcedColors: "none" });
  });
});

describe("a live cell beside the pane", () => {
  const refresh = () => at.page.getByRole("button", { name: "Refresh all" }).click();

  it("shares its session with the pane: one token serves both, and Refresh all reaches it", async () => {
    const cell = at.host.call("FINANCIAL", figure.parameters);
    expect(await nextValue(cell)).toEqual(toGrid(figure.value));
    at.companion.controls.perturb = (value) => value + 1000;
    await refresh();
    expect(await nextValue(cell)).toEqual(toGrid(figure.value + 1000));
    await status("1 formula refreshed.");
    expect(at.companion.controls.count("createToken")).toBe(0); // the pane had got it
  });

  it("keeps its value when its refresh fails, with the reason and the remedy", async () => {
    const cell = at.host.call("FINANCIAL", figure.parameters);
    await nextValue(cell);
    at.companion.controls.answers.getCompanyFinancials = { status: 403, times: ALWAYS };
    await refresh();
    await status("2 of 2 formulas could not be refreshed; cells that had a value keep it"); // the other test's lives on
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
    expect(await isDark()).toBe(true);
  });

  it("reads date serials by the workbook's date system, 1904 too", async () => {
    await at.open({ dateSystem: 1904 });
    const cell = at.host.call("RANKING", [[[JANUARY_1904.start]], [[JANUARY_1904.end]], [[5]], null, null, null]);
    await until(async () => {
      await at.host.next(cell);
      return at.companion.controls.requests.some(({ url }) => /2024-01-01.*2024-01-31/.test(url));
    });
    expect(at.host.computed).toContain("Date");
  });

  it.each([
    { language: "en-US", theme: "light", country: "Default country" },
    { language: "ja-JP", theme: "dark", country: "既定の国" },
  ] as const)("has settings that fit 270 and 400 pixels and are accessible: $language, $theme", async (look) => {
    const page = await at.open(look);
    await status(CONNECTED);
    await openSettings(page);
    await checkFit(page, 270, 400);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(look.language);
    await page.getByRole("combobox", { name: look.country }).click();
    await page.getByRole("option").first().waitFor();
    await checkAccess(page);
    await page.keyboard.type("Mars");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await checkAccess(page);
  });
});

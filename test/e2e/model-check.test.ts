import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import type { CompanyPage } from "../../src/contract/types";
import { PLAYGROUND_WORKBOOK, type Workbook } from "../../src/contract/workbook";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { checkAccess } from "../support/page-access";
import { openTab } from "../support/pane-page";
import { clearWorkbook, openPlayground, pane, read, readSettled, type } from "./playground-page";

declare global {
  interface Window {
    [PLAYGROUND_WORKBOOK]: Workbook;
  }
}

let browser: Browser;
let companion: RunningCompanion;
let ids: string[];

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
  const get = await createDirectReading(companion.origin);
  const { data } = await get<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=4");
  ids = data.map(({ id }) => id);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const YEARS = [2021, 2022, 2023, 2024];
const COLUMNS = "BCDE";

/** Three companies in four years, with a typed number, a total that leaves one out, and a fourth in thousands. */
async function enterModel(page: Page): Promise<void> {
  const ask = (row: number, column: string, unit = "m") => `=FEED.FINANCIAL($A${row},${column}$2,"Revenue",,"${unit}")`;
  const rows = [3, 4, 5, 6].flatMap((row) =>
    [...COLUMNS].map((column): [string, string] => [`${column}${row}`, ask(row, column)]),
  );
  await type(
    page,
    ...ids.map((id, index): [string, string] => [`A${index + 3}`, id]),
    ...YEARS.map((year, index): [string, string] => [`${COLUMNS[index]}2`, String(year)]),
    ...rows,
    ["C4", "1234"],
    ["D3", ask(3, "D", "k")],
    ...[...COLUMNS].map((column): [string, string] => [`${column}8`, `=SUM(${column}3:${column}6)`]),
    ["E8", "=SUM(E3:E5)"],
  );
  for (const column of COLUMNS) await readSettled(page, `${column}6`);
  await page.waitForFunction(() => !String(window.playground.get("E3").value).startsWith("#"));
}

/** Creates a workbook that the browser saves. */
async function createWorkbook(page: Page): Promise<void> {
  const before = await page.textContent("#workbook-name");
  await page.click("#workbooks summary");
  await page.locator("#workbooks-list button").first().click();
  await page.waitForFunction((name) => document.getElementById("workbook-name")?.textContent !== name, before);
}

async function openModel(
  query: string,
  scheme: "light" | "dark",
  open: (page: Page) => Promise<void> = clearWorkbook,
): Promise<{ page: Page; frame: Frame; errors: string[] }> {
  const { page, errors } = await openPlayground(browser, `${companion.origin}/playground.html${query}`, scheme);
  await open(page);
  await enterModel(page);
  return { page, frame: pane(page), errors };
}

/** The lines of findings, as a person reads them. */
const lines = (frame: Frame, label = /^(Findings|指摘)$/) =>
  frame
    .getByRole("group", { name: label })
    .getByRole("listitem")
    .filter({ has: frame.getByRole("list") });

async function begin(frame: Frame, tab: string, button: string): Promise<void> {
  await openTab(frame, tab);
  await frame.getByRole("button", { name: button, exact: true }).click();
  await lines(frame).first().waitFor();
}

describe("the check of the model, in Chromium", () => {
  it("finds faults without a request, goes to them, fixes one, and undoes it", async () => {
    const { page, frame, errors } = await openModel("", "light");
    companion.controls.reset();
    await begin(frame, "Changes", "Check");
    const shown = await lines(frame).allInnerTexts();
    const titles = shown.map((text) => text.split("\n")[0]);
    expect(shown.join("\n")).toMatch(/Typed number among FEED formulas/);
    expect(shown.join("\n")).toMatch(/Total leaves a figure out/);
    expect(shown.join("\n")).toMatch(/Units mixed/);
    expect(titles).toHaveLength(3);
    expect(companion.controls.requests).toEqual([]);
    await saveScreenshot(page, "model-check-en-light");

    const typed = lines(frame).filter({ hasText: "Typed number" });
    await typed.getByRole("button", { name: "Empty!C4" }).first().click();
    expect(await frame.evaluate(async () => (await window.feedPlaygroundWorkbook.readSelection()).cell)).toBe("C4");
    await typed.getByRole("button", { name: "Fix" }).click();
    await frame.getByText(/^You typed 1,234/).waitFor();
    await saveScreenshot(page, "model-check-choice");
    expect((await read(page, "C4")).value).toBe(1234);
    await typed.getByRole("button", { name: "Use formula" }).click();
    await frame.getByText(/^Empty!C4( has its new formula|: showed 1,234)/).waitFor();
    expect((await readSettled(page, "C4")).value).not.toBe(1234);
    await frame.getByRole("button", { name: "Undo", exact: true }).click();
    await frame.getByText("Undone: Empty!C4.").waitFor();
    expect((await read(page, "C4")).value).toBe(1234);
    expect(errors).toEqual([]);
    await page.close();
  });

  it.each([
    ["en", "dark", "Changes", "Check", "Typed number", "Dismiss", "Dismiss with this reason", /^▸?\s*Dismissed \(1\)/],
    ["ja", "light", "変更", "検査", "手入力", "対応不要", "この理由で対応不要にする", /対応不要 \(1\)/],
  ] as const)(
    "keeps a dismissal in the workbook: %s, %s",
    async (language, scheme, tab, button, title, dismiss, keep, folded) => {
      const opened = await openModel(`?lang=${language}`, scheme, createWorkbook);
      await begin(opened.frame, tab, button);
      const line = lines(opened.frame).filter({ hasText: title });
      await line.getByRole("button", { name: dismiss, exact: true }).click();
      await line.getByRole("textbox").fill("Plan of the board");
      await line.getByRole("button", { name: keep }).click();
      await opened.frame.getByRole("button", { name: folded }).waitFor();
      expect(await lines(opened.frame).count()).toBe(2);
      await saveScreenshot(opened.page, `model-check-${language}-${scheme}`);
      await checkAccess(opened.frame);
      await opened.page.locator("#save-state", { hasText: /\d\d:\d\d/ }).waitFor();

      await opened.page.reload();
      await opened.page.evaluate(() => window.playground.ready);
      await readSettled(opened.page, "E6");
      const frame = pane(opened.page);
      await begin(frame, tab, button);
      expect(await lines(frame).count()).toBe(2);
      await frame.getByRole("button", { name: folded }).click();
      await frame.getByText("Plan of the board").waitFor();
      expect(opened.errors).toEqual([]);
      await opened.page.close();
    },
  );

  it("fits a pane of 270 pixels in the dark, and filters and reports what it found, twice", async () => {
    const { page, frame, errors } = await openModel("", "dark");
    await page.locator("#panel").evaluate((panel) => {
      panel.style.width = "270px";
    });
    await begin(frame, "Changes", "Check");
    await frame.getByRole("combobox", { name: "Gravity" }).selectOption("warning");
    await lines(frame).first().filter({ hasText: "Typed number" }).waitFor();
    expect(await lines(frame).count()).toBe(1);
    const [content, width] = await frame.evaluate(() => [document.body.scrollWidth, document.body.clientWidth]);
    expect(content).toBeLessThanOrEqual(width as number);
    await saveScreenshot(page, "model-check-270");
    await frame.getByRole("button", { name: "Insert as sheet" }).last().click();
    await frame.getByText(/^Created/).waitFor();
    expect((await read(page, "Model check!B5")).value).toBe("Units mixed");
    expect((await read(page, "Model check!F7")).value).toContain("typed number");
    await type(page, ["J5", "Ask the auditor"]);
    await frame.getByRole("button", { name: "Insert as sheet" }).last().click();
    await frame.getByText(/^Created "Model check[^"]+"/).waitFor();
    expect((await read(page, "Model check!J5")).value).toBe("Ask the auditor");
    expect(errors).toEqual([]);
    await page.close();
  });

  it("extends a total by the figure it left out, brings a unit in line, and shows a hidden error; each is undone", async () => {
    const { page, frame, errors } = await openModel("", "light");
    await type(page, ["C4", `=FEED.FINANCIAL($A4,C$2,"Revenue",,"m")`]);
    await type(page, ["G3", `=IFERROR(FEED.FINANCIAL($A3,1990,"Revenue"),0)`]);
    await page.waitForFunction(() => window.playground.get("G3").value === 0);
    await readSettled(page, "C4");
    await begin(frame, "Changes", "Check");
    const [total, thousands, last] = await Promise.all(
      ["E8", "D3", "E6"].map(async (at) => (await read(page, at)).value),
    );
    const fixes: [rule: string, place: string, after: unknown][] = [
      ["Total leaves a figure out", "E8", Number(total) + Number(last)],
      ["Units mixed", "D3", Number(thousands) / 1_000],
      ["Error hidden", "G3", "#N/A"],
    ];
    for (const [rule, place, after] of fixes) {
      const before = (await read(page, place)).value;
      const line = lines(frame).filter({ hasText: rule });
      await line.getByText("→").first().waitFor();
      await line.getByRole("button", { name: "Fix" }).click();
      await frame.getByRole("button", { name: "Undo", exact: true }).waitFor();
      const shown = (await readSettled(page, place)).value;
      if (typeof after === "number") expect(Number(shown)).toBeCloseTo(after, 3);
      else expect(shown).toBe(after);
      await frame.getByRole("button", { name: "Undo", exact: true }).click();
      await frame.getByText(`Undone: Empty!${place}.`).waitFor();
      expect((await readSettled(page, place)).value).toBe(before);
    }
    expect(errors).toEqual([]);
    await page.close();
  });

  it("checks again after an edit", async () => {
    const { page, frame } = await openModel("", "light");
    await begin(frame, "Changes", "Check");
    await type(page, ["C4", `=FEED.FINANCIAL($A4,C$2,"Revenue",,"m")`]);
    await lines(frame).filter({ hasText: "Typed number" }).waitFor({ state: "detached" });
    expect(await lines(frame).count()).toBe(2);
    await page.close();
  });

  it("opens by its command, and says what to do in a workbook without figures", async () => {
    const { page } = await openPlayground(browser, `${companion.origin}/playground.html`);
    await clearWorkbook(page);
    const frame = pane(page);
    await frame.getByRole("button", { name: "Menu" }).click();
    await frame.getByRole("button", { name: "Check the model" }).click();
    await frame.getByText("Add a FEED formula first").waitFor();
    await page.close();
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { waitUntilConnected } from "../support/pane-page";
import { clearWorkbook, openPlayground, pane, readSettled, type, waitFor } from "./playground-page";

const FIGURE = '=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",2023,"Revenue")';
const TABLE = '=FEED.RANKING("2024-01-01","2024-01-31",3)';

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let frame: Frame;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const press = (name: string) => frame.getByRole("button", { name, exact: true }).click();
const findLine = (cell: string) =>
  frame
    .getByRole("group", { name: /^Needs your attention/ })
    .getByRole("listitem")
    .filter({ has: frame.getByRole("button", { name: cell, exact: true }) });

describe("the pane's counts", () => {
  it("follow what the cells show: answered, failed, blocked, ambiguous, mistyped and dependent formulas", async () => {
    companion.controls.answers.rankIndustries = { status: 500, times: Number.POSITIVE_INFINITY };
    ({ page } = await openPlayground(browser, `${companion.origin}/playground.html`));
    await clearWorkbook(page);
    frame = pane(page);
    await waitUntilConnected(frame);
    await type(page, ["A1", FIGURE], ["D3", "mine"], ["C1", TABLE], ["A2", '=FEED.COMPANY.ID("Sakura")']);
    await type(page, ["A3", "=FEED.COMPANY(A2)"], ["A4", '=FEED.RANKING("2024-02-30")']);
    await type(page, ["A5", '=FEED.RANKING.INDUSTRIES("2024-01-01","2024-01-31",3)']);
    await waitFor(page, "C1", "#SPILL!");
    for (const cell of ["A1", "A2", "A3", "A4"]) await readSettled(page, cell);
    await readSettled(page, "A5", 40_000);
    await frame.getByRole("tab", { name: "Changes" }).click();
    await frame.getByText("6 formulas: 1 answered, 1 failed, 4 to correct.").waitFor();
    await frame.getByRole("heading", { name: "Needs your attention: 4 formulas" }).waitFor();
    await saveScreenshot(page, "playground-counts");

    expect(await findLine("Empty!A3").innerText()).toContain("It depends on Empty!A2, which shows an error.");
    expect(await findLine("Empty!A4").innerText()).toContain("2024-02-30");
    await findLine("Empty!C1").getByRole("button", { name: "Show what is in the way" }).click();
    await page.waitForFunction(() => document.querySelector(".o-composer, .o-topbar-composer")?.textContent === "mine");
  }, 90_000);

  it("leave a formula out of a refresh's failures that a person has to correct", async () => {
    await press("Refresh all");
    await frame.getByText(/^1 of \d formulas could not be refreshed; cells that had a value keep it: ?/).waitFor();
    await frame.getByRole("status").getByRole("button", { name: "Empty!A5", exact: true }).waitFor();
    await frame.getByRole("button", { name: "4 formulas need your attention." }).waitFor();
  }, 60_000);

  it("become right when the faults are mended", async () => {
    companion.controls.reset();
    await type(page, ["D3", ""], ["A4", ""], ["A3", ""]);
    await findLine("Empty!A2").getByRole("button", { name: "Choose the company in Find" }).click();
    expect(await frame.getByRole("combobox", { name: "Company" }).inputValue()).toBe("Sakura");
    await type(page, ["A2", ""]);
    await frame.getByRole("tab", { name: "Changes" }).click();
    await press("Refresh 1 failed formula");
    await frame.getByText("All 3 formulas are answered.").waitFor({ timeout: 40_000 });
    expect(await frame.getByText(/Needs your attention/).count()).toBe(0);
  }, 90_000);
});

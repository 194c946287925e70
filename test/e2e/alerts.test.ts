import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openTab } from "../support/pane-page";
import { openPlayground, pane, readRange } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 100 })]);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Refreshes the sheet, and waits until the refresh has ended. */
async function refresh(page: Page): Promise<void> {
  const before = companion.controls.count();
  await page.locator("header").getByRole("button", { name: "Refresh all", exact: true }).click();
  await pane(page)
    .getByRole("status")
    .filter({ hasText: /changed\./ })
    .waitFor();
  expect(companion.controls.count()).toBeGreaterThan(before);
  for (const button of await pane(page).getByRole("button", { name: "Close", exact: true }).all()) await button.click();
}

describe("an alert", () => {
  it("fires once for a change at the provider, says it in Changes and on the tab, and can be read", async () => {
    const { page, errors } = await openPlayground(browser, `${companion.origin}/playground.html?lang=en`);
    page.setDefaultTimeout(30_000); // a sheet has thousands of formulas
    const frame = pane(page);
    await openTab(frame, "Sheets");
    await frame.getByRole("radio", { name: /^Movers/ }).check();
    await frame.getByLabel("Rows").selectOption("10");
    await frame.getByRole("button", { name: "Create sheet" }).click();
    const line = frame.getByRole("listitem").filter({ has: frame.getByRole("button", { name: "Show Movers" }) });
    await page.waitForFunction(() => typeof window.playground.get("F17").value === "number");
    await line.getByText("Alerts").click();
    expect(await line.getByLabel("Page views up by").inputValue()).toBe("0");
    await line.getByLabel("Page views up by").selectOption("100 %");
    await openTab(frame, "Changes");
    await frame.getByText("No new alerts.").waitFor();

    // The provider counts one company's views of now anew: ten times as many.
    const [views, name] = (await findUnique(page)) as [number, string];
    companion.controls.perturb = (value) => (value === views ? value * 10 : value);
    await refresh(page);
    await frame.getByText("1 new alert").waitFor();
    expect(await frame.getByRole("tab", { name: "Changes (1)" }).count()).toBe(1);
    const told = frame.getByRole("region", { name: "Alerts" });
    await told.getByText(name).waitFor();
    const text = await told.innerText();
    expect(text).toContain("page views up 100 % or more");
    expect(text).toContain(`→ ${(views * 10).toLocaleString("en")}`);
    expect(text).toMatch(/\d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d · Movers/);

    await refresh(page);
    await refresh(page);
    expect(await frame.getByRole("tab", { name: "Changes (1)" }).count()).toBe(1);
    await told.getByRole("button", { name: `Mark as read: ${name}` }).click();
    await frame.getByText("No new alerts.").waitFor();
    await frame.getByRole("tab", { name: "Changes", exact: true }).waitFor();
    companion.controls.perturb = (value) => (value === views ? value * 11 : value);
    await refresh(page);
    await frame.getByText("No new alerts.").waitFor();
    expect(errors).toEqual([]);
    await page.close();
  }, 120_000);
});

describe.each([
  ["League table", "K118:T127", "rankCompanies", 8],
  ["Industry rotation", "K15:T24", "rankIndustries", 0],
] as const)("a rule of a sheet: %s", (template, history, operation, pages) => {
  it("fires once for a change at the provider, and says while it cannot be judged", async () => {
    const { page, errors } = await openPlayground(browser, `${companion.origin}/playground.html?lang=en`);
    page.setDefaultTimeout(30_000); // a sheet has thousands of formulas
    companion.controls.reset();
    const frame = pane(page);
    await openTab(frame, "Sheets");
    await frame.getByRole("radio", { name: new RegExp(`^${template}`) }).check();
    await frame.getByRole("button", { name: "Create sheet" }).click();
    const line = frame.getByRole("listitem").filter({ has: frame.getByRole("button", { name: `Show ${template}` }) });
    await page.waitForFunction(
      (cell) => typeof window.playground.get(cell).value === "number",
      history.split(":")[1] ?? "",
    );
    await line.getByText("Alerts").click();
    await line.getByLabel("Page views up by").selectOption("100 %");
    await openTab(frame, "Changes");
    await frame.getByText("No new alerts.").waitFor();
    await waitForPages(page, operation, pages);

    const row = (await readRange(page, history)).find((each) => typeof each.at(-1) === "number");
    const [name, views] = [String(row?.[0]), Number(row?.at(-1))];
    companion.controls.perturb = (value) => (value === views ? value * 10 : value);
    companion.controls.answers[operation] = { status: 403, times: Number.POSITIVE_INFINITY };
    await page.locator("header").getByRole("button", { name: "Refresh all", exact: true }).click();
    await frame.getByText(`The rules of ${template} could not be judged:`).waitFor();
    expect(await frame.getByText("No new alerts.").count()).toBe(1);

    companion.controls.answers = {};
    await refresh(page);
    await frame.getByText("1 new alert").waitFor();
    expect(await frame.getByText("could not be judged").count()).toBe(0);
    const told = frame.getByRole("region", { name: "Alerts" });
    expect(await told.innerText()).toContain(name);
    expect(await told.innerText()).toContain(`→ ${(views * 10).toLocaleString("en")}`);
    await refresh(page);
    await frame.getByRole("tab", { name: "Changes (1)" }).waitFor();
    expect(errors).toEqual([]);
    await page.close();
  }, 180_000);
});

/** Waits until so many pages of whole rankings have been read: those of two periods. */
async function waitForPages(page: Page, operation: string, pages: number): Promise<void> {
  const isWhole = ({ operationId, url, status }: (typeof companion.controls.requests)[number]) =>
    operationId === operation && url.includes("page_size=1000") && status === 200;
  while (companion.controls.requests.filter(isWhole).length < pages)
    await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** A company of the first rows whose page views no other row has, before its growth reaches the rule's. */
async function findUnique(page: Page): Promise<[views: number, name: string] | undefined> {
  const rows = await readRange(page, "A17:I26");
  const row = rows.find(([rank, , , , , views]) => typeof rank === "number" && rank <= 10 && typeof views === "number");
  return row && [Number(row[5]), String(row[3])];
}

import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { openTab } from "../support/pane-page";
import { pane, readRange, refreshAll } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const at = createPlaygroundPage({ isKept: true });

/** Refreshes the sheet, and waits until the refresh has ended. */
async function refresh(page: Page): Promise<void> {
  const before = at.companion.controls.count();
  await refreshAll(page);
  expect(at.companion.controls.count()).toBeGreaterThan(before);
}

describe("an alert", () => {
  it("fires once for a change at the provider, says it in Changes and on the tab, and can be read", async () => {
    const { page, companion } = at;
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
  }, 120_000);
});

/** A company of the first rows whose page views no other row has, before its growth reaches the rule's. */
async function findUnique(page: Page): Promise<[views: number, name: string] | undefined> {
  const rows = await readRange(page, "A17:I26");
  const row = rows.find(([rank, , , , , views]) => typeof rank === "number" && rank <= 10 && typeof views === "number");
  return row && [Number(row[5]), String(row[3])];
}

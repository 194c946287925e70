import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Locator } from "playwright-core";
import { METRICS } from "../../src/contract/constants";
import type { CompanyPage } from "../../src/contract/types";
import { createDirectReading } from "../support/direct-reading";
import { checkAccess } from "../support/page-access";
import { openTab } from "../support/pane-page";
import { until } from "../support/until";
import { createOfficePane } from "./surroundings";

const COMPANIES = 60;
const YEARS = [2021, 2022, 2023];
const CELLS = COMPANIES * YEARS.length;
const [METRIC = ""] = Object.values(METRICS).flat();

const at = createOfficePane({ companies: 200 });

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

describe("a list of 180 changed cells", () => {
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

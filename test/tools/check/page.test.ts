import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { CompanyPage } from "../../../src/contract/types";
import { PLAYGROUND_WORKBOOK, type Workbook } from "../../../src/contract/workbook";
import { readSettled, type } from "../../e2e/playground-page";
import { createPlaygroundPage } from "../../e2e/surroundings";
import { createDirectReading } from "../../support/direct-reading";
import { checkAccess } from "../../support/page-access";

declare global {
  interface Window {
    [PLAYGROUND_WORKBOOK]: Workbook;
  }
}

const at = createPlaygroundPage();

it("the check of the model finds faults without a request, goes to them, follows edits, and fits 270 pixels in the dark", async () => {
  const { page, frame } = at;
  await frame.getByRole("button", { name: "Menu" }).click();
  await frame.getByRole("button", { name: "Check the model" }).click();
  await frame.getByText("Add a FEED formula first").waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("#panel").evaluate((panel) => {
    panel.style.width = "270px";
  });
  await enterModel(page);
  at.companion.controls.reset();
  await frame.getByRole("button", { name: /^Check( again)?$/ }).click();
  /** The lines of findings, as a person reads them. */
  const findings = frame
    .getByRole("group", { name: /^Findings$/ })
    .getByRole("listitem")
    .filter({ has: frame.getByRole("list") });
  await findings.first().waitFor();
  await checkAccess(frame);
  const [content, width] = await frame.evaluate(() => [document.body.scrollWidth, document.body.clientWidth]);
  expect(content).toBeLessThanOrEqual(width as number);
  const shown = (await findings.allInnerTexts()).join("\n");
  for (const title of ["Typed number among FEED formulas", "Total leaves a figure out", "Units mixed"])
    expect(shown).toContain(title);
  expect(await findings.count()).toBe(3);
  expect(at.companion.controls.requests).toEqual([]);

  const typed = findings.filter({ hasText: "Typed number" });
  await typed.getByRole("button", { name: "Empty!C4" }).first().click();
  expect(await frame.evaluate(async () => (await window.feedPlaygroundWorkbook.readSelection()).cell)).toBe("C4");
  await type(page, ["C4", `=FEED.FINANCIAL($A4,C$2,"Revenue",,"m")`]); // it checks again after an edit
  await typed.waitFor({ state: "detached" });
});

/** Enters three companies in four years, with a typed number, a total that leaves one out, and a fourth in thousands. */
async function enterModel(page: Page): Promise<void> {
  const [columns, years] = [[..."BCDE"], [2021, 2022, 2023, 2024]];
  const get = await createDirectReading(at.companion.origin);
  const { data } = await get<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=4");
  const ask = (row: number, column: string, unit = "m") => `=FEED.FINANCIAL($A${row},${column}$2,"Revenue",,"${unit}")`;
  await type(
    page,
    ...data.map(({ id }, index): [string, string] => [`A${index + 3}`, id]),
    ...years.map((year, index): [string, string] => [`${columns[index]}2`, String(year)]),
    ...[3, 4, 5, 6].flatMap((row) => columns.map((column): [string, string] => [`${column}${row}`, ask(row, column)])),
    ["C4", "1234"],
    ["D3", ask(3, "D", "k")],
    ...columns.map((column): [string, string] => [`${column}8`, `=SUM(${column}3:${column}6)`]),
    ["E8", "=SUM(E3:E5)"],
  );
  for (const column of columns) await readSettled(page, `${column}6`);
  await page.waitForFunction(() => !String(window.playground.get("E3").value).startsWith("#"));
}

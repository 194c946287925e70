import { beforeAll, expect, it } from "@jest/globals";
import type { Frame, Page } from "playwright-core";
import type { CompanyPage } from "../../src/contract/types";
import { createDirectReading } from "../support/direct-reading";
import { checkAccess } from "../support/page-access";
import { openTab } from "../support/pane-page";
import { clearWorkbook, pane, read, readSettled, type } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const YEARS = [2021, 2022, 2023, 2024];
const COLUMNS = [..."BCDE"];

const at = createPlaygroundPage();
let ids: string[];

beforeAll(async () => {
  const get = await createDirectReading(at.companion.origin);
  const { data } = await get<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=4");
  ids = data.map(({ id }) => id);
});

/** Three companies in four years, with a typed number, a total that leaves one out, and a fourth in thousands. */
async function enterModel(page: Page): Promise<void> {
  const ask = (row: number, column: string, unit = "m") => `=FEED.FINANCIAL($A${row},${column}$2,"Revenue",,"${unit}")`;
  await type(
    page,
    ...ids.map((id, index): [string, string] => [`A${index + 3}`, id]),
    ...YEARS.map((year, index): [string, string] => [`${COLUMNS[index]}2`, String(year)]),
    ...[3, 4, 5, 6].flatMap((row) => COLUMNS.map((column): [string, string] => [`${column}${row}`, ask(row, column)])),
    ["C4", "1234"],
    ["D3", ask(3, "D", "k")],
    ...COLUMNS.map((column): [string, string] => [`${column}8`, `=SUM(${column}3:${column}6)`]),
    ["E8", "=SUM(E3:E5)"],
  );
  for (const column of COLUMNS) await readSettled(page, `${column}6`);
  await page.waitForFunction(() => !String(window.playground.get("E3").value).startsWith("#"));
}

/** The lines of findings, as a person reads them. */
const lines = (frame: Frame) =>
  frame
    .getByRole("group", { name: /^Findings$/ })
    .getByRole("listitem")
    .filter({ has: frame.getByRole("list") });

async function begin(frame: Frame): Promise<void> {
  await openTab(frame, "Changes");
  await frame.getByRole("button", { name: "Check", exact: true }).click();
  await lines(frame).first().waitFor();
}

it("the check of the model finds faults without a request, goes to them, fixes one, and undoes it", async () => {
  const { page, frame } = at;
  await enterModel(page);
  at.companion.controls.reset();
  await begin(frame);
  const shown = (await lines(frame).allInnerTexts()).join("\n");
  expect(shown).toMatch(/Typed number among FEED formulas/);
  expect(shown).toMatch(/Total leaves a figure out/);
  expect(shown).toMatch(/Units mixed/);
  expect(await lines(frame).count()).toBe(3);
  expect(at.companion.controls.requests).toEqual([]);

  const typed = lines(frame).filter({ hasText: "Typed number" });
  await typed.getByRole("button", { name: "Empty!C4" }).first().click();
  expect(await frame.evaluate(async () => (await window.feedPlaygroundWorkbook.readSelection()).cell)).toBe("C4");
  await typed.getByRole("button", { name: "Fix" }).click();
  await frame.getByText(/^You typed 1,234/).waitFor();
  expect((await read(page, "C4")).value).toBe(1234);
  await typed.getByRole("button", { name: "Use formula" }).click();
  await frame.getByText(/^Empty!C4( has its new formula|: showed 1,234)/).waitFor();
  expect((await readSettled(page, "C4")).value).not.toBe(1234);
  await frame.getByRole("button", { name: "Undo", exact: true }).click();
  await frame.getByText("Undone: Empty!C4.").waitFor();
  expect((await read(page, "C4")).value).toBe(1234);

  const total = lines(frame).filter({ hasText: "Total leaves a figure out" });
  const [partly, last] = await Promise.all(["E8", "E6"].map(async (cell) => Number((await read(page, cell)).value)));
  await total.getByText("→").first().waitFor();
  await total.getByRole("button", { name: "Fix" }).click();
  await frame.getByRole("button", { name: "Undo", exact: true }).waitFor();
  expect(Number((await readSettled(page, "E8")).value)).toBeCloseTo(Number(partly) + Number(last), 3);
  await type(page, ["C4", `=FEED.FINANCIAL($A4,C$2,"Revenue",,"m")`]); // it checks again after an edit
  await typed.waitFor({ state: "detached" });
});

it("the check of the model keeps a dismissal in the workbook, fits 270 pixels in the dark, and reports what it found", async () => {
  const page = await at.open({ scheme: "dark" });
  const before = await page.textContent("#workbook-name");
  await page.click("#workbooks summary");
  await page.locator("#workbooks-list button").first().click(); // a workbook that the browser saves
  await page.waitForFunction((name) => document.getElementById("workbook-name")?.textContent !== name, before);
  await enterModel(page);
  await page.locator("#panel").evaluate((panel) => {
    panel.style.width = "270px";
  });
  const frame = () => pane(page);
  const folded = () => frame().getByRole("button", { name: /^▸?\s*Dismissed \(1\)/ });
  await begin(frame());
  const line = lines(frame()).filter({ hasText: "Typed number" });
  await line.getByRole("button", { name: "Dismiss", exact: true }).click();
  await line.getByRole("textbox").fill("Plan of the board");
  await line.getByRole("button", { name: "Dismiss with this reason" }).click();
  await folded().waitFor();
  expect(await lines(frame()).count()).toBe(2);
  await checkAccess(frame());
  const [content, width] = await frame().evaluate(() => [document.body.scrollWidth, document.body.clientWidth]);
  expect(content).toBeLessThanOrEqual(width as number);
  await page.locator("#save-state", { hasText: /\d\d:\d\d/ }).waitFor();

  await page.reload();
  await page.evaluate(() => window.playground.ready);
  await readSettled(page, "E6");
  await begin(frame());
  expect(await lines(frame()).count()).toBe(2);
  await folded().click();
  await frame().getByText("Plan of the board").waitFor();
  const insert = () => frame().getByRole("button", { name: "Insert as sheet" }).last().click();
  await insert();
  await frame()
    .getByText(/^Created/)
    .waitFor();
  expect((await read(page, "Model check!B5")).value).toBe("Units mixed");
  await type(page, ["J5", "Ask the auditor"]);
  await insert();
  await frame()
    .getByText(/^Created "Model check[^"]+"/)
    .waitFor();
  expect((await read(page, "Model check!J5")).value).toBe("Ask the auditor");
});

it("the check of the model opens by its command, and says what to do in a workbook without figures", async () => {
  const page = await at.open();
  await clearWorkbook(page);
  await pane(page).getByRole("button", { name: "Menu" }).click();
  await pane(page).getByRole("button", { name: "Check the model" }).click();
  await pane(page).getByText("Add a FEED formula first").waitFor();
});

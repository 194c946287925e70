import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, jest } from "@jest/globals";
import type { Report } from "../../src/refresh/report";
import { toAddress } from "../../src/xlsx/addresses";
import { openPackage } from "../../src/xlsx/package";
import { readCells, type XlsxCell } from "../../src/xlsx/sheet";
import { readWorkbook } from "../../src/xlsx/workbook";
import { openHome } from "../companion/programs";
import { startCompanion } from "../support/companion";
import { openTab } from "../support/pane-page";
import { chooseInMenu, readDownload, refreshAll, type } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

jest.setTimeout(600_000);

const at = createPlaygroundPage({ companies: 900, isDemo: true, isKept: true });
const home = openHome();
beforeAll(() => at.page.setDefaultTimeout(120_000)); // sheets of thousands of cells on a busy machine

const COMPANIES = [
  "3d1ce6e7-7fd1-463c-ab13-8646d111213d",
  "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f",
  "bca112fc-4390-457f-887d-2e836eaf9ed3",
];
/** The kinds of sheets with the companies that their forms get. */
const TEMPLATES = {
  ranking: [],
  comparison: COMPANIES,
  statement: COMPANIES.slice(1, 2),
  ...{ league: [], movers: [], heat: [], rotation: [] },
};

/** Beside the model: a table of each company of a country, which grows with the provider, and what depends on it. */
const GROWING: [cell: string, text: string][] = [
  ["Model!J3", '=FEED.COMPANIES("SGP",,"all","name,id",,FALSE)'],
  ["Model!M3", "=COUNTA(J3#)"],
  ["Model!M4", '=FEED.FINANCIAL(K4,"FY0","Revenue")'],
  ["Model!M5", "=M4/2"],
];

interface Saved {
  sheets: { name: string; cells: Record<string, string> }[];
}

const countSheets = () =>
  at.page.evaluate(() => (window.playground.save() as unknown as { sheets: unknown[] }).sheets.length);

/** Makes a sheet by the pane's form. */
async function make(template: string, companies: readonly string[]): Promise<void> {
  await at.frame.getByLabel("Kind of sheet").selectOption(template);
  const box = at.frame.getByRole("combobox", { name: /^Compan/ });
  for (const company of companies) {
    await box.fill(company);
    await box.press("Tab");
    await at.frame.getByRole("button", { name: new RegExp(company) }).waitFor();
  }
  const before = await countSheets();
  await at.frame.getByRole("button", { name: "Create sheet" }).click();
  await at.page.waitForFunction(
    (count) => (window.playground.save() as unknown as { sheets: unknown[] }).sheets.length > count,
    before,
  );
}

/** Waits until the formulas of the add-in have results. */
async function waitForFormulas(): Promise<void> {
  const formulas = await at.page.evaluate(() =>
    (window.playground.save() as unknown as Saved).sheets.flatMap(({ name, cells }) =>
      Object.entries(cells).flatMap(([cell, text]) => (String(text).includes("FEED.") ? [`'${name}'!${cell}`] : [])),
    ),
  );
  const areReady = (all: string[]) => all.every((cell) => window.playground.get(cell).value !== "#BUSY!");
  await at.page.waitForFunction(areReady, formulas, { polling: 250 });
}

async function download(): Promise<Buffer> {
  const downloading = at.page.waitForEvent("download");
  await chooseInMenu(at.page, "Download as Excel");
  return readDownload(await downloading);
}

/** All cells of a file, such as "Model!B3". */
function readAll(file: Uint8Array): Map<string, XlsxCell> {
  const pack = openPackage(file);
  const workbook = readWorkbook(pack);
  const cells = workbook.sheets.flatMap((sheet) =>
    readCells(pack, workbook, sheet).cells.map(
      (cell) => [`${sheet.name}!${toAddress(cell.row, cell.column)}`, cell] as const,
    ),
  );
  return new Map(cells);
}

const isNear = (one: unknown, other: unknown) =>
  JSON.stringify(one) === JSON.stringify(other) ||
  (typeof one === "number" && typeof other === "number" && Math.abs(one - other) <= 1e-12 * Math.abs(other));

/** Has the provider, at the same address, other figures and more companies. */
async function changeProvider(): Promise<void> {
  const { origin, close } = at.companion;
  await close();
  at.companion = await startCompanion({ companies: 1000, port: Number(new URL(origin).port) });
  at.companion.controls.perturb = (value) => Math.round(value * (1 + ((value * 7919) % 97) / 97));
}

/** Times at which figures came: the two refreshes have their own. */
const isTime = ({ formula = "" }: Partial<XlsxCell> = {}) => formula.includes('FEED_STATUS("asof"');

it("a file of the sample workbook and each kind of made sheet is refreshed to what the playground shows after Refresh all", async () => {
  await type(at.page, ...GROWING);
  await openTab(at.frame, "Sheets");
  for (const [template, companies] of Object.entries(TEMPLATES)) await make(template, companies);
  await waitForFormulas();
  const before = await download();
  await changeProvider();
  await refreshAll(at.page);
  await waitForFormulas();
  const wanted = readAll(await download());

  const [path, reportPath] = [join(home.folder, "book.xlsx"), join(home.folder, "report.json")];
  writeFileSync(path, before);
  const words = ["refresh", path, "--companion", at.companion.origin, "--sample", "--report", reportPath];
  const ended = await home.run([...words, "--max-requests", "900"]);
  expect(ended).toMatchObject({ code: 0, errors: "" });
  const report: Report = JSON.parse(readFileSync(reportPath, "utf8"));
  const [old, now] = [readAll(before), readAll(readFileSync(path))];
  const left = new Set(report.leftToExcel.map(({ sheet, cell }) => `${sheet}!${cell}`));
  const keys = [...new Set([...wanted.keys(), ...now.keys()])].filter((key) => !isTime(now.get(key)));
  const different = keys.filter((key) => !left.has(key) && !isNear(now.get(key)?.value, wanted.get(key)?.value));
  expect(
    different.map((key) => ({
      ...{ key, formula: now.get(key)?.formula, was: old.get(key)?.value },
      ...{ now: now.get(key)?.value, wanted: wanted.get(key)?.value },
    })),
  ).toEqual([]);
  const toArray = (cell: XlsxCell | undefined) => JSON.stringify(cell?.array);
  expect(keys.filter((key) => !left.has(key) && toArray(now.get(key)) !== toArray(wanted.get(key)))).toEqual([]);
  const moved = keys.filter((key) => !isNear(old.get(key)?.value, wanted.get(key)?.value));
  expect([report.counts.failed, report.counts.formulas > 70, moved.length > 3_000]).toEqual([0, true, true]);
});

import type { Page } from "playwright-core";
import { METRICS } from "../../src/contract/parameter-values";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { COMPANIES } from "../../src/playground/sample-workbook";
import type { CellView } from "../../src/playground/workbook";
import type { RunningCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { waitUntilConnected } from "../support/pane-page";
import { clearWorkbook, pane, readRange, waitForDemo } from "./playground-page";

const YEARS = 10;
const METRIC_NAMES = Object.values(METRICS).flat().slice(0, 14);

/** A sheet with a row for each company and year, and a column for each metric; all figures are formulas. */
export interface LargeWorkbook {
  companyIds: readonly string[];
  /** The entered texts of the cells. */
  entries: [cell: string, text: string][];
  /** The range of the figures, such as "C2:P1001". */
  figures: string;
  /** Their addresses, row by row. */
  addresses: string[];
  /** Those of one company, counted from 0. */
  figuresOf(company: number): string;
}

/** Picks companies that the demo of the page does not request. */
export async function createLargeWorkbook(
  { origin, controls }: RunningCompanion,
  companies = 100,
): Promise<LargeWorkbook> {
  const read = await createDirectReading(origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=ALL&page_size=200");
  const shown = COMPANIES.map(({ id }) => id);
  const companyIds = page.data.map(({ id }) => id).filter((id) => !shown.includes(id));
  const chosen = companyIds.slice(0, companies);
  const first = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${chosen[0]}`);
  const years = first.years.map(({ year }) => year).slice(0, YEARS);
  controls.reset();
  const columns = METRIC_NAMES.map((metric, index) => ({ metric, letter: String.fromCharCode(67 + index) }));
  const rows = chosen.flatMap((id) => years.map((year) => ({ id, year })));
  const last = columns.at(-1)?.letter;
  return {
    companyIds: chosen,
    entries: [
      ...columns.map(({ metric, letter }): [string, string] => [`${letter}1`, metric]),
      ...rows.flatMap(({ id, year }, index): [string, string][] => [
        [`A${index + 2}`, id],
        [`B${index + 2}`, String(year)],
        ...columns.map(({ letter }): [string, string] => [
          `${letter}${index + 2}`,
          `=FEED.FINANCIAL($A${index + 2},$B${index + 2},${letter}$1)`,
        ]),
      ]),
    ],
    figures: `C2:${last}${rows.length + 1}`,
    addresses: rows.flatMap((_, index) => columns.map(({ letter }) => `Empty!${letter}${index + 2}`)),
    figuresOf: (company) => `C${company * years.length + 2}:${last}${(company + 1) * years.length + 1}`,
  };
}

/** A value that a formula set. */
export interface CellOutput {
  /** The cell of the formula's first call, as in "Empty!C2". */
  address: string;
  value: CellView["value"];
}

declare global {
  interface Window {
    cellOutputs: CellOutput[];
  }
}

/** Wraps the built functions for the playground, and records each value that a formula sets. */
export const RECORDING_SCRIPT = `
window.cellOutputs = [];
let functions;
const note = (run) => (...given) => {
  const invocation = given.at(-1);
  const setResult = invocation.setResult;
  invocation.setResult = (value) => {
    const first = Array.isArray(value) ? value[0][0] : value;
    cellOutputs.push({ address: invocation.address ?? "", value: first?.basicValue ?? first });
    setResult(value);
  };
  return run(...given);
};
Object.defineProperty(window, "CustomFunctions", {
  get: () => functions,
  set: (given) => {
    functions = { ...given, associate: (name, run) => given.associate(name, note(run)) };
  },
});`;

/** The values set since the last call, in order. */
export const takeOutputs = (page: Page): Promise<CellOutput[]> =>
  pane(page).evaluate(() => window.cellOutputs.splice(0));

/** The first value of each cell; undefined if it got none. */
export function toFirstValues(
  cellOutputs: readonly CellOutput[],
  { addresses }: LargeWorkbook,
): (CellView["value"] | undefined)[] {
  const first = new Map([...cellOutputs].reverse().map(({ address, value }) => [address, value]));
  return addresses.map((address) => first.get(address));
}

/** Enters a workbook into an empty one, and waits for each figure. */
export async function enter(page: Page, { entries, figures }: LargeWorkbook): Promise<void> {
  await clearWorkbook(page);
  await page.evaluate((all) => window.playground.setMany(all), entries);
  await waitForFigures(page, figures);
}

/** Waits until every cell of a range has a figure or an error. */
export const waitForFigures = async (page: Page, figures: string): Promise<void> =>
  void (await page.waitForFunction(
    (range) =>
      window.playground.range(range).every((row) => row.every((value) => value !== null && value !== "#BUSY!")),
    figures,
    { timeout: 60_000, polling: 100 },
  ));

export const readFigures = (page: Page, figures: string): Promise<CellView["value"][]> =>
  readRange(page, figures).then((rows) => rows.flat());

/** Waits until demo and pane have sent their own requests, then resets the counts. */
export async function forgetRequests(page: Page, { controls }: RunningCompanion): Promise<void> {
  await waitForDemo(page);
  await waitUntilConnected(pane(page));
  controls.reset();
}

/** The data requests since the reset, as operations. */
export const listRequests = ({ controls }: RunningCompanion): string[] =>
  controls.requests.map(({ operationId }) => operationId).filter((operation) => operation !== "createToken");

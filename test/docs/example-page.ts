import type { Page } from "playwright-core";
import type { ExampleResult } from "../../src/reference/page";
import type { Language } from "../../src/reference/texts";
import { clearWorkbook, openDemo, readSettled, type } from "../e2e/playground-page";
import { launchBrowser } from "../support/browser";
import { startCompanion } from "../support/companion";

/** The playground of a companion with sample data. */
export interface Examples {
  /** Opens it in a language, with an empty workbook at each evaluation. */
  open(language?: Language): Promise<Page>;
  close(): Promise<unknown>;
}

export async function startExamples(): Promise<Examples> {
  const [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  return {
    open: async (language = "en") => (await openDemo(browser, companion.origin, { query: `?lang=${language}` })).page,
    close: () => Promise.all([browser.close(), companion.close()]),
  };
}

/** The cells that the documents' examples refer to. */
const SETTING: [cell: string, text: string][] = [
  ["A1", "Komorebi Education Inc."],
  ["A2", "Yuzuriha Energy Corporation"],
  ["A3", "Tamayura Chemicals Co., Ltd."],
  ["B1", "2023"],
];

const MOST_ROWS = 4;
const MOST_COLUMNS = 6;
const COLUMNS = "DEFGHIJKLMNOPQRSTUVWXYZ";

/** What a formula shows on the sample data. @throws Error if that is an error */
export async function evaluate(page: Page, formula: string): Promise<ExampleResult> {
  await clearWorkbook(page);
  await type(page, ...SETTING);
  await type(page, ["D1", formula]);
  const { error } = await readSettled(page, "D1");
  if (error) throw new Error(`${formula} shows ${error.code} ${error.message}`);
  return page.evaluate(readResult, { columns: COLUMNS, mostRows: MOST_ROWS, mostColumns: MOST_COLUMNS });
}

function readResult(size: { columns: string; mostRows: number; mostColumns: number }): ExampleResult {
  const values = window.playground.range(`D1:${size.columns.at(-1)}2000`);
  const isFilled = (value: unknown) => value !== null;
  const rows = values.findLastIndex((row) => row.some(isFilled)) + 1;
  const columns = Math.max(...values.map((row) => row.findLastIndex(isFilled))) + 1;
  const cells = values
    .slice(0, Math.min(rows, size.mostRows))
    .map((row, y) =>
      row
        .slice(0, Math.min(columns, size.mostColumns))
        .map((_, x) => window.playground.get(`${size.columns[x]}${y + 1}`).text),
    );
  return { cells, rows, columns };
}

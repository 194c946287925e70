import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { ExampleResult } from "../../src/reference/example-results";
import { FORMULAS } from "../../src/reference/formulas";
import type { Language } from "../../src/reference/texts";
import { clearWorkbook, openDemo, readSettled, type } from "../e2e/playground-page";

export const ROOT = join(__dirname, "../..");

/** The documents for people, README.md first. */
export const DOCUMENT_FILES = ["README.md", ...listMarkdown("docs")];

function listMarkdown(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
}

export const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** A formula on a line of its own in a code block, and the lines of its result. */
const EXAMPLE = /^(=FEED\..+)\n((?:→ .*\n)*)/gm;

/** The examples of a document, each with the result that it states. */
export const listExamples = (markdown: string): { formula: string; result: string }[] =>
  [...markdown.matchAll(EXAMPLE)].map(([, formula = "", result = ""]) => ({ formula, result }));

/** Puts each example's result below it. */
export const writeResults = (markdown: string, results: ReadonlyMap<string, string>): string =>
  markdown.replace(EXAMPLE, (_, formula: string) => `${formula}\n${results.get(formula)}`);

/** The cells that the documents' examples refer to. */
const SETTING: [cell: string, text: string][] = [
  ["A1", "Komorebi Education Inc."],
  ["A2", "Yuzuriha Energy Corporation"],
  ["A3", "Tamayura Chemicals Co., Ltd."],
  ["B1", "2023"],
];

/** The examples of the reference whose results stay the same from day to day. */
export const listReferenceExamples = (): string[] =>
  [...FORMULAS].flatMap(([id, { examples }]) =>
    id === "STATUS" ? [] : examples.map(({ formula }) => formula).filter((formula) => !/"-\d+[dwm]"/.test(formula)),
  );

/** Opens the playground in a language, with an empty workbook at each evaluation. */
export const openExamples = async (browser: Browser, origin: string, language: Language = "en"): Promise<Page> =>
  (await openDemo(browser, origin, { query: `?lang=${language}` })).page;

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

const LINES = 2;

/** A result in lines for a document: its first rows, and its size (rows × columns) where that is not all. */
export function toLines({ cells, rows, columns }: ExampleResult): string {
  const shown = cells.slice(0, LINES);
  const lines = shown.map((row) => {
    const texts = row.map((text) => (text === "" ? "–" : text)).join(" | ");
    return `→ ${texts}${columns > row.length ? " | …" : ""}`;
  });
  const isCut = rows > shown.length || columns > (shown[0]?.length ?? 0);
  return `${lines.join("\n")}${isCut ? ` (${rows} × ${columns})` : ""}\n`;
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FORMULAS } from "../../src/reference/formulas";
import type { ExampleResult } from "../../src/reference/page";

export const ROOT = join(__dirname, "../..");

/** The documents for people, README.md first. */
export const DOCUMENT_FILES = ["README.md", ...listMarkdown("docs")];

/** The Markdown files in a folder and all below it. */
export function listMarkdown(folder: string): string[] {
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

/** The examples of the reference whose results stay the same from day to day. */
export const listReferenceExamples = (): string[] =>
  [...FORMULAS].flatMap(([id, { examples }]) =>
    id === "STATUS" ? [] : examples.map(({ formula }) => formula).filter((formula) => !/"-\d+[dwm]"/.test(formula)),
  );

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

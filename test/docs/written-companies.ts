import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, readText } from "./examples";

/** Where people read how a company is written. */
const PAGES = [
  "docs/analyst.md",
  "docs/ja/analyst.md",
  "docs/formulas.md",
  "src/reference/formula.ts",
  "src/reference/names.ts",
];

/** A company behind its country, or a ticker of four digits, in quotes. */
const WRITTEN = /"([A-Z]{3}:[^"]+|\d{4})"/g;

/** The example texts of COMPANY.FIND and COMPANY.ID in the formulas' metadata, by formula. */
function listMetadataTexts(file: string): [formula: string, text: string][] {
  const { functions } = JSON.parse(readFileSync(join(ROOT, "dist/web", file), "utf8")) as {
    functions: { id: string; parameters: { name: string; description: string }[] }[];
  };
  return functions.flatMap(({ id, parameters }) => {
    const { description = "" } = parameters.find(({ name }) => name === "text") ?? {};
    const [, examples = ""] = description.split(/e\.g\. |例：/);
    return [...examples.matchAll(/"([^"]+)"|(\d+)/g)].map(([, text, number]): [string, string] => [
      id,
      text ?? number ?? "",
    ]);
  });
}

/** A formula for each company that pages and the formulas' help write as an example. */
export function listWrittenCompanies(metadata: readonly string[]): string[] {
  const written = PAGES.flatMap((path) => [...readText(path).matchAll(WRITTEN)].map(([, text = ""]) => text));
  const formulas = [
    ...written.map((text) => `=FEED.COMPANY.ID("${text}")`),
    ...metadata.flatMap(listMetadataTexts).map(([id, text]) => `=FEED.${id}("${text}")`),
  ];
  return [...new Set(formulas)];
}

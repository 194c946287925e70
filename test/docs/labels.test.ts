import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { DOCUMENT_FILES, ROOT, readText } from "./examples";

/** Names of Excel and of Microsoft 365, which this project does not write. */
const MICROSOFTS = ["Evaluate Formula", "数式の検証", "Integrated apps", "Fixed"];

/** The sources of everything that people can press or read in ribbon, pane and playground; "…" for each parameter. */
const sources = ["manifest.xml", "src/taskpane/texts.ts", ...list("src/taskpane/texts"), ...list("src/playground")]
  .map(readText)
  .join("\n")
  .replace(/`([^`\n]*)`/g, (_, label: string) => `"${label.replace(/\$\{\w+\}/g, "…")}"`);

function list(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => `${folder}/${name}`);
}

/** The labels in a document: bold words that are no sentence and no beginning of one. */
const listLabels = (markdown: string): string[] =>
  [...markdown.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = ""]) => label).filter((label) => !/[.:?]$/.test(label));

const LABELS = DOCUMENT_FILES.filter((path) => /README|analyst|install|connect/.test(path)).flatMap((path) =>
  listLabels(readText(path)).map((label): [string, string] => [path, label]),
);

describe("the labels in the documents", () => {
  it("are many", () => {
    expect(LABELS.length).toBeGreaterThan(40);
  });

  it("are those of ribbon, pane and playground, in each language", () => {
    const unknown = LABELS.filter(([, label]) => !MICROSOFTS.includes(label) && !sources.includes(`"${label}"`));
    expect(unknown).toEqual([]);
  });
});

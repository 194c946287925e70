import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExampleResult } from "../../src/reference/page";
import { evaluate, startExamples } from "./example-page";
import { DOCUMENT_FILES, listExamples, listReferenceExamples, ROOT, readText, toLines, writeResults } from "./examples";

/** Writes the results of all examples into the documents and beside the reference. */
async function write(): Promise<void> {
  const { open, close } = await startExamples();
  const page = await open();
  for (const path of DOCUMENT_FILES) {
    const markdown = readText(path);
    const results = new Map<string, string>();
    for (const { formula } of listExamples(markdown)) results.set(formula, toLines(await evaluate(page, formula)));
    if (results.size > 0) writeFileSync(join(ROOT, path), writeResults(markdown, results));
  }
  const written: Record<string, Record<string, ExampleResult>> = {};
  for (const language of ["en", "ja"] as const) {
    const own = await open(language);
    written[language] = {};
    for (const formula of listReferenceExamples()) written[language][formula] = await evaluate(own, formula);
  }
  writeFileSync(join(ROOT, "src/reference/results.json"), `${JSON.stringify(written, null, 1)}\n`);
  await close();
}

void write();

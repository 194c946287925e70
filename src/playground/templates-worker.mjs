// The thread of templates-loader.cjs.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { compileTemplates } from "@odoo/owl/dist/compile_templates.mjs";

const { file, documents, texts } = workerData;
// The compiler reports a template that it cannot compile, and leaves it out.
console.error = (error) => {
  throw error;
};
// The compiler takes files alone.
const folder = mkdtempSync(join(tmpdir(), "feed-templates-"));
const write = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const named = await compileTemplates([file, ...documents.map((text, nth) => write(`document${nth}.xml`, text))]);
const written = await compileTexts(texts);
rmSync(folder, { recursive: true });
parentPort.postMessage(`${named};\n${written};\n`);

/** Compiles texts as a file with a template for each. */
async function compileTexts(texts) {
  const all = texts.map((text, nth) => `<t t-name="written${nth}">${text}</t>`);
  const module = await compileTemplates([write("written.xml", `<odoo>${all.join("\n")}</odoo>`)]);
  const list = texts.map((text, nth) => `[${JSON.stringify(text)}, compiled.written${nth}]`);
  return `${module.replace("export const templates", "const compiled")};\nexport const written = new Map([${list}])`;
}

// The thread of templates-loader.cjs.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { compileTemplates } from "@odoo/owl/dist/compile_templates.mjs";

const { file, texts } = workerData;
// The compiler reports a template that it cannot compile, and leaves it out.
console.error = (error) => {
  throw error;
};
const named = await compileTemplates([file]);
const written = await compileTexts(texts);
parentPort.postMessage(`${named};\n${written};\n`);

/** Compiles texts as a file with a template for each, since the compiler takes files alone. */
async function compileTexts(texts) {
  const folder = mkdtempSync(join(tmpdir(), "feed-templates-"));
  const path = join(folder, "written.xml");
  writeFileSync(path, `<odoo>${texts.map((text, nth) => `<t t-name="written${nth}">${text}</t>`).join("\n")}</odoo>`);
  const module = await compileTemplates([path]);
  rmSync(folder, { recursive: true });
  const list = texts.map((text, nth) => `[${JSON.stringify(text)}, compiled.written${nth}]`);
  return `${module.replace("export const templates", "const compiled")};\nexport const written = new Map([${list}])`;
}

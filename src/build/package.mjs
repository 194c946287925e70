/** Packs the built pages and the companion, as an npm package and as a zip with the same files: `npm run package`. */
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { pack } from "./package/pack.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

for (const path of pack(ROOT, join(ROOT, "artefacts"))) {
  process.stdout.write(`${relative(process.cwd(), path)}  ${statSync(path).size} bytes\n`);
}

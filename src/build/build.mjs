/** Builds the pages and the companion into dist, unless dist is of these very files. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hashInputs, isBuilt, recordBuild } from "./inputs.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const WEBPACK = fileURLToPath(new URL("../../node_modules/webpack/bin/webpack.js", import.meta.url));

function build() {
  process.stdout.write("Building the pages and the companion.\n");
  rmSync(DIST, { recursive: true, force: true }); // what another build left would be served and packed
  const inputs = hashInputs(ROOT); // a file that changes while webpack runs makes the next build
  const { status } = spawnSync(process.execPath, [WEBPACK, "--mode", "production"], { cwd: ROOT, stdio: "inherit" });
  if (status === 0) recordBuild(ROOT, inputs);
  return status ?? 1;
}

process.exitCode = isBuilt(ROOT) ? 0 : build();

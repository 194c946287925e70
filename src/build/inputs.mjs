import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** What a build reads, besides the packages that the lock file names. */
const INPUTS = [
  ...["src", "docs", "assets", "manifest.xml", "package.json", "package-lock.json"],
  ...["tsconfig.json", "webpack.config.js", ".swcrc", "LICENSE"],
];

/** Hash of the inputs that dist was built from; every build by webpack removes it first, since another mode makes other files. */
const RECORD = "dist/inputs.sha256";

/** Files of dist without which nothing starts. */
const OUTPUTS = ["dist/companion/main.mjs", "dist/web/functions.js", "dist/web/playground.js"];

/** Whether dist is a production build of the present files. */
export function isBuilt(root) {
  const isThere = [RECORD, ...OUTPUTS].every((path) => existsSync(join(root, path)));
  return isThere && readFileSync(join(root, RECORD), "utf8") === hashInputs(root);
}

/** Records that dist is a production build of inputs with this hash. */
export function recordBuild(root, inputs) {
  writeFileSync(join(root, RECORD), inputs);
}

/** The hash of the inputs' paths and contents; the version of Node is among them, since it runs the build. */
export function hashInputs(root) {
  const hash = createHash("sha256").update(process.version);
  for (const path of INPUTS.flatMap((input) => listFiles(root, input))) {
    const content = readFileSync(join(root, path));
    hash.update(`\n${path}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Lists a file itself, or the files below a folder, by name. */
function listFiles(root, input) {
  if (statSync(join(root, input)).isFile()) return [input];
  const entries = readdirSync(join(root, input), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

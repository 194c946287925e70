const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const ROOT = join(__dirname, "../..");
/** The path in jest's settings in package.json. */
const CACHE = join(ROOT, "node_modules/.cache/feed-tests");

/**
 * Bundles something for tests by webpack, unless it has been bundled of the same state; files share it.
 * @param {string} name the name of the bundle's file
 * @param {string} state changes with whatever the bundle is of
 * @param {(folder: string) => object} configure gives webpack's configuration, but for the folder of its output
 * @returns {Promise<string>} the path of the bundle
 */
module.exports.prepareBundle = async (name, state, configure) => {
  const bundle = join(CACHE, name);
  const mark = `// ${createHash("sha256").update(state).digest("hex")}\n`;
  if (existsSync(bundle) && readFileSync(bundle, "utf8").startsWith(mark)) return bundle;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "making-")); // another run may make it too
  const { output, ...configuration } = configure(folder);
  const compiler = require("webpack")({
    ...{ context: ROOT, ...configuration },
    output: { path: folder, filename: name, ...output },
  });
  await new Promise((resolve, reject) =>
    compiler.run((error, stats) => {
      const failure = error ?? (stats.hasErrors() ? new Error(stats.toString("errors-only")) : null);
      if (failure) reject(failure);
      else compiler.close(resolve);
    }),
  );
  writeFileSync(join(folder, "marked"), mark + readFileSync(join(folder, name), "utf8"));
  renameSync(join(folder, "marked"), bundle);
  rmSync(folder, { recursive: true });
  return bundle;
};

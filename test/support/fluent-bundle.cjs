const { createHash } = require("node:crypto");
const {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require("node:fs");
const { dirname, join } = require("node:path");
const webpack = require("webpack");

const ROOT = join(__dirname, "../..");
/** The path in jest's settings in package.json. */
const BUNDLE = join(ROOT, "node_modules/.cache/feed-tests/fluent.cjs");
const PACKAGE = "@fluentui/react-components";
const IMPORT = /import \{([^}]+)\} from "@fluentui\/react-components"/g;

/**
 * Bundles the parts of Fluent UI that the pane uses into one file, unless it exists: each test file loads Fluent UI, and
 * the package's thousands of files took longer to load than most of those tests.
 */
module.exports.prepareFluent = async () => {
  const entry = `export { ${listNames().join(", ")} } from "${PACKAGE}";`;
  const { version } = require(`${PACKAGE}/package.json`);
  const mark = `// ${createHash("sha256")
    .update(entry + version)
    .digest("hex")}\n`;
  if (existsSync(BUNDLE) && readFileSync(BUNDLE, "utf8").startsWith(mark)) return;
  mkdirSync(dirname(BUNDLE), { recursive: true });
  const folder = mkdtempSync(join(dirname(BUNDLE), "making-")); // another run may make it too
  writeFileSync(join(folder, "entry.mjs"), entry);
  await build(folder);
  writeFileSync(join(folder, "marked.cjs"), mark + readFileSync(join(folder, "fluent.cjs"), "utf8"));
  renameSync(join(folder, "marked.cjs"), BUNDLE);
  rmSync(folder, { recursive: true });
};

function listNames() {
  const files = ["src/taskpane", "test/taskpane"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(ROOT, folder, name)),
  );
  const texts = files.filter((file) => /\.tsx?$/.test(file)).map((file) => readFileSync(file, "utf8"));
  const lists = texts.flatMap((text) => [...text.matchAll(IMPORT)].map(([, list]) => list));
  const names = lists.flatMap((list) => list.split(",")).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== "" && !name.startsWith("type ")))].sort();
}

function build(folder) {
  const isReact = (request) => /^(react|react-dom|scheduler)(\/|$)/.test(request);
  const compiler = webpack({
    mode: "none",
    target: "node20",
    context: ROOT,
    entry: join(folder, "entry.mjs"),
    output: { path: folder, filename: "fluent.cjs", library: { type: "commonjs2" } },
    externals: [({ request }, answer) => (isReact(request) ? answer(null, `commonjs2 ${request}`) : answer())],
    optimization: { concatenateModules: true, sideEffects: true, providedExports: true, usedExports: true },
  });
  return new Promise((resolve, reject) =>
    compiler.run((error, stats) => {
      const failure = error ?? (stats.hasErrors() ? new Error(stats.toString("errors-only")) : null);
      if (failure) reject(failure);
      else compiler.close(resolve);
    }),
  );
}

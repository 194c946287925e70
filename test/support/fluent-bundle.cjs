const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { prepareBundle } = require("./test-bundle.cjs");

const ROOT = join(__dirname, "../..");
const PACKAGE = "@fluentui/react-components";
const IMPORT = /import \{([^}]+)\} from "@fluentui\/react-components"/g;

/**
 * Bundles the parts of Fluent UI that the pane uses into one file: each test file loads Fluent UI, and the package's
 * thousands of files took longer to load than most of those tests.
 */
module.exports.prepareFluent = () => {
  const entry = `export { ${listNames().join(", ")} } from "${PACKAGE}";`;
  const isReact = (request) => /^(react|react-dom|scheduler)(\/|$)/.test(request);
  return prepareBundle("fluent.cjs", entry + require(`${PACKAGE}/package.json`).version, (folder) => {
    writeFileSync(join(folder, "entry.mjs"), entry);
    return {
      mode: "none",
      target: "node20",
      entry: join(folder, "entry.mjs"),
      output: { library: { type: "commonjs2" } },
      externals: [({ request }, answer) => (isReact(request) ? answer(null, `commonjs2 ${request}`) : answer())],
      optimization: { concatenateModules: true, sideEffects: true, providedExports: true, usedExports: true },
    };
  });
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

// Runs while webpack builds: writes the licences of all shipped packages, and fails the build where one is not allowed.
const path = require("node:path");
const { findFolder, isAllowed, readPackage } = require("./packages.cjs");

const ROOT = path.resolve(__dirname, "..", "..");
const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
const LINE = "=".repeat(100);

/** Writes one file of notices beside the bundles, and the list of its packages. */
class NoticesPlugin {
  /**
   * @param {{ file: string, what: string, remark?: string }} options The file's name among the build's; what the packages
   *   are in, for its title; what is to be said besides.
   */
  constructor(options) {
    this.options = options;
  }

  apply(compiler) {
    const { Compilation, sources, WebpackError } = compiler.webpack;
    compiler.hooks.thisCompilation.tap("NoticesPlugin", (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: "NoticesPlugin", stage }, () => {
        const packages = this.listPackages(compilation);
        for (const each of packages) {
          const problem = findProblem(each);
          if (problem !== undefined) compilation.errors.push(new WebpackError(problem));
        }
        const { file } = this.options;
        const references = packages.map(({ name, version }) => `${name}@${version}`);
        compilation.emitAsset(file, new sources.RawSource(toNotices(packages, this.options)));
        compilation.emitAsset(toListFile(file), new sources.RawSource(`${JSON.stringify(references, null, 2)}\n`));
      });
    });
  }

  listPackages(compilation) {
    const folders = new Set(listFiles(compilation).map(findFolder));
    // Every bundle begins with some of webpack's own code.
    folders.add(path.join(ROOT, "node_modules", "webpack"));
    return sort([...folders].map(readPackage));
  }
}

/** Beside the folder of the build: the list of what the package holds is made of these. */
const toListFile = (file) => `../packages/${path.basename(file, ".txt")}.json`;

/** Lists the packages' files in the written chunks, concatenated or not. */
function listFiles({ modules, chunkGraph }) {
  const written = [...modules].filter((module) => chunkGraph.getNumberOfModuleChunks(module) > 0);
  const files = written.flatMap((module) =>
    [module, ...(module.modules ?? [])].map((each) => each.nameForCondition?.()),
  );
  return [...new Set(files)].filter((file) => file?.includes(NODE_MODULES));
}

function findProblem({ name, version, licence, text }) {
  const who = `${name} ${version}`;
  if (!isAllowed({ name, licence }))
    return `${who} has the licence "${licence}", under which nothing may be shipped here.`;
  if (text === "") return `${who} comes without the text of its licence (${licence}).`;
  return undefined;
}

/** Sorts by name and version, without duplicates. */
function sort(packages) {
  const byName = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  return [...byName.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/** Gives the list of packages, then each licence text once with its packages. */
function toNotices(packages, { what, remark }) {
  const head = [`FEED for Excel: the licences of packages in ${what}`, ...(remark ? ["", remark] : [])];
  const list = packages.map(({ name, version, licence, source }) => [`${name} ${version}`, licence, source].join("  "));
  const texts = new Map();
  for (const each of packages) texts.set(each.text, [...(texts.get(each.text) ?? []), `${each.name} ${each.version}`]);
  const parts = [...texts].map(([text, names]) =>
    [LINE, names.join(", "), LINE, "", text.replaceAll("\r", ""), ""].join("\n"),
  );
  return [...head, "", ...list, "", ...parts].join("\n");
}

module.exports = { NoticesPlugin };

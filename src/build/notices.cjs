// Runs while webpack builds: writes the licences of all shipped packages, and fails the build where one is not allowed.
const { existsSync, readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");

const ROOT = path.resolve(__dirname, "..", "..");
const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
const LINE = "=".repeat(100);
const TEXTS = path.join(__dirname, "notices", "texts");
const LICENCE_FILE = /^(licen[cs]e|copying|notice|copyrightnotice)([.-][\w.-]*)?$/i;
const ALLOWED = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1"];
/** Licences allowed for packages that are shipped as files of their own, which users can replace. */
const ALLOWED_FOR = { "@odoo/o-spreadsheet": "LGPL-3.0-or-later", "@odoo/owl": "LGPL-3.0-only" };

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

/**
 * Reads a package's description and licence.
 * @param {string} folder Where it is installed.
 */
function readPackage(folder) {
  const { name, version, license, licenses, author, repository } = readJson(path.join(folder, "package.json"));
  const licence = toExpression(license ?? licenses);
  return { name, version, licence, source: toAddress(repository), text: readText(folder, licence, author) };
}

/**
 * Finds the package of a file.
 * @param {string} file A path below node_modules.
 * @returns {string} Its folder: the closest one above whose package.json has a name and a version.
 */
function findFolder(file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const description = path.join(folder, "package.json");
    if (!existsSync(description)) continue;
    const { name, version } = readJson(description);
    if (name && version) return folder;
  }
  throw new Error(`${file} belongs to no package.`);
}

/** Whether a package may be shipped under its licence, an SPDX expression with AND or OR. */
function isAllowed({ name, licence }) {
  const words = licence.replace(/[()]/g, "");
  if (words.includes(" OR ")) return words.split(" OR ").some((each) => isAllowed({ name, licence: each }));
  return words.split(" AND ").every((each) => ALLOWED.includes(each) || ALLOWED_FOR[name] === each);
}

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

function toExpression(license) {
  if (typeof license === "string") return license;
  const names = [license].flat().map((each) => each?.type ?? "none");
  return names.join(" OR ");
}

const toAddress = (repository) =>
  String(repository?.url ?? repository ?? "")
    .replace(/^git\+|\.git$/g, "")
    .replace(/^(git|ssh):\/\/(git@)?/, "https://")
    .replace(/^([\w-]+\/[\w.-]+)$/, "https://github.com/$1");

/** Reads the package's own licence files; else what is kept here in their place, or the standard text of its licence. */
function readText(folder, licence, author) {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (each) => each.isFile() && LICENCE_FILE.test(each.name),
  );
  if (files.length > 0)
    return files.map(({ name }) => readFileSync(path.join(folder, name), "utf8").trim()).join("\n\n");
  const kept = path.join(TEXTS, `${path.basename(folder)}.txt`);
  if (existsSync(kept)) return readFileSync(kept, "utf8").trim();
  const parts = licence.replace(/[()]/g, "").split(/ (?:AND|OR) /);
  const texts = parts.map((part) => path.join(TEXTS, `${part}.txt`)).filter((file) => existsSync(file));
  if (texts.length < parts.length) return "";
  const holder = typeof author === "object" ? author.name : author;
  return [`Copyright (c) ${holder ?? "the authors"}`, ...texts.map((file) => readFileSync(file, "utf8").trim())].join(
    "\n\n",
  );
}

module.exports = { NoticesPlugin };

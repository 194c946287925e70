// Reads the licences of packages; runs while webpack builds.
const { existsSync, readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");

const TEXTS = path.join(__dirname, "texts");
const LICENCE_FILE = /^(licen[cs]e|copying|notice|copyrightnotice)([.-][\w.-]*)?$/i;
const ALLOWED = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1"];
/** Licences allowed for packages that are shipped as files of their own, which users can replace. */
const ALLOWED_FOR = { "@odoo/o-spreadsheet": "LGPL-3.0-or-later", "@odoo/owl": "LGPL-3.0-only" };

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

/** Reads the package's own licence files, or else the standard text of its licence. */
function readText(folder, licence, author) {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (each) => each.isFile() && LICENCE_FILE.test(each.name),
  );
  if (files.length > 0)
    return files.map(({ name }) => readFileSync(path.join(folder, name), "utf8").trim()).join("\n\n");
  const parts = licence.replace(/[()]/g, "").split(/ (?:AND|OR) /);
  const texts = parts.map((part) => path.join(TEXTS, `${part}.txt`)).filter((file) => existsSync(file));
  if (texts.length < parts.length) return "";
  const holder = typeof author === "object" ? author.name : author;
  return [`Copyright (c) ${holder ?? "the authors"}`, ...texts.map((file) => readFileSync(file, "utf8").trim())].join(
    "\n\n",
  );
}

module.exports = { findFolder, isAllowed, readPackage };

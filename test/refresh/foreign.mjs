/**
 * Refreshes some 30 workbooks that other programs wrote, by the built command on sample data, and compares: no part of a
 * file differs but the cells that the report names, openpyxl reads the same values, and LibreOffice opens the result.
 *
 * Usage: node test/refresh/foreign.mjs   after `npm run build`. It needs soffice (LibreOffice Calc), and a python3 with
 * openpyxl and XlsxWriter, of the path or as PYTHON names it; without them it ends with 1 and says so.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { strFromU8, unzipSync } from "fflate";

const MAIN = fileURLToPath(new URL("../../dist/companion/main.mjs", import.meta.url));
const SCRIPT = fileURLToPath(new URL("foreign-files.py", import.meta.url));
const PYTHON = process.env.PYTHON ?? "/usr/bin/python3";

function run(program, words, environment = process.env) {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: "utf8",
    env: environment,
    maxBuffer: 1 << 28,
  });
  return { status: error ? -1 : status, output: stdout ?? "", errors: error?.message ?? stderr ?? "" };
}

function need(what, program, words) {
  const { status, errors } = run(program, words);
  if (status === 0) return;
  process.stderr.write(`This needs ${what}: ${errors.trim().split("\n").at(-1)}\n`);
  process.exit(1);
}
need("python3 with openpyxl and XlsxWriter", PYTHON, ["-c", "import openpyxl, xlsxwriter"]);
need("soffice of LibreOffice Calc", "soffice", ["--version"]);

const folder = mkdtempSync(join(tmpdir(), "feed-foreign-"));
const [before, after] = ["before", "after"].map((name) => join(folder, name));
const made = run(PYTHON, [SCRIPT, before]);
if (made.status !== 0) throw new Error(made.errors);
mkdirSync(after);
const names = readdirSync(before)
  .filter((name) => /\.xls[xm]$/.test(name))
  .toSorted();
const faults = [];
const reports = new Map();
for (const name of names) {
  const path = join(after, name);
  cpSync(join(before, name), path);
  const report = join(folder, `${name}.json`);
  const environment = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, LOG_LEVEL: "silent" };
  const { status, output, errors } = run(
    process.execPath,
    [MAIN, "refresh", path, "--sample", "--report", report],
    environment,
  );
  if (status !== 0) {
    faults.push(`${name}: status ${status}. ${errors || output}`);
    continue;
  }
  reports.set(name, JSON.parse(readFileSync(report, "utf8")));
}

const A1 = /^([A-Z]+)(\d+)$/;
const toColumn = (letters) => [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);

/** The cells of areas such as "B2:B5". */
function toCells(areas) {
  return areas.flatMap((area) => {
    const [from, to = from] = area.split(":").map((each) => A1.exec(each));
    const cells = [];
    for (let row = Number(from[2]); row <= Number(to[2]); row++)
      for (let column = toColumn(from[1]); column <= toColumn(to[1]); column++) cells.push(`${column} ${row}`);
    return cells;
  });
}

/** A sheet's part without the named cells, and without what may follow them: spans, dimension. */
function withoutCells(bytes, named) {
  const text = bytes[0] === 0xff ? new TextDecoder("utf-16le").decode(bytes) : strFromU8(bytes);
  return text
    .replace(/<((?:\w+:)?)c\b([^>]*?)(?:\/>|>[\s\S]*?<\/\1c>)/g, (cell, _prefix, attributes) => {
      const [, letters, row] = /\sr="([A-Z]+)(\d+)"/.exec(attributes) ?? [];
      return letters !== undefined && named.has(`${toColumn(letters)} ${row}`) ? "" : cell;
    })
    .replace(/\sspans="[^"]*"/g, "")
    .replace(/<((?:\w+:)?)dimension\b[^>]*>/, "");
}

const withoutCalculation = (bytes) => strFromU8(bytes).replace(/<(?:\w+:)?calcPr\b[^>]*>/, "");

/** Compares all parts of a file before and after. */
function compareParts(name, { cells }) {
  const [old, now] = [before, after].map((place) => unzipSync(readFileSync(join(place, name))));
  if (Object.keys(old).join() !== Object.keys(now).join()) faults.push(`${name}: has other parts`);
  const named = new Set(Object.values(cells).flatMap(toCells));
  for (const [part, bytes] of Object.entries(old)) {
    const other = now[part] ?? new Uint8Array();
    if (Buffer.compare(bytes, other) === 0) continue;
    const isSheet = /sheet[^/]*\.xml$/i.test(part) && !/_rels|chartsheets/.test(part);
    const isEqual = isSheet
      ? withoutCells(bytes, named) === withoutCells(other, named)
      : /workbook\.xml$/.test(part) && withoutCalculation(bytes) === withoutCalculation(other);
    if (!isEqual) faults.push(`${name}: ${part} differs beyond the report's cells`);
  }
}

/** Compares values and formulas as openpyxl reads them. */
function compareReadings() {
  const read = (place) => JSON.parse(run(PYTHON, [SCRIPT, "--read", ...names.map((name) => join(place, name))]).output);
  const [old, now] = [read(before), read(after)];
  let compared = 0;
  for (const [name, { cells }] of reports) {
    const [was, is] = [old[join(before, name)], now[join(after, name)]];
    if (is.error !== undefined) {
      if (was.error === undefined) faults.push(`${name}: openpyxl reads it no more: ${is.error}`);
      continue;
    }
    for (const sheet of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const named = new Set(toCells(cells[sheet] ?? []));
      for (const address of new Set([...Object.keys(was[sheet] ?? {}), ...Object.keys(is[sheet] ?? {})])) {
        const [, letters, row] = A1.exec(address);
        const [[value, formula], [later, laterFormula]] = [was[sheet]?.[address] ?? [], is[sheet]?.[address] ?? []];
        compared++;
        if (formula !== laterFormula && typeof formula === "string" && formula.startsWith("="))
          faults.push(`${name}: ${sheet}!${address} has another formula`);
        if (value !== later && !named.has(`${toColumn(letters)} ${row}`))
          faults.push(`${name}: ${sheet}!${address} was ${value} and is ${later}, which the report does not name`);
      }
    }
  }
  return compared;
}

/** Compares the figures as LibreOffice shows them, of plain formulas: it calculates array formulas anew. */
function compareOffice() {
  const shown = join(folder, "shown");
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  const paths = [...reports.keys()].map((name) => join(after, name));
  const { status, errors } = run("soffice", [
    "--headless",
    profile,
    "--convert-to",
    "csv",
    "--outdir",
    shown,
    ...paths,
  ]);
  if (status !== 0) faults.push(`LibreOffice: ${errors}`);
  let figures = 0;
  for (const [name, { changes }] of reports) {
    const text = readFileSync(join(shown, name.replace(/\.xls[xm]$/, ".csv")), "utf8");
    const lines = text.replace(/"((?:[^"]|"")*)"/g, (_, field) => field.replace(/[",\n]/g, "")).split("\n");
    for (const { sheet, cell, after: value } of changes) {
      const [, letters, row] = A1.exec(cell);
      if (sheet !== "Model" || letters !== "B" || typeof value !== "number") continue;
      const read = Number(lines[Number(row) - 1]?.split(",")[1]);
      figures++;
      if (!(Math.abs(read - value) <= 0.5)) faults.push(`${name}: LibreOffice shows ${read} in ${cell}, not ${value}`);
    }
  }
  return figures;
}

for (const [name, report] of reports) compareParts(name, report);
const compared = compareReadings();
const figures = compareOffice();
rmSync(folder, { recursive: true });
const written = [...reports.values()].filter((report) => report.written !== null).length;
process.stdout.write(
  `${names.length} files, ${written} written: ${compared} cells compared by openpyxl, ${figures} figures by LibreOffice, ${faults.length} faults\n${faults.map((fault) => `  ${fault}\n`).join("")}`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

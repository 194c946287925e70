/**
 * Ends the built command by SIGKILL at random moments while it refreshes a copy of a workbook, and compares: the file has
 * the old bytes or the new ones, never others, and nothing beside it is named like a workbook.
 *
 * Usage: node test/refresh/killed.mjs [TIMES]   after `npm run build`; on Linux or macOS. Sample data answer.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { strToU8, zipSync } from "fflate";

const MAIN = fileURLToPath(new URL("../../dist/companion/main.mjs", import.meta.url));
const TIMES = Number(process.argv[2] ?? 50);
const ROWS = 4_000;

const folder = mkdtempSync(join(tmpdir(), "feed-killed-"));
const [original, path] = [join(folder, "original.bin"), join(folder, "Model.xlsx")];
const toHash = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** A workbook with a ranking and many cells, so that it takes a while to write. */
function writeBook(file) {
  const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const toRelation = (kind, target) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/${kind}" Target="${target}"/></Relationships>`;
  const first = '<c r="A1" t="str"><f>_xldudf_FEED_RANKING("2024-01",,5,"companyName",,FALSE)</f><v>old</v></c>';
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const own = row === 0 ? first : `<c r="A${row + 1}"><f>LEN($A$1)+${row}</f><v>${3 + row}</v></c>`;
    return `<row r="${row + 1}">${own}<c r="B${row + 1}"><v>${Math.sin(row)}</v></c></row>`;
  });
  const parts = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": toRelation("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": toRelation("worksheet", "worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${rows.join("")}</sheetData></worksheet>`,
  };
  writeFileSync(file, zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))));
}

/** Runs the command; gives how long it took, and its exit code. */
function refresh(killAfterMs) {
  copyFileSync(original, path);
  const environment = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, LOG_LEVEL: "silent" };
  const startedMs = performance.now();
  const child = spawn(process.execPath, [MAIN, "refresh", path, "--sample"], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part));
  if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve) =>
    child.once("close", (code) => resolve({ code, tookMs: performance.now() - startedMs, said })),
  );
}

writeBook(original);
const whole = await refresh();
if (whole.code !== 0) throw new Error(`The command fails without being killed: ${whole.said}`);
const [before, after] = [toHash(original), toHash(path)];
if (before === after) throw new Error("The refresh changes nothing, so that nothing is compared.");
const counts = { killed: 0, old: 0, new: 0, other: 0, left: 0 };
let usualMs = whole.tookMs;
for (let time = 0; time < TIMES; time++) {
  // Half of them near the end, when the file is written.
  const share = time % 2 === 0 ? Math.random() : 0.7 + 0.35 * Math.random();
  const { code, tookMs } = await refresh(share * usualMs);
  if (code === null) counts.killed++;
  else usualMs = tookMs; // a machine that others use as well is not always as fast
  const hash = toHash(path);
  if (hash === before) counts.old++;
  else if (hash === after) counts.new++;
  else counts.other++;
  const beside = readdirSync(folder).filter((name) => name.startsWith(".Model.xlsx."));
  counts.left += beside.length;
  for (const name of beside) rmSync(join(folder, name));
  const books = readdirSync(folder).filter((name) => /\.xls[xm]$/i.test(name));
  if (books.length !== 1) throw new Error(`Beside it is another workbook: ${books.join(", ")}`);
}
rmSync(folder, { recursive: true });
process.stdout.write(
  `${TIMES} runs, ${counts.killed} of them killed: ${counts.old} old, ${counts.new} new, ${counts.other} other; temporary files left and no workbooks: ${counts.left}\n`,
);
if (counts.other > 0) process.exitCode = 1;

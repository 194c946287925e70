import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Report } from "../../../src/refresh/report";
import { toAddress } from "../../../src/xlsx/addresses";
import { toFile, toParts, toSheet } from "../../xlsx/files";
import { readSheet, type Sheet } from "../excel/sheet";
import { median } from "../measure";
import { type Finding, type Row, toFinding, toMost } from "../row";
import { startSite } from "../site";

const MAIN = join(__dirname, "../../../dist/companion/main.mjs");
const ORDINARY = 30_000;
const LARGE_CELLS = 100_000;
const GOAL_MS = 10_000;
const GOAL_MB = 500;
const REQUESTS = 4;
/** A process that says at its end how much memory it had at most, in KB. */
const TELLING =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("memory "+process.resourceUsage().maxRSS))';

/** The built command on a workbook's file; the provider is a process of its own. */
export const WORKBOOK: Row = {
  name: "workbook",
  title: "feed refresh: a file with 14,000 figures and 30,000 ordinary formulas, and one with 100,000 figures",
  async measure({ rounds, print }) {
    const site = await startSite();
    const folder = mkdtempSync(join(tmpdir(), "feed-bench-workbook-"));
    try {
      const sheet = await readSheet(site.origin);
      const runs: Run[] = [];
      for (let round = 0; round < rounds; round++) runs.push(await refresh(folder, site.origin, toRows(sheet, 1)));
      const times = Math.ceil(LARGE_CELLS / sheet.calls.length);
      const large = await refresh(folder, site.origin, toRows(sheet, times));
      print(
        `${large.report.counts.formulas.toLocaleString("en")} figures: ${large.ownMs.toFixed(0)} ms beside the provider`,
      );
      return toFindings(runs, large);
    } finally {
      rmSync(folder, { recursive: true });
      await site.close();
    }
  },
};

/** One run of the command. */
interface Run {
  report: Report;
  /** Milliseconds from the process's begin to its end, and without the wait for the provider. */
  allMs: number;
  ownMs: number;
  memoryMb: number;
}

function toFindings(runs: readonly Run[], large: Run): Finding[] {
  const own = runs.map(({ ownMs }) => ownMs);
  const memory = runs.map(({ memoryMb }) => memoryMb);
  const requests = runs.map(({ report }) => report.requests);
  const toStep = (step: "reading" | "engine" | "provider" | "writing") =>
    toFinding(
      `of it: ${step}`,
      "ms",
      runs.map(({ report }) => 1000 * report.seconds[step]),
    );
  const formulas = (run: Run) => run.report.counts.formulas;
  const growth = large.ownMs / formulas(large) / (median(own) / formulas(runs[0]!));
  return [
    toFinding("the command, without the wait for the provider", "ms", own, toMost(GOAL_MS, "ms", [median(own)])),
    ...(["reading", "engine", "provider", "writing"] as const).map(toStep),
    toFinding("memory at most", "MB", memory, [`at most ${GOAL_MB} MB`, memory.every((mb) => mb <= GOAL_MB)]),
    toFinding("requests", "requests", requests, toMost(REQUESTS, "requests", requests)),
    toFinding(
      `${formulas(large).toLocaleString("en")} figures, without the wait`,
      "ms",
      [large.ownMs],
      ["linear: at most 1.5 × a figure's time", growth <= 1.5],
    ),
    toFinding("their memory at most", "MB", [large.memoryMb]),
  ];
}

/** A row for each company and year, as often as is said, with sums beside it; then the ordinary formulas. */
function toRows({ calls, metrics }: Sheet, times: number): string {
  const rows: string[] = [];
  for (let time = 0; time < times; time++) {
    for (let at = 0; at < calls.length; at += metrics.length) {
      const row = rows.length;
      const cells = calls.slice(at, at + metrics.length).map(([, [id, year, metric]], column) => {
        const formula = `_xldudf_FEED_FINANCIAL("${id}",${year},"${metric}")`;
        return `<c r="${toAddress(row, column)}"><f>${formula}</f><v>1</v></c>`;
      });
      rows.push(`<row r="${row + 1}">${cells.join("")}</row>`);
    }
  }
  const figures = rows.length;
  for (let index = 0; index < ORDINARY / 10; index++) {
    const row = rows.length;
    const cells = Array.from({ length: 10 }, (_, column) => {
      const of = toAddress(index % figures, column);
      return `<c r="${toAddress(row, column)}"><f>ROUND(${of}*1.5+${index},2)</f><v>${Math.round((1.5 + index) * 100) / 100}</v></c>`;
    });
    rows.push(`<row r="${row + 1}">${cells.join("")}</row>`);
  }
  return rows.join("");
}

/** @throws Error in the command's words where it fails */
async function refresh(folder: string, companion: string, rows: string): Promise<Run> {
  const [book, report] = [join(folder, "Model.xlsx"), join(folder, "report.json")];
  writeFileSync(book, toFile(toParts(toSheet(rows))));
  const words = ["refresh", book, "--sample", "--companion", companion, "--report", report];
  const environment = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder };
  const startMs = performance.now();
  const child = spawn(process.execPath, ["--import", TELLING, MAIN, ...words], { env: environment });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += part));
  const code = await new Promise((resolve) => child.once("close", resolve));
  const allMs = performance.now() - startMs;
  if (code !== 0) throw new Error(said);
  const read: Report = JSON.parse(readFileSync(report, "utf8"));
  const memoryMb = Number(/memory (\d+)/.exec(said)?.[1]) / 1024;
  return { report: read, allMs, ownMs: allMs - 1000 * read.seconds.provider, memoryMb };
}

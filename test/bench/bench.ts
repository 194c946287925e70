import { existsSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../support/browser";
import { type Options, readOptions, toHelp } from "./options";
import { toTable } from "./report";
import type { Bench, Finding } from "./row";
import { ROWS } from "./rows";

const print = (line: string) => void process.stdout.write(`${line}\n`);

function describeMachine(chromium: string): string {
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GB`;
  const system = `${type()} ${release()}, Node ${process.version}, Chromium ${chromium}`;
  return `${processor}, ${cpus().length} cores, ${memory}, ${system}`;
}

async function run({ rows, rounds, json }: Options): Promise<void> {
  const browser = await launchBrowser(["--js-flags=--expose-gc", "--enable-precise-memory-info"]);
  const machine = describeMachine(browser.version());
  const measured: { row: string; findings: Finding[] }[] = [];
  print(`${machine}; middle of ${rounds} rounds, contenders in turn`);
  const bench: Bench = { browser, rounds, print: (line) => print(`  … ${line}`) };
  for (const row of rows) {
    print(`\n${row.title}`);
    const findings = await row.measure(bench);
    measured.push({ row: row.name, findings });
    print(toTable(findings));
  }
  await browser.close();
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, rounds, rows: measured }, null, 2)}\n`);
  const missed = measured.flatMap(({ findings }) => findings).filter(({ goal }) => goal?.isReached === false);
  for (const { what, goal } of missed) print(`not reached: ${what}: ${goal?.text}`);
}

/** The built pages and companion. */
const BUILT = ["web/functions.js", "companion/main.mjs"].map((name) => join(__dirname, "../../dist", name));

function readRunOptions(): Options | undefined {
  try {
    const options = readOptions(process.argv.slice(2), ROWS);
    if (options === undefined) print(toHelp(ROWS));
    else if (!BUILT.every((path) => existsSync(path))) throw new Error("Build first: npm run build");
    return options;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

const runOptions = readRunOptions();
if (runOptions !== undefined) void run(runOptions);

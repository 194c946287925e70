import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { launchBrowser } from "../support/browser";
import { readMachine } from "./machine";
import { toTable } from "./report";
import type { Bench, Finding, Row } from "./row";
import { ROWS } from "./rows";

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Measures the rows that are asked for, one after the other, and shows what came of each as soon as it is there. */
async function run(rows: readonly Row[], json: string | undefined, rounds: number): Promise<void> {
  const browser = await launchBrowser(["--js-flags=--expose-gc", "--enable-precise-memory-info"]);
  const machine = readMachine(browser.version());
  const measured: { row: string; findings: Finding[] }[] = [];
  print(`${machine.text}; middle of ${rounds} rounds, contenders in turn`);
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

const { values } = parseArgs({
  options: { json: { type: "string" }, only: { type: "string" }, rounds: { type: "string", default: "7" } },
});
const wanted = values.only?.split(",");
const rows = ROWS.filter(({ name }) => wanted?.includes(name) ?? true);
if (rows.length === 0) throw new Error(`--only takes ${ROWS.map(({ name }) => name).join(", ")}`);
void run(rows, values.json, Number(values.rounds));

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyTree } from "../support/tree-copy";
import { type Fault, GROUPS, readTest, type TestOf, toPattern } from "./groups";

const ROOT = join(__dirname, "../..");

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Removes a row's guard, and runs its first test with and without it. */
function findVerdict(folder: string, { guard, tests: [first = ""] }: Fault): string {
  const test = readTest(first);
  const path = join(folder, guard.file);
  const source = readFileSync(path, "utf8");
  if (source.split(guard.from).length !== 2) return `"${guard.from}" does not stand once in ${guard.file}`;
  writeFileSync(
    path,
    source.replace(guard.from, () => guard.to),
  );
  const changed = runTest(folder, test);
  writeFileSync(path, source);
  if (typeof changed === "string") return `${test.file} could not be run: ${changed}`;
  if (changed.numRuntimeErrorTestSuites > 0) return `${test.file} does not even load after the change`;
  if (changed.numFailedTests === 0) return `stayed green, ${changed.numPassedTests} of ${test.file}`;
  const unchanged = runTest(folder, test);
  return typeof unchanged !== "string" && unchanged.success ? RED : `${test.file} is red without the change, too`;
}

const RED = "red";

const LONGEST_RUN_MS = 180_000;

interface Results {
  success: boolean;
  numFailedTests: number;
  numPassedTests: number;
  numRuntimeErrorTestSuites: number;
}

/** Gives the results, or why there are none. */
function runTest(folder: string, { file, title }: TestOf): Results | string {
  const output = join(folder, "guard.json");
  rmSync(output, { force: true });
  const program = join(ROOT, "node_modules/jest/bin/jest.js");
  const requested = [
    "-i",
    "--testMatch",
    `**/${file}`,
    "-t",
    toPattern(title),
    "--json",
    "--outputFile",
    output,
    "--reporters",
    "default",
    "--forceExit",
  ];
  const options = { cwd: folder, timeout: LONGEST_RUN_MS };
  const { error, signal, status } = spawnSync(process.execPath, [program, "--rootDir", folder, ...requested], options);
  try {
    return JSON.parse(readFileSync(output, "utf8"));
  } catch {
    return error?.message ?? `it wrote no results and ended with ${signal ?? status}`;
  }
}

/**
 * Reports for each row whether its test fails exactly when its guard is removed.
 * @param only A part of "group: fault"; default all.
 */
function tryGuards(only: string): void {
  const rows = GROUPS.flatMap(({ title, rows }) => rows.filter(({ fault }) => `${title}: ${fault}`.includes(only)));
  const folder = copyTree();
  let held = 0;
  for (const row of rows) {
    const verdict = findVerdict(folder, row);
    if (verdict === RED) held++;
    print(`${verdict === RED ? "red  " : "GREEN"}  ${row.fault}${verdict === RED ? "" : `: ${verdict}`}`);
  }
  rmSync(folder, { recursive: true });
  print(`${held} of ${rows.length} guards are held by a test`);
  if (held < rows.length || rows.length === 0) process.exitCode = 1;
}

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
tryGuards(values.only);

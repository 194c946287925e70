import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyTree } from "../support/tree-copy";
import { type Fault, GROUPS, readTest, type TestOf, toPattern } from "./groups";
import { readGuard, removeGuard } from "./mutation";

const ROOT = join(__dirname, "../..");

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Removes a row's guard, and runs its first test. @returns what is wrong with the row; empty if the test fails */
function findMistake(folder: string, { guard, tests: [first = ""] }: Fault): string {
  const test = readTest(first);
  const path = join(folder, readGuard(guard).file);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, removeGuard(source, guard));
  const changed = runTests(folder, [test]);
  writeFileSync(path, source);
  if (typeof changed === "string") return `${test.file} could not be run: ${changed}`;
  if (changed.numRuntimeErrorTestSuites > 0) return `${test.file} does not even load after the change`;
  return changed.numFailedTests === 0 ? `stayed green, ${changed.numPassedTests} of ${test.file}` : "";
}

const LONGEST_RUN_MS = 180_000;
const LONGEST_WHOLE_RUN_MS = 3_600_000;

interface Results {
  numFailedTests: number;
  numPassedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

/** Gives the results, or why there are none. */
function runTests(folder: string, tests: readonly TestOf[], timeout = LONGEST_RUN_MS): Results | string {
  const output = join(folder, "guard.json");
  rmSync(output, { force: true });
  const program = join(ROOT, "node_modules/jest/bin/jest.js");
  const files = [...new Set(tests.map(({ file }) => `**/${file}`))];
  const titles = tests.map(({ title }) => `(${toPattern(title)})`).join("|");
  const requested = ["-i", "--testMatch", ...files, "-t", titles];
  const answered = ["--json", "--outputFile", output, "--reporters", "default", "--forceExit"];
  const words = [program, "--rootDir", folder, ...requested, ...answered];
  const { error, signal, status } = spawnSync(process.execPath, words, { cwd: folder, timeout });
  try {
    return JSON.parse(readFileSync(output, "utf8"));
  } catch {
    return error?.message ?? `it wrote no results and ended with ${signal ?? status}`;
  }
}

/** Whether a test passes while all guards are there. @throws Error if the tests cannot be run */
function createPassing(folder: string, tests: readonly TestOf[]): (test: TestOf) => boolean {
  const results = runTests(folder, tests, LONGEST_WHOLE_RUN_MS);
  if (typeof results === "string") throw new Error(`the tests could not be run: ${results}`);
  return ({ file, title }) => {
    const own = results.testResults.filter(({ name }) => name.endsWith(`/${file}`));
    const pattern = new RegExp(toPattern(title));
    const named = own.flatMap((each) => each.assertionResults).filter(({ fullName }) => pattern.test(fullName));
    return named.length > 0 && named.every(({ status }) => status === "passed");
  };
}

/**
 * Reports for each row whether its first test fails exactly when its guard is removed.
 * @param only A part of "group: fault"; default all.
 */
function tryGuards(only: string): void {
  const rows = GROUPS.flatMap(({ title, rows }) => rows.filter(({ fault }) => `${title}: ${fault}`.includes(only)));
  const folder = copyTree();
  const readFirst = ({ tests: [first = ""] }: Fault) => readTest(first);
  const isPassing = createPassing(folder, rows.map(readFirst));
  let held = 0;
  for (const row of rows) {
    const mistake = isPassing(readFirst(row)) ? findMistake(folder, row) : "its test does not pass with the guard";
    if (mistake === "") held++;
    print(mistake === "" ? `red    ${row.fault}` : `GREEN  ${row.fault}: ${mistake}`);
  }
  rmSync(folder, { recursive: true });
  print(`${held} of ${rows.length} guards are held by a test`);
  if (held < rows.length || rows.length === 0) process.exitCode = 1;
}

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
tryGuards(values.only);

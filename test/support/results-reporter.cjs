const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join, relative } = require("node:path");

const ROOT = join(__dirname, "../..");
/** The name of the file; none after a run of some files. */
const RECORD = process.env.TEST_RECORD;
const SLOWEST = 10;

/**
 * Leaves the counts of a whole run, the seconds of its files and how each test ended in artefacts/results.json, for a
 * machine to read (of a tier: results-long.json, results-firm.json), and prints the slowest files for people.
 */
module.exports = class ResultsReporter {
  onRunComplete(_contexts, results) {
    const files = results.testResults.map(({ testFilePath, perfStats, testResults }) => ({
      file: relative(ROOT, testFilePath).replaceAll("\\", "/"),
      seconds: (perfStats.end - perfStats.start) / 1000,
      tests: testResults.map(({ fullName, status, duration }) => ({ name: fullName, status, ms: duration ?? 0 })),
    }));
    if (RECORD) record(results, files);
    if (files.length > SLOWEST) printSlowest(files);
  }
};

function record(results, files) {
  const counts = {
    passed: results.numPassedTests,
    failed: results.numFailedTests,
    skipped: results.numPendingTests + results.numTodoTests,
    // A file that does not even load has no tests to count.
    broken: results.numRuntimeErrorTestSuites,
  };
  const path = join(ROOT, "artefacts", RECORD);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ ...counts, files })}\n`);
}

function printSlowest(files) {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
  process.stdout.write(`\nThe slowest files:\n${lines.join("\n")}\n`);
}

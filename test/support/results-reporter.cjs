const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join, relative } = require("node:path");

const ROOT = join(__dirname, "../..");
const TIER = process.env.TEST_TIER;
const RESULTS = join(ROOT, "artefacts", TIER ? `results-${TIER}.json` : "results.json");
const SLOWEST = 10;

/**
 * Leaves the counts of a run, the seconds of its files and how each test ended in artefacts/results.json, for a machine
 * to read (of a tier: results-long.json, results-firm.json), and prints the slowest files for people.
 */
module.exports = class ResultsReporter {
  onRunComplete(_contexts, results) {
    const files = results.testResults.map(({ testFilePath, perfStats, testResults }) => ({
      file: relative(ROOT, testFilePath).replaceAll("\\", "/"),
      seconds: (perfStats.end - perfStats.start) / 1000,
      tests: testResults.map(({ fullName, status, duration }) => ({ name: fullName, status, ms: duration ?? 0 })),
    }));
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests,
      skipped: results.numPendingTests + results.numTodoTests,
      // A file that does not even load has no tests to count.
      broken: results.numRuntimeErrorTestSuites,
    };
    mkdirSync(dirname(RESULTS), { recursive: true });
    writeFileSync(RESULTS, `${JSON.stringify({ ...counts, files })}\n`);
    if (files.length > SLOWEST) printSlowest(files);
  }
};

function printSlowest(files) {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
  process.stdout.write(`\nThe slowest files:\n${lines.join("\n")}\n`);
}

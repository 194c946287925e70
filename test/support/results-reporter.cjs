const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join, relative } = require("node:path");

const ROOT = join(__dirname, "../..");
const RESULTS = join(ROOT, "artefacts/results.json");

/** Leaves the counts of a run, and how each test ended, in artefacts/results.json for a machine to read. */
module.exports = class ResultsReporter {
  onRunComplete(_contexts, results) {
    const tests = results.testResults.flatMap(({ testFilePath, testResults }) =>
      testResults.map(({ fullName, status }) => ({
        file: relative(ROOT, testFilePath).replaceAll("\\", "/"),
        name: fullName,
        status,
      })),
    );
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests,
      skipped: results.numPendingTests + results.numTodoTests,
      // A file that does not even load has no tests to count.
      broken: results.numRuntimeErrorTestSuites,
    };
    mkdirSync(dirname(RESULTS), { recursive: true });
    writeFileSync(RESULTS, `${JSON.stringify({ ...counts, tests })}\n`);
  }
};

const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

const RESULTS = join(__dirname, "../../artefacts/results.json");

/** Leaves the counts of a run in artefacts/results.json for a machine to read. */
module.exports = class ResultsReporter {
  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests,
      skipped: results.numPendingTests + results.numTodoTests,
      // A file that does not even load has no tests to count.
      broken: results.numRuntimeErrorTestSuites,
    };
    mkdirSync(dirname(RESULTS), { recursive: true });
    writeFileSync(RESULTS, `${JSON.stringify(counts)}\n`);
  }
};

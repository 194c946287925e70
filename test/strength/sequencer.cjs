const { existsSync, readdirSync, readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const Sequencer = require("@jest/test-sequencer").default;

const RESULTS = join(process.env.STRENGTH_ROOT, "artefacts/results.json");
/** What a file takes that the last run of all tests does not know. */
const UNKNOWN_SECONDS = 2;
/** Steps to a source that no test imports: its bundle is built. */
const UNRELATED = 20;
const IMPORTED = /(?:from|import) ?\(?"(\.[^"]+)"/g;
const ENDINGS = ["", ".ts", ".tsx", ".mjs", ".cjs", "/index.ts"];

/** Runs first what is near to the changed source and quick: each import on the way there counts as twice the seconds. */
module.exports = class NearestFirst extends Sequencer {
  sort(tests) {
    const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")).files : [];
    const seconds = new Map(known.map(({ file, seconds }) => [file, seconds]));
    const [{ context } = {}] = tests;
    const steps = context === undefined ? new Map() : countSteps(context.config.rootDir, process.env.STRENGTH_FILE);
    const toCost = ({ path }) => {
      const file = path.slice(path.lastIndexOf("/test/") + 1);
      return 2 ** (steps.get(path) ?? UNRELATED) * (1 + (seconds.get(file) ?? UNKNOWN_SECONDS));
    };
    const costs = new Map(tests.map((test) => [test, toCost(test)]));
    return [...tests].sort((one, other) => costs.get(one) - costs.get(other));
  }
};

/** By how many imports each file reaches a source. */
function countSteps(root, source) {
  const importers = new Map();
  for (const file of ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, name)),
  )) {
    if (!/\.(tsx?|[mc]js)$/.test(file)) continue;
    for (const [, name] of readFileSync(file, "utf8").matchAll(IMPORTED)) {
      const found = ENDINGS.map((ending) => join(dirname(file), name) + ending).find(
        (path) => existsSync(path) && /\.\w+$/.test(path),
      );
      if (found) importers.set(found, [...(importers.get(found) ?? []), file]);
    }
  }
  const steps = new Map([[join(root, source), 0]]);
  for (const [file, count] of steps) {
    for (const importer of importers.get(file) ?? []) if (!steps.has(importer)) steps.set(importer, count + 1);
  }
  return steps;
}

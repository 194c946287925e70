const { existsSync, readFileSync } = require("node:fs");
const { basename, join } = require("node:path");
const Sequencer = require("@jest/test-sequencer").default;

const RESULTS = join(process.env.STRENGTH_ROOT, "artefacts/results.json");
/** What a file takes that the last run of all tests does not know. */
const UNKNOWN_SECONDS = 2;

/** Runs the tests of the changed source's room first, those that import it before others, and each the quickest first. */
module.exports = class NearestFirst extends Sequencer {
  sort(tests) {
    const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")).files : [];
    const seconds = new Map(known.map(({ file, seconds }) => [file, seconds]));
    const source = process.env.STRENGTH_FILE;
    const room = `test/${source.split("/")[1]}/`;
    const imported = `/${basename(source).replace(/\.tsx?$/, "")}"`;
    const toDistance = (file, path) =>
      (file.startsWith(room) ? 0 : 2) + (readFileSync(path, "utf8").includes(imported) ? 0 : 1);
    const toCost = ({ path }) => {
      const file = path.slice(path.lastIndexOf("/test/") + 1);
      return toDistance(file, path) * 10_000 + (seconds.get(file) ?? UNKNOWN_SECONDS);
    };
    const costs = new Map(tests.map((test) => [test, toCost(test)]));
    return [...tests].sort((one, other) => costs.get(one) - costs.get(other));
  }
};

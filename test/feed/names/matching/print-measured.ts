import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDirtyNames } from "./dirty-names";
import { type KnownName, matchKnown, measure, toConfusion } from "./measure";
import { createEnglishNames, createIndexes, createSandboxRows } from "./sandbox-companies";

/** No name of this seed was seen while the matcher was calibrated. */
const HELD_OUT_SEED = 20_261_125;
const NAMES = 2_000;

/** Names that were written by hand, by somebody who had not seen the matcher. */
function readWritten(): KnownName[] {
  const written = JSON.parse(readFileSync(join(__dirname, "written-names.json"), "utf8")) as KnownName[];
  return written.map((each) => ({ ...each, hints: each.hints ?? [], country: each.country ?? "ALL" }));
}

/** Prints what the matcher makes of synthetic and of written names, as JSON. */
async function print(): Promise<void> {
  const rows = createSandboxRows();
  const indexOf = createIndexes(rows);
  const synthetic = await matchKnown(createDirtyNames(rows, createEnglishNames(), HELD_OUT_SEED, NAMES), indexOf);
  const written = await matchKnown(readWritten(), indexOf);
  const figures = {
    companies: rows.length,
    names: synthetic.length,
    confusion: toConfusion(synthetic),
    synthetic: measure(synthetic),
    written: measure(written),
  };
  process.stdout.write(JSON.stringify(figures));
}

void print();

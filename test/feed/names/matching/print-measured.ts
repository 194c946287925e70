import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDirtyNames } from "./dirty-names";
import { type KnownName, matchKnown, measure, toConfusion } from "./measure";
import { createEnglishNames, createIndexes, createSandboxRows } from "./sandbox-companies";

/** No name of this seed was seen while the matcher was calibrated. */
const HELD_OUT_SEED = 20_261_125;
const NAMES = 2_000;

/**
 * Names written by hand: `written` by somebody who had not seen the matcher, and `development` before and while its rules
 * were made, so that these show what it can and not how well it does.
 */
function readByHand(which: "written" | "development"): KnownName[] {
  const names = JSON.parse(readFileSync(join(__dirname, `${which}-names.json`), "utf8")) as KnownName[];
  return names.map((each) => ({ ...each, hints: each.hints ?? [], country: each.country ?? "ALL" }));
}

/** Prints what the matcher makes of synthetic names and of those written by hand, as JSON. */
async function print(): Promise<void> {
  const rows = createSandboxRows();
  const indexOf = createIndexes(rows);
  const synthetic = await matchKnown(createDirtyNames(rows, createEnglishNames(), HELD_OUT_SEED, NAMES), indexOf);
  const written = await matchKnown(readByHand("written"), indexOf);
  const development = await matchKnown(readByHand("development"), indexOf);
  const figures = {
    companies: rows.length,
    names: synthetic.length,
    confusion: toConfusion(synthetic),
    synthetic: measure(synthetic),
    written: measure(written),
    development: measure(development),
  };
  process.stdout.write(JSON.stringify(figures));
}

void print();

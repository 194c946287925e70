import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type KnownName, matchKnown, measure, toConfusion } from "./measure";
import { createIndexes, createSandboxRows } from "./sandbox-companies";
import { measureForms } from "./typed-forms";

const read = <T>(which: string): T[] => JSON.parse(readFileSync(join(__dirname, `${which}-names.json`), "utf8"));

/**
 * Names of the sandbox's companies as lists of customers have them, one in ten of a company that there is not. A program
 * wrote them by a seed that nobody had seen while the matcher was calibrated.
 */
const readSynthetic = (): KnownName[] =>
  read<[string, string, string | null, string, ...string[]]>("synthetic").map(
    ([name, country, companyId, kind, ...hints]) => ({ name, country, companyId, kind, hints }),
  );

/**
 * Names written by hand: `written` by somebody who had not seen the matcher, and `development` before and while its rules
 * were made, so that these show what it can and not how well it does.
 */
const readByHand = (which: "written" | "development"): KnownName[] =>
  read<KnownName>(which).map((each) => ({ ...each, hints: each.hints ?? [], country: each.country ?? "ALL" }));

/** What the matcher makes of each nth of these names. */
export async function measureAll(nth: number) {
  const rows = createSandboxRows();
  const indexOf = createIndexes(rows);
  const match = (names: readonly KnownName[]) =>
    matchKnown(
      names.filter((_, at) => at % nth === 0),
      indexOf,
    );
  const synthetic = await match(readSynthetic());
  return {
    companies: rows.length,
    names: synthetic.length,
    confusion: toConfusion(synthetic),
    synthetic: measure(synthetic),
    written: measure(await match(readByHand("written"))),
    development: measure(await match(readByHand("development"))),
    forms: await measureForms(rows, indexOf, nth),
  };
}

void measureAll(Number(process.argv[2])).then((figures) => process.stdout.write(JSON.stringify(figures)));

import { monitorEventLoopDelay } from "node:perf_hooks";
import { matchNames } from "../../../src/feed/names/matching/match";
import { listNames, type NameRow } from "../../../src/feed/names/rows";
import { createNameIndex, type NameIndex } from "../../../src/feed/names/search";
import { type Chance, createChance } from "../../support/chance";
import { createSyntheticRows } from "../../support/synthetic-names";
import { median } from "../measure";
import type { Row } from "../row";
import { readMemory } from "./names";

const COMPANIES = 300_000;
const NAMES = 1_000;
const GOAL_MS = 10_000;
const LONGEST_BLOCK_MS = 50;
/** Each round makes the matcher's tables anew. */
const MOST_ROUNDS = 3;

/** The matcher on the page's own thread, as where there is no worker; it has no provider, so that it sends no request. */
export const MATCHING: Row = {
  name: "matching",
  title: `${NAMES.toLocaleString("en")} names matched with ${COMPANIES.toLocaleString("en")} companies`,
  async measure({ rounds, print }) {
    const rows = createSyntheticRows(COMPANIES);
    const names = createNames(rows);
    const samples = { took: [] as number[], block: [] as number[], memory: [] as number[] };
    for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round++) {
      const { tookMs, blockMs, memoryMb } = await matchAll(createNameIndex(rows), names);
      print(`matched in ${(tookMs / 1000).toFixed(1)} s, longest block ${blockMs.toFixed(0)} ms`);
      samples.took.push(tookMs);
      samples.block.push(blockMs);
      samples.memory.push(memoryMb);
    }
    const isBelow = (of: readonly number[], most: number) => median(of) <= most;
    return [
      {
        what: "until all are matched, the matcher's tables included",
        unit: "ms",
        samples: { FEED: samples.took },
        goal: { text: "10 s", isReached: isBelow(samples.took, GOAL_MS) },
      },
      {
        what: "the longest block meanwhile",
        unit: "ms",
        samples: { FEED: samples.block },
        goal: { text: "50 ms", isReached: isBelow(samples.block, LONGEST_BLOCK_MS) },
      },
      { what: "what the matcher takes in memory beside the index", unit: "MB", samples: { FEED: samples.memory } },
    ];
  },
};

async function matchAll(index: NameIndex, names: readonly string[]) {
  index.search("a", 1); // builds the lazily concatenated strings
  const before = await readMemory();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  await matchNames(
    index,
    names.map((name) => ({ name, hints: [] })),
  );
  const tookMs = performance.now() - startMs;
  delay.disable();
  return { tookMs, blockMs: delay.max / 1e6, memoryMb: (await readMemory()) - before };
}

/** Names of companies of the index, half of them with a letter left out. */
function createNames(rows: readonly NameRow[]): string[] {
  const chance = createChance(1);
  return Array.from({ length: NAMES }, () => {
    const name = chance.pick(listNames(chance.pick(rows)));
    return chance.happens(0.5) ? dropLetter(name, chance) : name;
  });
}

function dropLetter(name: string, chance: Chance): string {
  const at = 1 + chance.below(name.length - 1);
  return name.slice(0, at) + name.slice(at + 1);
}

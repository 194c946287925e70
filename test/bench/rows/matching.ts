import { monitorEventLoopDelay } from "node:perf_hooks";
import { matchNames } from "../../../src/feed/names/matching/match";
import { listNames, type NameRow } from "../../../src/feed/names/rows";
import { createNameIndex, type NameIndex } from "../../../src/feed/names/search";
import { type Chance, createChance } from "../../support/chance";
import { createSyntheticRows } from "../../support/synthetic-names";
import { median } from "../measure";
import { type Row, toFinding, toMost } from "../row";

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
    const [took, block, memory] = [[], [], []] as [number[], number[], number[]];
    for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round++) {
      const { tookMs, blockMs, memoryMb } = await matchAll(createNameIndex(rows), names);
      print(`matched in ${(tookMs / 1000).toFixed(1)} s, longest block ${blockMs.toFixed(0)} ms`);
      took.push(tookMs);
      block.push(blockMs);
      memory.push(memoryMb);
    }
    const goal = toMost(GOAL_MS, "ms", [median(took)]);
    return [
      toFinding("until all are matched, the matcher's tables included", "ms", took, goal),
      toFinding("the longest block meanwhile", "ms", block, toMost(LONGEST_BLOCK_MS, "ms", [median(block)])),
      toFinding("what the matcher takes in memory beside the index", "MB", memory),
    ];
  },
};

/** The memory in use, MB. */
async function readMemory(): Promise<number> {
  for (let run = 0; run < 3; run++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve)); // some memory is freed by a later task
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

async function matchAll(index: NameIndex, names: readonly string[]) {
  const hinted = names.map((name) => ({ name, hints: [] }));
  index.search("a", 1); // builds the lazily concatenated strings
  const before = await readMemory();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  await matchNames(index, hinted);
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

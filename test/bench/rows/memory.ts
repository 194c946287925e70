import type { CDPSession } from "playwright-core";
import { waitUntilPersisted } from "../../e2e/persisted-answers";
import { type ExcelPage, type OpenExcel, openFeed, openFloor } from "../excel";
import { CELLS_OF_COMPANY } from "../excel/figures";
import { readSheet, type Sheet } from "../excel/sheet";
import { interleave, mapValues, median } from "../measure";
import { type Finding, type Row, toFinding } from "../row";
import { startSite } from "../site";

const LARGEST_CELL_KB = 1;
/** Ten times the cells may take ten times the memory, plus noise. */
const LINEAR = 1.2;

const STEPS = [1_000, 10_000, 100_000];
/** A page with all of them takes half a minute. */
const MOST_ROUNDS = 2;

interface Step {
  /** Until the new cells have their values. */
  tookMs: number;
  /** Per live cell, over all so far. */
  cellKb: number;
}

export const MEMORY: Row = {
  name: "memory",
  title: "What live cells take in memory, up to 100,000",
  async measure({ browser, rounds, print }) {
    const site = await startSite();
    const sheet = await readSheet(site.origin, Math.ceil(STEPS.at(-1)! / CELLS_OF_COMPANY));
    const most = Math.min(MOST_ROUNDS, rounds);
    print(`${most} rounds; the floor is what the runtime and an add-in of a few lines hold of a cell`);
    const fill = (open: OpenExcel, isPersisted: boolean) => async () => {
      await site.order({ forget: true });
      const excel = await open(browser, site.origin);
      const steps = await fillSteps(excel, sheet, isPersisted);
      await excel.close();
      return steps;
    };
    const given = await interleave(most, { FEED: fill(openFeed, true), floor: fill(openFloor, false) });
    site.close();
    return toFindings(given);
  },
};

async function fillSteps(
  { page, call }: ExcelPage,
  { calls, companyIds }: Sheet,
  isPersisted: boolean,
): Promise<Step[]> {
  const devtools = await page.context().newCDPSession(page);
  const before = await readHeapKb(devtools);
  const steps: Step[] = [];
  let filled = 0;
  for (const cells of STEPS) {
    const { tookMs } = await call(calls.slice(filled, cells));
    filled = cells;
    if (isPersisted) await waitUntilPersisted(page, companyIds.slice(0, Math.floor(cells / CELLS_OF_COMPANY)));
    steps.push({ tookMs, cellKb: ((await readHeapKb(devtools)) - before) / cells });
  }
  return steps;
}

async function readHeapKb(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize = 0 } = await devtools.send("Runtime.getHeapUsage");
  return (usedSize + embedderHeapUsedSize) / 1024;
}

function toFindings(given: Readonly<Record<"FEED" | "floor", readonly Step[][]>>): Finding[] {
  const pick = (nth: number, part: keyof Step) => mapValues(given, (all) => all.map((steps) => steps[nth]![part]));
  const memory = STEPS.map((cells, nth) => {
    const samples = pick(nth, "cellKb");
    const isReached = median(samples.FEED) - median(samples.floor) <= LARGEST_CELL_KB;
    const goal = [`at most ${LARGEST_CELL_KB} KB over the floor`, isReached] as const;
    return toFinding(`a live cell of ${cells.toLocaleString("en")}`, "KB", samples, goal);
  });
  const [few, many] = [pick(1, "tookMs"), pick(2, "tookMs")];
  const isLinear = median(many.FEED) <= LINEAR * 10 * median(few.FEED);
  const goal = [`linear: at most ${LINEAR} × 10 × the time before`, isLinear] as const;
  return [
    ...memory,
    toFinding("until 9,000 more cells have their values", "ms", few),
    toFinding("until 90,000 more cells have their values", "ms", many, goal),
  ];
}

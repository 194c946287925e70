import { setTimeout } from "node:timers/promises";
import { toDay } from "./addresses";
import { NO_FAULTS } from "./faults";
import type { FigureSet } from "./figure-answers";
import { HONEST } from "./figure-behaviour";
import { queryGrid } from "./figure-queries";
import { compareFigures } from "./figure-verdict";
import { HONEST as HONEST_LIST } from "./list-behaviour";
import { createList } from "./list-editions";
import { compareList } from "./list-verdict";
import { type Finding, type Observation, observeCells, openPageOf, type Round, toFirstSet } from "./round";

/** The latencies of late answers, milliseconds; absent if the first request is never answered. */
const LATENCIES_MS = [16_000, 22_000, 28_000, null] as const;

/** A formula on a slow data set, and its expected result. */
interface LateCell {
  formula: { name: string; given: readonly unknown[] };
  look: (shown: Parameters<typeof compareFigures>[1]) => Observation;
}

/** A gap between pages, so that their companies are not batched. */
const APART_MS = 700;

/** Requests a ranking and a company's figures from slow providers: all must arrive. */
export async function runLateRound(round: Round): Promise<void> {
  await Promise.all(
    LATENCIES_MS.map(async (latencyMs, at) => {
      await setTimeout(at * APART_MS);
      await enterSlow(round, toFirstSet(round) + 2 * at, latencyMs);
    }),
  );
}

async function enterSlow(round: Round, set: number, latencyMs: number | null): Promise<void> {
  const page = await openPageOf(round, set);
  const slowCells = addSlow(round, set, latencyMs);
  const endMs = performance.now() + round.limitMs;
  try {
    const cells = page.type(slowCells.map(({ formula }) => formula));
    const look = () => slowCells.map(({ look: lookOne }, at) => lookOne(page.read(cells[at]!)));
    // A cell that waited too long says so, and shows its value when it comes.
    do await page.settle(endMs - performance.now());
    while (performance.now() < endMs && look().some(isMissing));
    await observeCells(round, page, look);
  } finally {
    page.close();
  }
}

const isMissing = ({ findings }: Observation): boolean => findings.some(({ verdict }) => verdict === "flagged");

const TOP = 50;

function addSlow({ provider, chance }: Round, set: number, latencyMs: number | null): LateCell[] {
  const faults = { ...NO_FAULTS, latencyMs: latencyMs ?? 0, hangsFirst: latencyMs === null };
  for (const each of [set, set + 1]) provider.setFaults(each, faults);
  const behaviour = latencyMs === null ? "never answered at first" : "answered late";
  const list = createList({ kind: "companies", set, rows: TOP, behaviour: HONEST_LIST, chance });
  const served = provider.addList(list);
  const figures: FigureSet = { set: set + 1, companies: 1, behaviour: HONEST, edition: 0, isThere: true };
  provider.addFigures(figures);
  const query = queryGrid({ figures, chance, isShared: false }, [0], 0);
  const day = toDay(set);
  const fields = "rank,companyName,tickerSymbol,totalPageViews,totalUniquePageViews";
  const toLook = (what: string, of: number, findings: Omit<Finding, "behaviour">[]): Observation => ({
    findings: findings.map((each) => ({ ...each, behaviour })),
    what: `${what}, ${latencyMs} ms`,
    set: of,
  });
  return [
    {
      formula: { name: "RANKING", given: [day, day, TOP, fields, null, false] },
      look(shown) {
        const window = { from: 0, to: 0, mayBeOlder: true, records: served.records };
        return toLook("RANKING", set, [
          { ...compareList({ list, top: TOP, isSorted: false }, shown, window), unit: "rows" },
        ]);
      },
    },
    {
      formula: query.formula,
      look(shown) {
        const judgements = compareFigures(query, shown, { from: 0, to: 0, isThere: true });
        return toLook(
          "FINANCIAL",
          set + 1,
          judgements.map((each) => ({ ...each, unit: "figures" })),
        );
      },
    },
  ];
}

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
import { type Observation, observeCells, openPageOf, type Round, toFirstSet } from "./round";

/** The latencies of late answers, milliseconds; absent if the first request is never answered. */
const LATENCIES_MS = [16_000, 22_000, 28_000, null] as const;

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

const TOP = 50;

async function enterSlow(round: Round, set: number, latencyMs: number | null): Promise<void> {
  const { provider, chance } = round;
  const page = await openPageOf(round, set);
  const faults = { ...NO_FAULTS, latencyMs: latencyMs ?? 0, hangsFirst: latencyMs === null };
  for (const each of [set, set + 1]) provider.setFaults(each, faults);
  const behaviour = latencyMs === null ? "never answered at first" : "answered late";
  const list = createList({ kind: "companies", set, rows: TOP, behaviour: HONEST_LIST, chance });
  const { records } = provider.addList(list);
  const figures: FigureSet = { set: set + 1, companies: 1, behaviour: HONEST, edition: 0, isThere: true };
  provider.addFigures(figures);
  const query = queryGrid({ figures, chance, isShared: false }, [0], 0);
  const fields = "rank,companyName,tickerSymbol,totalPageViews,totalUniquePageViews";
  const ranking = { name: "RANKING", given: [toDay(set), toDay(set), TOP, fields, null, false] };
  const [listCell, figureCell] = page.type([ranking, query.formula]) as [number, number];
  const look = (): Observation[] => {
    const window = { from: 0, to: 0, mayBeOlder: true, records };
    const ofList = compareList({ list, top: TOP, isSorted: false }, page.read(listCell), window);
    const ofFigures = compareFigures(query, page.read(figureCell), { from: 0, to: 0, isThere: true });
    const inFigures = ofFigures.map((each) => ({ ...each, behaviour, unit: "figures" as const }));
    return [
      { findings: [{ ...ofList, behaviour, unit: "rows" }], what: `RANKING, ${latencyMs} ms`, set },
      { findings: inFigures, what: `FINANCIAL, ${latencyMs} ms`, set: set + 1 },
    ];
  };
  const endMs = performance.now() + round.limitMs;
  try {
    // A cell that waited too long says so, and shows its value when it comes.
    do await page.settle(endMs - performance.now());
    while (performance.now() < endMs && look().some(isMissing));
    await observeCells(round, page, look);
  } finally {
    page.close();
  }
}

const isMissing = ({ findings }: Observation): boolean => findings.some(({ verdict }) => verdict === "flagged");

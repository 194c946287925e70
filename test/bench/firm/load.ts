import { setPriority } from "node:os";
import { type Analyst, type FillResult, signAllIn } from "../../firm/analyst";
import { type Firm, startFirm } from "../../firm/firm";
import { createMemoryCap } from "../../firm/memory-cap";
import type { Seen } from "../../firm/provider";
import type { Bench, Finding } from "../row";
import { signAllPlainIn } from "./plain-reader";
import { readProcessUsage } from "./processes";

const AT_ONCE = 25;
const MB = 2 ** 20;
/** As deployed; Node sizes its heap by it. */
const CAP_BYTES = 1024 * MB;
/** A provider on another continent. */
const LATENCY_MS = 100;
/** The provider runs first, as on a machine of its own; otherwise it counts requests late. Takes root. */
const PRIORITY = -10;

/** Readers who load a firm in one way. */
export interface Load {
  /** What happens, for the table. */
  what: string;
  readers: number;
  /** Whether readers send the pane's requests without its pages, for loads that panes in one process cannot make. */
  isPlain?: true;
  /** The provider's number of companies. */
  companies: number;
  perMinute: number;
  /** Loads the firm, and gives the cells of all readers. */
  run(firm: Firm, readers: readonly FirmReader[], take: TakeNew): Promise<FillResult[]>;
  /** Requests as a multiple of full ones; default no goal. */
  mostRatio?: number;
  /** The longest median wait, in milliseconds; default no goal. */
  longestMedianMs?: number;
  /** The longest 99th percentile as a multiple of the limit's own time; default no goal. */
  mostTimes?: number;
}

/** Somebody who fills cells from the firm. */
export type FirmReader = Pick<Analyst, "fill" | "leave">;

/** Gives companies that nobody has requested so far. */
export type TakeNew = (count: number) => number[];

/** Measures a load on a firm that has nothing cached. */
export async function measureLoad(bench: Bench, load: Load): Promise<Finding[]> {
  const { companies, perMinute, readers: count, what } = load;
  const settings = { FEED_PROVIDER_PER_MINUTE: String(perMinute), FEED_PERSON_PER_MINUTE: "100000" };
  const cap = createMemoryCap(CAP_BYTES);
  const firm = await startFirm({ companies, settings, cap });
  try {
    await firm.provider.order({ latencyMs: LATENCY_MS });
    setPriority(firm.provider.pid, PRIORITY);
    const readers: readonly FirmReader[] = await (load.isPlain ? signAllPlainIn : signAllIn)(firm, count);
    let next = 0;
    const take: TakeNew = (some) => Array.from({ length: some }, () => next++);
    await firm.provider.order({ forget: true });
    bench.print(what);
    const filled = await load.run(firm, readers, take);
    const seen = await firm.provider.order({});
    const peaks = firm.programs.instances.map(({ pid }) => readProcessUsage(pid).peakBytes / MB);
    for (const reader of readers) await reader.leave();
    return describeLoad(load, filled, seen, next, peaks);
  } finally {
    await firm.close();
    cap.remove();
  }
}

function describeLoad(load: Load, filled: readonly FillResult[], seen: Seen, distinct: number, peaks: number[]) {
  const { what, perMinute, mostRatio, longestMedianMs, mostTimes } = load;
  const waits = filled.flatMap(({ waitsMs }) => waitsMs).sort((one, other) => one - other);
  const [failed, wrong] = [filled.flatMap((each) => each.failed), filled.reduce((sum, each) => sum + each.wrong, 0)];
  const full = distinct / AT_ONCE;
  const perSecond = perMinute / 60;
  const ownMs = (1_000 * full) / perSecond;
  const pick = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN;
  const toFinding = (
    name: string,
    unit: Finding["unit"],
    samples: Finding["samples"],
    goal?: [text: string, isReached: boolean] | 0 | undefined,
  ): Finding => ({
    ...{ what: `${what}: ${name}`, unit, samples },
    ...(goal && { goal: { text: goal[0], isReached: goal[1] } }),
  });
  const none = (count: number): [string, boolean] => ["none", count === 0];
  const sorts = Object.entries(countSorts(failed)).map(([code, count]) => `${count} ${code}`);
  return [
    toFinding(
      `requests for ${distinct} distinct companies`,
      "requests",
      { FEED: [seen.requests], floor: [full] },
      mostRatio && [`${mostRatio} × the floor`, seen.requests <= mostRatio * full],
    ),
    toFinding(
      `${waits.length} cells, failed ${sorts.join(", ")}`,
      "cells",
      { FEED: [failed.length] },
      none(failed.length),
    ),
    toFinding("wrong", "cells", { FEED: [wrong] }, none(wrong)),
    toFinding(
      "wait, median",
      "ms",
      { FEED: [pick(0.5)] },
      longestMedianMs && [`${longestMedianMs} ms`, pick(0.5) <= longestMedianMs],
    ),
    toFinding(
      "wait, 99th percentile",
      "ms",
      { FEED: [pick(0.99)], "limit's own time": [ownMs] },
      mostTimes && [`${mostTimes} × the limit's own time`, pick(0.99) <= mostTimes * ownMs],
    ),
    toFinding("largest sliding second", "requests", { FEED: [seen.mostInSecond], agreed: [perSecond] }, [
      `${perSecond + 1}`,
      seen.mostInSecond <= perSecond + 1,
    ]),
    toFinding("an instance's memory at its most", "MB", { FEED: peaks }),
  ];
}

function countSorts(codes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

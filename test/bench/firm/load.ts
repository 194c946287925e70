import { setPriority } from "node:os";
import { type Analyst, type FillResult, signAllIn } from "../../firm/analyst";
import { type Firm, startFirm } from "../../firm/firm";
import { createMemoryCap } from "../../firm/memory-cap";
import type { Seen } from "../../firm/provider";
import { pickShare } from "../measure";
import { type Bench, type Finding, toFinding } from "../row";
import { AT_ONCE } from "./capacity";
import { signAllPlainIn } from "./plain-reader";
import { readProcessUsage } from "./processes";

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
  const waits = filled.flatMap(({ waitsMs }) => waitsMs);
  const [failed, wrong] = [filled.flatMap((each) => each.failed), filled.reduce((sum, each) => sum + each.wrong, 0)];
  const full = distinct / AT_ONCE;
  const perSecond = perMinute / 60;
  const ownMs = (1_000 * full) / perSecond;
  const [middle, late] = [pickShare(waits, 0.5), pickShare(waits, 0.99)];
  const say = (name: string, unit: Finding["unit"], samples: Record<string, number[]>, text = "", isReached = true) =>
    toFinding(`${what}: ${name}`, unit, samples, text === "" ? undefined : [text, isReached]);
  const sorts = [...new Set(failed)].map((code) => `${failed.filter((each) => each === code).length} ${code}`);
  const requests = { FEED: [seen.requests], floor: [full] };
  const toGoal = (most: number | undefined, text: string) => (most === undefined ? "" : `${most} ${text}`);
  return [
    say(
      `requests for ${distinct} distinct companies`,
      "requests",
      requests,
      toGoal(mostRatio, "× the floor"),
      seen.requests <= mostRatio! * full,
    ),
    say(
      `${waits.length} cells, failed ${sorts.join(", ")}`,
      "cells",
      { FEED: [failed.length] },
      "none",
      !failed.length,
    ),
    say("wrong", "cells", { FEED: [wrong] }, "none", wrong === 0),
    say("wait, median", "ms", { FEED: [middle] }, toGoal(longestMedianMs, "ms"), middle <= longestMedianMs!),
    say(
      "wait, 99th percentile",
      "ms",
      { FEED: [late], "limit's own time": [ownMs] },
      toGoal(mostTimes, "× the limit's own time"),
      late <= mostTimes! * ownMs,
    ),
    say(
      "largest sliding second",
      "requests",
      { FEED: [seen.mostInSecond], agreed: [perSecond] },
      `${perSecond + 1}`,
      seen.mostInSecond <= perSecond + 1,
    ),
    say("an instance's memory at its most", "MB", { FEED: peaks }),
  ];
}

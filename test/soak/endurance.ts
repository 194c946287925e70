import { setTimeout as pause } from "node:timers/promises";
import { createPorts, type Ports } from "../../src/client/ports";
import type { Session } from "../../src/session/session";
import { type Chance, createChance } from "../support/chance";
import { createStorage } from "../support/storage";
import { type Crowd, createCrowd } from "./crowd";
import { FAIR, STORM } from "./fault-schedule";
import { writeFormula } from "./formulas";
import { openPage } from "./page";
import type { Site, Sites } from "./site";
import { waitUntilEmpty, within } from "./wait";

interface EnduranceOptions {
  minutes: number;
  cells: number;
  seed: number;
  print: (line: string) => void;
}

interface Endurance extends EnduranceOptions {
  chance: Chance;
  site: Site;
  session: Session;
  crowd: Crowd;
  timers: () => number;
  beganAtMs: number;
  complaints: string[];
  refreshes: number;
  /** Queries that a refresh failed to fetch; their cells keep their values. */
  failures: number;
  /** The edition at the start of the last refresh but one, and of the last one. */
  editions: [number, number];
}

const REFRESH_EVERY_MS = 5_000;
const CHANGE_EVERY_MS = 7_000;
const CHURN_EVERY_MS = 1_000;
const PRINT_EVERY_MS = 30_000;

/** Cells that are retyped each time. */
const CHURN = 20;

/** Distinct formulas; many cells share one. */
const FORMULAS = 300;

/** Growth beyond this ratio and this many bytes of the heap counts as a leak. */
const MOST_GROWTH = 1.15;
const MOST_GROWTH_BYTES = 10_000_000;

/** By then nothing unused is left: the longest request, and idle connections. */
const LEAVE_MS = 45_000;

/**
 * Runs a full workbook in real time, at a provider with one failing request in ten, of every kind.
 * @returns the faults; nothing if all is well
 */
export async function endure(sites: Sites, options: EnduranceOptions): Promise<readonly string[]> {
  const { minutes, cells, print } = options;
  const endurance = start(sites, options);
  const { crowd, site, complaints } = endurance;
  crowd.type(cells);
  site.faultSchedule = STORM;
  const stops = [
    every(REFRESH_EVERY_MS, () => refresh(endurance)),
    every(CHANGE_EVERY_MS, () => void site.edition++),
    every(CHURN_EVERY_MS, () => void crowd.churn(CHURN)),
    every(PRINT_EVERY_MS, () => print(toLine(endurance))),
  ];
  const baseMs = Math.min(2, minutes * 0.4) * 60_000;
  await pause(baseMs);
  const before = readHeap();
  await pause(minutes * 60_000 - baseMs);
  const after = readHeap();
  for (const stop of stops) stop();
  if (after > before * MOST_GROWTH && after - before > MOST_GROWTH_BYTES) {
    complaints.push(`the heap grew from ${toMegabytes(before)} to ${toMegabytes(after)} MB`);
  }
  await end(endurance);
  print(toLine(endurance));
  print(
    `heap ${toMegabytes(before)} MB after ${(baseMs / 60_000).toFixed(1)} minutes, ${toMegabytes(after)} at the end`,
  );
  return complaints;
}

function start(sites: Sites, options: EnduranceOptions): Endurance {
  const chance = createChance(options.seed);
  const site = sites.create(chance, Date.now);
  const { ports, timers } = createCountedPorts();
  const session = openPage(ports, site.url);
  session.change({ requestLimit: Number.MAX_SAFE_INTEGER });
  const complaints: string[] = [];
  const formulas = Array.from({ length: FORMULAS }, () => writeFormula(chance));
  const crowd = createCrowd({ chance, site, session, formulas, complain: (what) => void complaints.push(what) });
  const counts = { refreshes: 0, failures: 0, beganAtMs: Date.now() };
  return { ...options, chance, site, session, crowd, timers, complaints, ...counts, editions: [0, 0] };
}

/** A browser's ports, with Node's gaps filled, and a count of timers. */
function createCountedPorts(): { ports: Ports; timers: () => number } {
  let set = 0;
  const ports = createPorts();
  const after: Ports["after"] = (delayMs, callback) => {
    let isSet = true;
    const end = () => {
      if (isSet) set -= 1;
      isSet = false;
    };
    set += 1;
    const callOff = ports.after(delayMs, () => {
      end();
      callback();
    });
    return () => {
      end();
      callOff();
    };
  };
  return { ports: { ...ports, after, storage: createStorage() }, timers: () => set };
}

/** Refreshes everything, unless a refresh runs; cells then show a moment since the last refresh but one. */
function refresh(endurance: Endurance): void {
  const { session, site, crowd, editions } = endurance;
  if (session.refreshing.state().running !== null) return;
  endurance.editions = [editions[1], site.edition];
  const from = editions[1];
  void session.refresh().then(({ failures, isCancelled }) => {
    endurance.refreshes += 1;
    endurance.failures += failures.length;
    if (!isCancelled) crowd.look(from);
  });
}

/** Ends all faults: every cell must show the current value; then all are cleared, and nothing may be left. */
async function end({ site, session, crowd, timers, complaints }: Endurance): Promise<void> {
  site.faultSchedule = FAIR;
  const isOver = await within(LEAVE_MS, () => session.refreshing.state().running === null);
  // Another refresh would join this one, whose first answers are old by now.
  if (!isOver) complaints.push(`a refresh still runs ${LEAVE_MS / 1000} s after the last fault`);
  await session.refresh();
  await within(LEAVE_MS, () => crowd.listWrong().length === 0);
  complaints.push(...crowd.listWrong());
  crowd.leave();
  const complaint = await waitUntilEmpty(LEAVE_MS, () => ({
    queries: session.feed.queryCache.size(),
    formulas: session.calls.list().length,
    timers: timers(),
    requests: site.open(),
    connections: process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length,
  }));
  if (complaint !== null) complaints.push(complaint);
  session.feed.queryCache.close();
}

function every(delayMs: number, run: () => void): () => void {
  const timer = setInterval(run, delayMs);
  return () => clearInterval(timer);
}

function readHeap(): number {
  if (globalThis.gc === undefined) throw new Error("Run it with --expose-gc, as npm run soak does.");
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const toMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

function toLine({ beganAtMs, crowd, site, refreshes, failures, complaints }: Endurance): string {
  const seconds = Math.round((Date.now() - beganAtMs) / 1000);
  const { live, retained, slowestMs } = crowd.figures();
  return (
    `${seconds} s: ${live} cells; ${refreshes} refreshes, ${site.requests} requests, ` +
    `${failures} questions failed; ${retained} cells kept a value of before, ${Math.round(slowestMs / 1000)} s the longest; ` +
    `edition ${site.edition}; ${complaints.length} complaints`
  );
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { Redis } from "ioredis";
import { pickShare } from "../bench/measure";
import { createChance } from "../support/chance";
import { until } from "../support/until";
import type { Analyst, FillResult } from "./analyst";
import { findWrongRow, toRange } from "./rankings";
import { setUpFirm } from "./set-up-firm";
import { toShiftedClock } from "./shifted-clock";

const SECOND_MS = 1_000;
/** How long the tests of some rows may take on a busy machine. */
const LONGEST_MS = 900 * SECOND_MS;
const COMPANIES = 1_000_000;
/** Analysts who fill workbooks, and readers of rankings of four pages. */
const ANALYSTS = 12;
const LIST_READERS = 2;
/** Half of each workbook's companies are shared in that round, and half are unique. */
const OF_ALL = 10;
const OWN = 10;
/** Companies that are under way at most. */
const UNDER_WAY = ANALYSTS * (OF_ALL + OWN);
/** A provider on another continent. */
const LATENCY_MS = 100;
/** A request that is under way in a stopped instance takes some time to be given up. */
const LONGEST_WAIT_MS = 120 * SECOND_MS;
/** How far the clock of an instance is off. */
const SHIFT_MS = 90 * 60 * SECOND_MS;

const chance = createChance(1);
const folder = mkdtempSync(join(tmpdir(), "feed-outages-"));
const settings = { FEED_PROVIDER_PER_MINUTE: "6000", FEED_PERSON_PER_MINUTE: "100000" };
const storeWords = ["--dir", folder, "--maxmemory", "128mb", "--maxmemory-policy", "volatile-lru"];
const used = setUpFirm({ companies: COMPANIES, settings, storeWords, analysts: ANALYSTS + LIST_READERS });
/** How often each person has read something. */
const counts = Array.from({ length: ANALYSTS + LIST_READERS }, () => 0);
let nextCompany = 0;
let nextList = 0;
/** How often the provider's rankings have moved on, now and when somebody first read each day. */
let week = 0;
const firstWeeks: number[] = [];

jest.setTimeout(LONGEST_MS);
beforeAll(() => used.firm.provider.order({ latencyMs: LATENCY_MS }));
afterAll(() => rmSync(folder, { recursive: true }));

const takeNew = (count: number): number[] => Array.from({ length: count }, () => nextCompany++);

/** Lets work go on for some time. */
async function pass(ms: number): Promise<void> {
  const endMs = performance.now() + ms;
  await until(() => performance.now() >= endMs, 2 * ms + SECOND_MS);
}

/** Lets the provider get some more requests, or those for pages of lists. */
async function awaitRequests(count: number, ofWhat: "all" | "pages" = "all"): Promise<void> {
  const countRequests = async () => {
    const { all, requests } = await used.firm.provider.order({});
    return ofWhat === "all" ? all : all - requests;
  };
  const before = await countRequests();
  await until(async () => (await countRequests()) >= before + count, LONGEST_WAIT_MS);
}

/** Gives every ranking other rows: pages of before and after are no list. */
const moveOn = () => used.firm.provider.order({ weeks: ++week });

/** What everybody saw: cells and lists. */
type Shown = Omit<FillResult, "wrong"> & { wrong: string[] };

async function readList(reader: Analyst, shown: Shown): Promise<void> {
  const day = Math.floor(nextList++ / LIST_READERS);
  firstWeeks[day] ??= week;
  const startMs = performance.now();
  await reader.reopen();
  const toQuery: Parameters<Analyst["list"]>[0] = ({ rankings }) => rankings.queryCompanies(toRange(day), "all");
  const rows = await reader.list(toQuery).then(
    (list) => list.rows,
    (error) => void shown.failed.push(`list: ${error.code ?? error}`),
  );
  shown.waitsMs.push(performance.now() - startMs);
  if (rows === undefined) return;
  const weeks = 1 + week - firstWeeks[day]!;
  const wrongs = Array.from({ length: weeks }, (_, nth) => findWrongRow(day, rows, week - nth));
  if (!wrongs.includes(undefined)) shown.wrong.push(...(wrongs as string[]));
}

/**
 * Makes everyone fill workbooks of new companies, or read lists, while something happens, and once more afterwards.
 * @returns the number of requested companies, and of those requested from the provider.
 */
async function readWhile(happen: () => Promise<unknown>) {
  const from = nextCompany;
  await used.firm.provider.order({ forget: true });
  const shown: Shown = { waitsMs: [], failed: [], wrong: [] };
  const rounds: number[][] = [];
  const fill = async (analyst: Analyst, round: number) => {
    rounds[round] ??= takeNew(OF_ALL);
    const { waitsMs, failed, wrong } = await analyst.fill([...rounds[round], ...takeNew(OWN)]);
    for (const waitMs of waitsMs) shown.waitsMs.push(waitMs);
    shown.failed.push(...failed);
    if (wrong > 0) shown.wrong.push(`${wrong} cells`);
  };
  let isOver = false;
  const over = happen().finally(() => {
    isOver = true;
  });
  await Promise.all(
    used.analysts.map(async (analyst, place) => {
      let round = 0;
      const read = async () => {
        await (place < ANALYSTS ? fill(analyst, round++) : readList(analyst, shown));
        counts[place]! += 1;
      };
      while (!isOver) await read();
      await read();
    }),
  );
  await over;
  const { companies: loaded } = await used.firm.provider.order({});
  return { ...shown, requested: nextCompany - from, loaded };
}

const programs = () => used.firm.programs;

/**
 * At every other moment some pages of a list have come, and the next ones are under way; at every fourth one the rest
 * is of another list.
 */
async function killAtRandom(): Promise<void> {
  for (let count = 0; count < 20; count += 1) {
    await (count % 2 === 0 ? awaitRequests(1 + chance.below(60)) : awaitRequests(1 + chance.below(7), "pages"));
    await programs().instances[0]!.kill();
    if (count % 4 === 1) await moveOn();
    await pass(chance.below(SECOND_MS / 2));
    await used.firm.restartInstance(0);
  }
}

/** It stays stopped until everybody has got what was under way in it, and more. */
async function stopInstance(): Promise<void> {
  for (const ofWhat of ["all", "pages"] as const) {
    await awaitRequests(1 + chance.below(7), ofWhat);
    const [instance] = programs().instances;
    const before = [...counts];
    instance!.pause();
    await moveOn();
    const haveRead = () => counts.every((count, place) => count >= before[place]! + 2);
    await until(haveRead, LONGEST_WAIT_MS).finally(instance!.resume);
  }
}

async function rollOver(): Promise<void> {
  for (const place of [0, 1]) {
    await awaitRequests(1 + chance.below(7), "pages");
    await programs().instances[place]!.stop();
    await moveOn();
    await used.firm.restartInstance(place);
  }
}

async function letBothWork(): Promise<void> {
  await used.firm.restartBalancer("any");
  for (let count = 0; count < 6; count += 1) {
    await pass(10 * SECOND_MS);
    await moveOn();
  }
  await used.firm.restartBalancer("first");
}

async function killRedis(): Promise<void> {
  await programs().redis.kill();
  await used.firm.awaitStanding("degraded");
  await pass(5 * SECOND_MS);
  await used.firm.restartRedis();
  await used.firm.awaitStanding("ready");
}

async function order(act: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(used.firm.storeUrl);
  await act(redis).finally(() => redis.disconnect());
}

async function emptyRedis(): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    await awaitRequests(1 + chance.below(40));
    await order((redis) => redis.flushall());
  }
}

/** Holds Redis for random lengths, some beyond what an instance waits for. */
async function slowRedis(): Promise<void> {
  for (let count = 0; count < 15; count += 1) {
    programs().redis.pause();
    await pass(chance.below(1.5 * SECOND_MS)).finally(programs().redis.resume);
    await pass(chance.below(SECOND_MS / 5));
  }
  await used.firm.awaitStanding("ready");
}

async function restoreRedis(): Promise<void> {
  await order((redis) => redis.save());
  await awaitRequests(60);
  await programs().redis.kill();
  await used.firm.restartRedis();
  rmSync(join(folder, "dump.rdb"));
  await used.firm.awaitStanding("ready");
}

async function failForAll(fault: "fails" | "hangs"): Promise<void> {
  await awaitRequests(5);
  await used.firm.provider.order({ [fault]: true });
  await pass(15 * SECOND_MS);
  await used.firm.provider.order({ [fault]: false });
}

/** The other instance takes over with a clock that is off, works beside the first, and hands back. */
async function shiftClock(ms: number): Promise<void> {
  await programs().instances[1]!.stop();
  await used.firm.restartInstance(1, toShiftedClock(ms));
  await awaitRequests(20);
  await programs().instances[0]!.kill();
  await moveOn();
  await awaitRequests(40);
  await used.firm.restartInstance(0);
  await used.firm.restartBalancer("any");
  await awaitRequests(40);
  await used.firm.restartBalancer("first");
  await programs().instances[1]!.stop();
  await used.firm.restartInstance(1);
}

/** Companies that a failing provider makes the instances request again have no limit here. */
const ANY = Number.POSITIVE_INFINITY;

/** What happens, and how many companies it makes the instances request again at most. */
const ROWS: readonly [what: string, happen: () => Promise<unknown>, mostAgain: number][] = [
  ["nothing else happens", () => pass(SECOND_MS), 0],
  ["the instance at work is killed at 20 random moments", killAtRandom, 20 * UNDER_WAY],
  ["the instance at work is stopped", stopInstance, 4 * UNDER_WAY],
  ["instances are updated one after the other", rollOver, 2 * UNDER_WAY],
  ["both work for a minute", letBothWork, UNDER_WAY],
  ["Redis is gone", killRedis, UNDER_WAY],
  ["Redis is emptied", emptyRedis, UNDER_WAY],
  ["Redis is slow", slowRedis, UNDER_WAY],
  ["Redis is restored from an older copy", restoreRedis, UNDER_WAY],
  ["the provider fails for everybody", () => failForAll("fails"), ANY],
  ["the provider hangs for everybody", () => failForAll("hangs"), ANY],
  ["an instance with a clock 90 minutes ahead takes over", () => shiftClock(SHIFT_MS), 3 * UNDER_WAY],
  ["an instance with a clock 90 minutes behind takes over", () => shiftClock(-SHIFT_MS), 3 * UNDER_WAY],
];

it.each(ROWS)("a firm shows every cell and list right while %s", async (what, happen, mostAgain) => {
  const { waitsMs, failed, wrong, requested, loaded } = await readWhile(happen);
  const [late, longest] = [0.99, 1].map((share) => (pickShare(waitsMs, share) / SECOND_MS).toFixed(1));
  process.stdout.write(
    `${what}: ${waitsMs.length} shown, ${wrong.length} wrong, ${failed.length} failed, ` +
      `99th percentile of waits ${late} s, longest ${longest} s, ` +
      `${requested} companies, ${loaded} requested\n`,
  );
  expect({ failed: [...new Set(failed)], wrong }).toEqual({ failed: [], wrong: [] });
  expect(loaded - requested).toBeLessThanOrEqual(mostAgain);
});

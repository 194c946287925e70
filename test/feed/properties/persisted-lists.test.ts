import { expect, it, jest } from "@jest/globals";
import { IDBFactory } from "fake-indexeddb";
import fc from "fast-check";
import { createPersistedCacheStore } from "../../../src/feed/persisted-cache/store";
import { toRuns, weigh } from "../../support/property";
import { keepFreshStorage, readPersisted } from "../persisted-cache-storage";

const surroundings = keepFreshStorage();

/** Two rows fill a slice. */
const FILLER = "9".repeat(130_000);

/** Lists of different lengths; each row names its reading and its place. */
const toList = (reading: number) => {
  const expected = 3 + (reading % 5);
  return { rows: Array.from({ length: expected }, (_, at) => ({ reading, at, FILLER })), expected };
};
type List = ReturnType<typeof toList>;

/** "a" and "b" store the same list at times, as queries with one answer do; "c" never shares. */
const HASHES = ["a", "b", "c"] as const;
type Hash = (typeof HASHES)[number];

const MOST_CHARACTERS = 4_000_000;

type Step =
  | { kind: "store"; page: number; hash: Hash; with: Hash | null; before: boolean }
  | { kind: "load"; page: number; hash: Hash }
  | { kind: "timer"; nth: number }
  | { kind: "ticks"; count: number }
  | { kind: "fail"; afterPuts: number; byAbort: boolean }
  | { kind: "hide" | "reopen" | "forget" | "evictOthers"; page: number };

const page = fc.nat({ max: 1 });
const hash = fc.constantFrom(...HASHES);
const kind = <Kind extends Step["kind"]>(...kinds: Kind[]) => fc.constantFrom(...kinds);
const shared = fc.constantFrom<Hash | null>(null, null, "a", "b");
const step: fc.Arbitrary<Step> = fc.oneof(
  weigh(5, { kind: kind("store"), page, hash, with: shared, before: fc.boolean() }),
  weigh(4, { kind: kind("load"), page, hash }),
  weigh(8, { kind: kind("timer"), nth: fc.nat({ max: 3 }) }),
  weigh(8, { kind: kind("ticks"), count: fc.integer({ min: 1, max: 12 }) }),
  weigh(1, { kind: kind("fail"), afterPuts: fc.nat({ max: 12 }), byAbort: fc.boolean() }),
  weigh(1, { kind: kind("hide", "reopen", "forget", "evictOthers"), page }),
);

/** Windows over one database, whose timers and database steps run in the order that is drawn. */
function createWindows() {
  const timers: (() => void)[] = [];
  let nowMs = 1_000_000;
  let failing: { left: number; byAbort: boolean } | null = null;
  const { put } = IDBObjectStore.prototype;
  jest.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...given) {
    if (failing !== null && failing.left-- <= 0) {
      const { byAbort } = failing;
      failing = null;
      if (!byAbort) throw new DOMException("no room is left", "QuotaExceededError");
      const request = put.apply(this, given);
      this.transaction.abort();
      return request;
    }
    return put.apply(this, given);
  });
  const after = (_: number, callback: () => void) => {
    timers.push(callback);
    return () => void timers.splice(timers.indexOf(callback), 1);
  };
  const open = () => {
    let hide = () => {};
    surroundings.addEventListener = (_: string, listener: () => void) => {
      hide = listener;
    };
    const answers = createPersistedCacheStore({
      ports: { nowMs: () => nowMs, after },
      owner: async () => "client",
      mostCharacters: MOST_CHARACTERS,
    });
    return { answers, hide: () => hide() };
  };
  return {
    open,
    pass: (ms: number) => {
      nowMs += ms;
    },
    nowMs: () => nowMs,
    runTimer: (nth: number) => timers.splice(nth % Math.max(1, timers.length), 1)[0]?.(),
    fail: (left: number, byAbort: boolean) => {
      failing = { left, byAbort };
    },
    async settle() {
      failing = null;
      for (let idle = 0; idle < 30; idle++) {
        await tick();
        const timer = timers.shift();
        if (timer !== undefined) idle = 0;
        timer?.();
      }
    },
  };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** The readings that a hash may give: its own, and those that were stored as equal to it. */
type Readings = Map<Hash, Set<number>>;

function assertWhole(found: List, allowed: ReadonlySet<number>): void {
  const readings = new Set(found.rows.map(({ reading }) => reading));
  expect(readings.size).toBe(1);
  const [reading = 0] = readings;
  expect(allowed.has(reading)).toBe(true);
  expect({ ...found, rows: found.rows.map(({ at }) => at) }).toEqual({
    rows: toList(reading).rows.map(({ at }) => at),
    expected: found.rows.length,
  });
}

/** Each slice belongs to a row that has so many, and the recorded size is that of what is there. */
async function assertTidy(): Promise<void> {
  const { answers, uses, slices } = await readPersisted();
  const expected: string[] = [];
  for (const [key, row] of answers) for (let at = 0; at < row.slices; at++) expected.push(`${key}\n${at}`);
  expect([...slices.keys()].sort()).toEqual(expected.sort());
  for (const [key, { text, slices: count }] of answers) {
    const own = Array.from({ length: count }, (_, at) => slices.get(`${key}\n${at}`)?.length ?? 0);
    expect(uses.get(key)?.characters).toBe(own.reduce((sum, length) => sum + length, text?.length ?? 0));
  }
}

/** @returns how many loads gave a list */
async function play(steps: readonly Step[]): Promise<number> {
  let found = 0;
  const windows = createWindows();
  const pages = [windows.open(), windows.open()];
  const allowed: Readings = new Map(HASHES.map((each) => [each, new Set<number>()]));
  const last = new Map<Hash, List>();
  const earlier = new Map<Hash, List>();
  const loads: Promise<void>[] = [];
  const load = async (at: number, wanted: Hash) => {
    const answer = await pages[at]!.answers.load([wanted]);
    const family = wanted === "c" ? ["c" as const] : (["a", "b"] as const);
    const readings = new Set(family.flatMap((each) => [...allowed.get(each)!]));
    if (answer === null) return;
    assertWhole(answer.value as List, readings);
    found++;
  };
  let reading = 0;
  for (const each of steps) {
    windows.pass(10);
    if (each.kind === "store") {
      const isShared = each.hash !== "c" && each.with !== null;
      const former = each.before ? earlier.get(each.hash) : undefined;
      const list = former ?? (isShared ? last.get(each.with!) : undefined) ?? toList(++reading);
      if (last.has(each.hash)) earlier.set(each.hash, last.get(each.hash)!);
      last.set(each.hash, list);
      allowed.get(each.hash)!.add(list.rows[0]!.reading);
      pages[each.page]!.answers.store(each.hash, { value: list, asOfMs: windows.nowMs(), sources: [] }, each.before);
    } else if (each.kind === "load") loads.push(load(each.page, each.hash));
    else if (each.kind === "timer") windows.runTimer(each.nth);
    else if (each.kind === "ticks") for (let at = 0; at < each.count; at++) await tick();
    else if (each.kind === "fail") windows.fail(each.afterPuts, each.byAbort);
    else if (each.kind === "hide") pages[each.page]!.hide();
    else if (each.kind === "reopen") pages[each.page] = windows.open();
    else if (each.kind === "forget") void pages[each.page]!.answers.forget();
    else pages[each.page]!.answers.evictOthers();
  }
  await windows.settle();
  await Promise.all(loads);
  pages[0] = windows.open();
  const end = Promise.all(HASHES.map((each) => load(0, each)));
  await windows.settle();
  await end;
  await assertTidy();
  return found;
}

it("a long list that is persisted is read back whole and of one reading, or not at all, whatever windows do meanwhile", async () => {
  const runs = toRuns(30, 120);
  let found = 0;
  const law = fc
    .asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      found += await play(steps);
    })
    .beforeEach(() => {
      jest.restoreAllMocks();
      surroundings.indexedDB = new IDBFactory();
    });
  await fc.assert(law, { seed: 13, numRuns: runs });
  expect(found).toBeGreaterThan(runs);
}, 120_000);

import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { deleteDB, openDB } from "idb";
import { drain } from "../support/clock";
import { until } from "../support/until";
import { changeRows, createPage, keepFreshStorage, readPersisted } from "./persisted-cache-storage";

const unheard: unknown[] = [];
const receive = (reason: unknown) => void unheard.push(reason);

beforeEach(() => {
  unheard.length = 0;
  process.on("unhandledRejection", receive);
});
afterEach(async () => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  await drain();
  process.off("unhandledRejection", receive);
  expect(unheard).toEqual([]);
});
/** It goes last, once nothing is under way. */
const surroundings = keepFreshStorage();

/** Does something in place of each call of a method of the database's stores. */
function on(method: "get" | "put", act: (store: IDBObjectStore, call: () => IDBRequest) => IDBRequest): void {
  const original = IDBObjectStore.prototype[method] as (...given: unknown[]) => IDBRequest;
  jest.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (this: IDBObjectStore, ...given: unknown[]) {
    return act(this, () => original.apply(this, given));
  });
}

/** Makes the browser refuse a number of answers; gives how many writes it got. */
function refuse(times: number): () => number {
  let count = 0;
  on("put", ({ name }, put) => {
    if (name === "answers" && ++count <= times) throw new DOMException("no room is left", "QuotaExceededError");
    return put();
  });
  return () => count;
}

/** Stores an answer, and reads it on another page. */
async function storeAndLoad(hash = "a"): Promise<unknown> {
  await createPage().persist({ [hash]: "value" });
  return createPage().load(hash);
}

describe("a database of another version", () => {
  it("is emptied if it is older", async () => {
    const old = await openDB("feed-answers", 1, { upgrade: (database) => void database.createObjectStore("answers") });
    await old.put("answers", { json: "of another shape" }, "client\na");
    old.close();
    const page = createPage();
    expect(await page.load("a")).toBeNull();
  });

  it("is left alone if it is newer, and answers are fetched", async () => {
    const newer = await openDB("feed-answers", 99, { upgrade: (database) => void database.createObjectStore("later") });
    await newer.put("later", "value", "key");
    newer.close();
    const page = createPage();
    page.store("a", "value");
    await page.clock.advance(1_000);
    expect([await page.load("a"), await page.answers.size()]).toEqual([null, 0]);
    const after = await openDB("feed-answers");
    expect([after.version, await after.get("later", "key")]).toEqual([99, "value"]);
    after.close();
  });
});

describe("a full storage", () => {
  it("makes room for a newer answer and stores it the next time", async () => {
    for (const hash of ["a", "b"]) await storeAndLoad(hash);
    const handed = refuse(1);
    expect(await storeAndLoad("c")).toBe("value");
    expect(handed()).toBe(2);
    expect((await readPersisted()).answers.size).toBe(2);
  });

  it("is retried a limited number of times if it refuses every write", async () => {
    await storeAndLoad("a");
    const handed = refuse(Number.POSITIVE_INFINITY);
    const page = createPage();
    page.store("b", "value");
    await until(async () => handed() === 3);
    page.store("c", "value");
    await drain();
    expect([handed(), page.clock.timers()]).toEqual([3, 0]);
    expect(await page.load("b")).toBeNull();
  });

  it("is retried as often again once a person has forgotten all", async () => {
    const handed = refuse(Number.POSITIVE_INFINITY);
    const page = createPage();
    for (const all of [3, 6]) {
      page.store("a", "value");
      await until(() => page.answers.hindrance() !== null);
      expect(handed()).toBe(all);
      await page.answers.forget();
    }
  });

  it("stores a write as a whole or not at all, so that no index entry lacks its answer", async () => {
    let puts = 0;
    on("put", ({ transaction }, put) => {
      const request = put();
      if (++puts === 3) transaction.abort();
      return request;
    });
    const value = { companyId: "a" };
    await createPage().persist({ id: value, number: value });
    const next = createPage();
    expect([await next.load("id"), await next.load("number")]).toEqual([value, value]);
  });
});

describe("a database that is lost", () => {
  it("is created again if it was deleted while open, and answers no lookup wrongly", async () => {
    const page = createPage();
    await page.persist({ a: "value" });
    expect(await page.load("a")).toBe("value");
    await deleteDB("feed-answers");
    expect(await page.load("a")).toBeNull();
    await page.persist({ a: "newer" });
    expect(await createPage().load("a")).toBe("newer");
  });

  it("ends pending reads without an answer, and reopens for the next", async () => {
    await storeAndLoad("a");
    let reads = 0;
    on("get", ({ name, transaction }, get) => {
      const request = get();
      if (name === "answers" && ++reads === 1) transaction.abort();
      return request;
    });
    const page = createPage();
    expect(await page.load("a")).toBeNull();
    expect(await page.load("a")).toBe("value");
  });
});

/** Runs a part of a test on the browser's timers, which it advances. */
async function runOnFakeTimers(run: () => Promise<void>): Promise<void> {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "queueMicrotask", "nextTick", "performance"] });
  await run().finally(() => jest.useRealTimers());
}

it("a database that never answers is given up after a while, once for the page", async () => {
  await runOnFakeTimers(async () => {
    const open = jest.spyOn(surroundings.indexedDB as IDBFactory, "open");
    open.mockImplementation(() => new IDBOpenDBRequest());
    const page = createPage();
    const answer = page.load("a");
    for (let step = 0; jest.getTimerCount() === 0 && step < 5; step++) await new Promise(setImmediate);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    jest.advanceTimersByTime(5_000);
    expect(await answer).toBeNull();
    expect(await page.load("b")).toBeNull();
    expect(open).toHaveBeenCalledTimes(1);
  });
});

it("a database that answers late is not given up because the page was busy", async () => {
  await storeAndLoad("a");
  await runOnFakeTimers(async () => {
    const page = createPage();
    const answer = page.load("a");
    for (let step = 0; jest.getTimerCount() === 0 && step < 5; step++) await new Promise(setImmediate);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    jest.advanceTimersToNextTimer(); // the first task a page runs after it was busy, however late
    expect(await answer).toBe("value");
  });
});

describe("a damaged row", () => {
  it.each<[string, (row: { text: string | null }) => unknown]>([
    ["is no JSON", (row) => ({ ...row, text: `${row.text}}` })],
    ["is cut", ({ text, ...row }) => ({ ...row, text: text?.slice(0, -1) })],
    ["has no text", (row) => ({ ...row, text: null })],
    ["has no time", (row) => ({ ...row, asOfMs: "now" })],
    ["has no sources", (row) => ({ ...row, sources: null })],
    ["refers to an equal one, as earlier versions wrote it", (row) => ({ ...row, text: null, equals: "client\ngood" })],
    ["is something else", () => "text"],
  ])("that %s is dropped, while the others are read", async (_, change) => {
    await createPage().persist({ bad: { companyId: "bad" }, good: { companyId: "good" } });
    await changeRows("bad", change);
    const page = createPage();
    expect(await Promise.all(["bad", "good"].map(page.load))).toEqual([null, { companyId: "good" }]);
    await until(async () => (await readPersisted()).answers.size === 1);
    expect([...(await readPersisted()).uses.keys()]).toEqual(["client\ngood"]);
  });
});

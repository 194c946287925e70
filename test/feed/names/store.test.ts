import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { IDBObjectStore } from "fake-indexeddb";
import { openDB } from "idb";
import { createNameStore } from "../../../src/feed/names/engine";
import { awaitAnswer } from "../../support/feed";
import { keepFreshStorage } from "../persisted-cache-storage";
import { type FeedOnLists, type Lists, startLists, toId } from "./lists";

const surroundings = keepFreshStorage();
const opened: FeedOnLists[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** Reopens the page: memory is empty, persisted data remains. */
async function open(lists: Partial<Lists> = {}): Promise<FeedOnLists> {
  const running = await startLists({ classified: 35, privates: 5, owner: "client", ...lists });
  opened.push(running);
  return running;
}

const findFirst = async ({ feed }: FeedOnLists, text: string) =>
  (await awaitAnswer(feed, feed.names.query(text, "JPN", 1))).rows[0]?.companyId;

async function readEntries(): Promise<[string, unknown][]> {
  const database = await openDB("feed-names", 1);
  const [keys, values] = await Promise.all([database.getAllKeys("names"), database.getAll("names")]);
  database.close();
  return keys.map((key, index) => [String(key), values[index]]);
}

async function readAllPersisted(): Promise<string> {
  return (await readEntries())
    .map(([, value]) =>
      JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? new TextDecoder().decode(each) : each)),
    )
    .join("\n");
}

describe("a persisted index", () => {
  it("serves the next opening without a request, and has its age", async () => {
    const first = await open();
    expect(await findFirst(first, "lotus 7")).toBe(toId(7));
    const second = await open();
    await second.feed.nameIndexes.find("JPN");
    expect(await findFirst(second, "lotus 7")).toBe(toId(7));
    expect(second.requests()).toEqual([]);
    expect(second.feed.nameIndexes.state("JPN")).toMatchObject({
      status: "built",
      facts: { companies: 35, builtAtMs: first.clock.nowMs() },
    });
  });

  it("serves no other client and no other country", async () => {
    await findFirst(await open(), "lotus 7");
    const other = await open({ owner: "other" });
    await findFirst(other, "lotus 7");
    expect(other.count()).toBeGreaterThan(0);
    const same = await open();
    await awaitAnswer(same.feed, same.feed.names.query("lotus 7", "SGP", 1));
    expect(same.count()).toBeGreaterThan(0);
  });

  it("holds names, and no personal data or tokens", async () => {
    await findFirst(await open(), "lotus 7");
    const persisted = await readAllPersisted();
    expect(persisted).toContain("Lotus 7");
    expect(persisted).not.toMatch(/Secret|example\.com|token|assertion/);
  });

  it.each([
    ["resume at the next opening", 0, 2],
    ["not resume with pages of the day before", 25, 5],
  ])("lets a build %s", async (_, hours, requests) => {
    const first = await open();
    first.lists.instead = (_request, family, page) =>
      family === "taxonomy" && page === 3 ? { status: 400, json: {} } : undefined;
    await first.feed.nameIndexes.build("JPN");
    expect(first.feed.nameIndexes.state("JPN").status).toBe("none");
    const second = await open({ startMs: first.clock.nowMs() + hours * 60 * 60_000 });
    await second.feed.nameIndexes.build("JPN");
    expect(second.feed.nameIndexes.state("JPN").facts?.companies).toBe(35);
    expect(second.count()).toBe(requests);
  });
});

describe("storage that fails", () => {
  const findTwice = async () => {
    const running = await open();
    expect(await findFirst(running, "lotus 7")).toBe(toId(7));
    expect(await findFirst(running, "lotus 8")).toBe(toId(8));
    return running;
  };

  it("costs only the persistence if it is blocked", async () => {
    surroundings.indexedDB = {
      open() {
        throw new DOMException("blocked", "SecurityError");
      },
    };
    await findTwice();
    expect((await findTwice()).count()).toBeGreaterThan(0);
  });

  it("costs only the persistence if it is full", async () => {
    const put = jest.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await findTwice();
    put.mockRestore();
    expect(await readAllPersisted()).toBe("");
  });

  it("costs only the persistence if it is damaged", async () => {
    await findTwice();
    const [[key, persisted] = ["", {}]] = (await readEntries()) as [string, Record<string, unknown>][];
    const store = createNameStore();
    for (const damaged of [
      { ...persisted, names: "\n" },
      { ...persisted, packed: new Uint8Array(3) },
      { facts: null },
      "text",
      null,
    ]) {
      await store.save(key, damaged);
      const running = await findTwice();
      expect(running.count()).toBeGreaterThan(0);
    }
  });
});

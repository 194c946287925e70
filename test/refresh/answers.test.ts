import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { persistedCaches } from "../../src/feed/persisted-cache";
import { persistAnswers } from "../../src/refresh/answers";
import { DEFAULT_SETTINGS } from "../../src/session/settings";
import { itOnPosix } from "../support/posix";
import { type Figure, openBooks, readFigures, readValues, toFormulaCell, toRow, toSettingsParts } from "./workbooks";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 10, 2, 7);

let nowMs = START_MS;
let figure: Figure;
beforeAll(async () => {
  [figure] = (await readFigures(1)) as [Figure];
});
beforeEach(() => {
  nowMs = START_MS;
  jest.spyOn(Date, "now").mockImplementation(() => nowMs);
});
afterEach(() => void jest.restoreAllMocks());
const books = openBooks(); // its provider has the same clock

const write = (settings?: object) =>
  books.write(
    toRow(
      1,
      toFormulaCell("A1", `_xldudf_FEED_FINANCIAL("${figure.id}",2023,"Revenue")`, 1),
      toFormulaCell("B1", '_xldudf_FEED_RANKING("2024-01",,1,"totalPageViews",,FALSE)', 1),
    ),
    settings === undefined ? {} : { others: toSettingsParts(settings) },
  );

const toTime = (ms: number) => new Date(ms).toISOString();

describe("a workbook that is refreshed again", () => {
  it("asks for nothing while its settings allow the age of what was read, says how old that is, and asks then", async () => {
    const path = write();
    const first = await books.refresh(path);
    expect(first.report).toMatchObject({ requests: 2, counts: { refreshed: 2, changed: 2 } });
    nowMs = START_MS + HOUR_MS;
    const second = await books.refresh(path, "--fail-on", "changed,missing,stale");
    expect([second.code, second.report.requests, second.report.written]).toEqual([0, 0, null]);
    expect(second.report.asOf).toEqual({ oldest: toTime(START_MS), newest: toTime(START_MS) });
    nowMs = START_MS + 46 * DAY_MS; // more than half of the 90 days of closed periods
    const third = await books.refresh(path);
    expect(third.report).toMatchObject({ requests: 2, counts: { changed: 0 }, asOf: { oldest: toTime(nowMs) } });
  });

  it("reports a changed figure once", async () => {
    const path = write({ refresh: { ...DEFAULT_SETTINGS.refresh, financials: "open-1d" } });
    await books.refresh(path);
    books.sandbox.controls.perturb = (value) => value * 2;
    nowMs += DAY_MS - 1_000; // the next day's run may come a little earlier
    const second = await books.refresh(path);
    expect(second.report).toMatchObject({ requests: 1, changes: [{ cell: "A1", after: figure.revenue * 2 }] });
    nowMs += HOUR_MS;
    expect((await books.refresh(path)).report).toMatchObject({ requests: 0, changes: [] });
    expect(readValues(path)).toMatchObject({ A1: figure.revenue * 2 });
  });

  it.each([
    ["a person refreshes it", { refresh: { ...DEFAULT_SETTINGS.refresh, rankings: "manual" } }, 1],
    [
      "a sheet has a schedule of its own",
      { sheets: [{ name: "Sheet1", template: "ranking", schedule: { kind: "daily", atMinutes: 420, weekday: 1 } }] },
      2,
    ],
  ])("asks each time where %s", async (_, settings, requests) => {
    const path = write(settings);
    await books.refresh(path);
    expect((await books.refresh(path)).report.requests).toBe(requests);
  });

  it("reads anew what is damaged", async () => {
    const path = write();
    await books.refresh(path);
    const folder = join(books.folder, "answers");
    const [name = ""] = readdirSync(folder);
    const content = readFileSync(join(folder, name));
    content[content.length - 9]! ^= 1;
    writeFileSync(join(folder, name), content);
    expect((await books.refresh(path)).report).toMatchObject({ requests: 2, counts: { failed: 0 } });
  });
});

describe("answers that are kept", () => {
  const ports = { nowMs: () => nowMs, after: () => () => {} };

  /** A run of a client that may use answers of a day. */
  function open(client = "one") {
    const save = persistAnswers(books.folder, () => 2 * DAY_MS);
    const { load, store } = persistedCaches.create({ ports, owner: async () => client });
    const answer = (value: unknown) => ({ value, asOfMs: nowMs, sources: [] });
    return {
      find: async (hash: string) => (await load([hash], { family: "financials" }))?.value,
      store: (hash: string, value: unknown) => store(hash, answer(value)),
      save,
    };
  }
  /** Stores as a run does, which looks first. */
  async function put(run: ReturnType<typeof open>, hash: string, value: unknown) {
    await run.find(hash);
    run.store(hash, value);
  }

  itOnPosix("are for the person alone", async () => {
    const run = open();
    await put(run, "a", 1);
    run.save();
    const [name = ""] = readdirSync(books.folder);
    expect(statSync(join(books.folder, name)).mode & 0o777).toBe(0o600);
  });

  it("are of one client, and go when nobody has used its key for long", async () => {
    const former = join(books.folder, "former.answers");
    writeFileSync(former, "");
    utimesSync(former, 0, 0);
    const run = open();
    await put(run, "a", 1);
    run.save();
    expect([await open().find("a"), await open("other").find("a")]).toEqual([1, undefined]);
    expect(existsSync(former)).toBe(false);
  });

  it("are those of both of two runs at once, the newer of each", async () => {
    const [one, other] = [open(), open()];
    await put(one, "a", 1);
    await put(other, "b", 2);
    await put(one, "c", "old");
    nowMs += 1;
    await put(other, "c", "new");
    other.save();
    one.save();
    const later = open();
    expect(await Promise.all(["a", "b", "c"].map(later.find))).toEqual([1, 2, "new"]);
  });

  it("are evicted where they take too much, the oldest first", async () => {
    const large = "x".repeat(15_000_000);
    const first = open();
    for (const hash of ["a", "b", "c"]) {
      nowMs += 1;
      await put(first, hash, large);
    }
    first.save();
    const second = open();
    expect([await second.find("a"), await second.find("b"), await second.find("c")]).toEqual([undefined, large, large]);
  });
});

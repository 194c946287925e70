import { beforeEach, describe, expect, it } from "@jest/globals";
import { readMaxAge } from "../../../src/firm/reads/shared/age-limit";
import type { SharedReads, Wanted } from "../../../src/firm/reads/shared-reads";
import { createMemoryAnswers } from "../../../src/firm/stores/memory";
import MAX_AGES from "./max-ages.json";
import {
  answerFinancials,
  createReader,
  id,
  ids,
  listIds,
  openBench,
  readMany as readManyFrom,
  readOne as readOneFrom,
} from "./shared-reads-world";

const SECOND_MS = 1000;
const FRESH: Wanted = { maxAgeMs: 0 };
const RANKING =
  "/japan/ranking/v1/industries?start_datetime=2024-01-01T00%3A00%3A00&end_datetime=2024-01-02T00%3A00%3A00";

const bench = openBench();
const { countRequests } = bench;
let reads: SharedReads;

const readOne = (companyId: string, wanted?: Wanted, who = "ann") =>
  readOneFrom(reads, companyId, createReader(who), wanted);
const readMany = (companyIds: readonly string[], wanted?: Wanted, who = "ann") =>
  readManyFrom(reads, companyIds, createReader(who), { wanted });
const readRanking = (wanted?: Wanted) =>
  reads.read("rankIndustries", { method: "GET", path: RANKING }, createReader(), wanted);
/** Makes the provider's figures carry their edition. */
const sayEdition = (edition: number) =>
  bench.setAnswer((seen) => ({ body: answerFinancials(seen).body.replaceAll("1.50e3", String(edition)) }));

beforeEach(() => {
  reads = bench.createInstance({ answers: createMemoryAnswers() });
});

describe("a refresh", () => {
  it("gets a fresh answer, for every reader", async () => {
    sayEdition(1);
    await readOne(id(1));
    await readMany(ids(30, 2));
    bench.pass(60 * SECOND_MS);
    sayEdition(2);
    const one = await readOne(id(1), FRESH);
    expect(one.body.toString()).toContain('"revenue": 2');
    expect([one.asOfMs, one.newerAtMs]).toEqual([bench.nowMs(), undefined]);
    const many = await readMany(ids(30, 2), FRESH);
    expect(many.body.toString()).not.toContain('"revenue": 1');
    expect(many).toMatchObject({ requested: 30, known: 0, asOfMs: bench.nowMs() });
    expect((await readMany(ids(30, 2))).body.toString()).not.toContain('"revenue": 1');
    expect(countRequests()).toBe(6);
  });

  it("gets the cached answer if it is within the firm's max age, with the time to retry", async () => {
    const atMs = bench.nowMs();
    await readOne(id(1));
    bench.pass(14 * SECOND_MS);
    expect(await readOne(id(1), FRESH)).toMatchObject({ known: 1, asOfMs: atMs, newerAtMs: atMs + 15 * SECOND_MS });
    expect((await readMany([id(1)], FRESH)).asOfMs).toBe(atMs);
    expect(countRequests()).toBe(1);
    bench.pass(SECOND_MS);
    expect(await readOne(id(1), FRESH)).toMatchObject({ known: 0 });
  });

  it("by a schedule accepts an answer within the schedule's max age", async () => {
    const wanted = { maxAgeMs: 300 * SECOND_MS };
    await readOne(id(1));
    bench.pass(299 * SECOND_MS);
    expect(await readOne(id(1), wanted)).toMatchObject({ known: 1, newerAtMs: undefined });
    bench.pass(SECOND_MS);
    expect((await readOne(id(1), wanted)).known).toBe(0);
  });

  it("is never answered by a cached absence: of a company, an element, a list", async () => {
    let isThere = false;
    bench.setAnswer((seen) => {
      if (seen.url === RANKING) return { body: isThere ? '{"data":[1],"total":1}' : '{"data":[],"total":0}' };
      if (isThere) return answerFinancials(seen);
      return seen.method === "GET" ? { status: 404, body: "{}" } : { body: '{"data":[],"total":0}' };
    });
    const read = async (wanted?: Wanted) => [
      (await readOne(id(1), wanted)).status,
      listIds(await readMany([id(2)], wanted)).length,
      (await readRanking(wanted)).body.toString(),
    ];
    const nothing = [404, 0, '{"data":[],"total":0}'];
    expect(await read()).toEqual(nothing);
    isThere = true;
    expect(await read()).toEqual(nothing);
    expect(countRequests()).toBe(3);
    bench.pass(1);
    expect(await read(FRESH)).toEqual([200, 1, '{"data":[1],"total":1}']);
  });

  it("reports that the provider is out, while a first read gets the old answer", async () => {
    await readOne(id(1));
    await readMany([id(2)]);
    bench.pass(2 * 3600 * SECOND_MS);
    bench.setAnswer(() => ({ status: 503, body: "{}" }));
    expect([(await readOne(id(1), FRESH)).status, (await readMany([id(2)], FRESH)).status]).toEqual([503, 503]);
    expect([(await readOne(id(1))).status, (await readMany([id(2)])).status]).toEqual([200, 200]);
  });

  it("is one request for all simultaneous refreshes, with or without other readers", async () => {
    await readOne(id(1));
    await readMany(ids(25));
    bench.pass(60 * SECOND_MS);
    const before = countRequests();
    const people = Array.from({ length: 40 }, (_, nth) => `person ${nth}`);
    const all = people.flatMap((who, nth) => {
      const wanted = nth % 2 === 0 ? FRESH : {};
      return [readOne(id(1), wanted, who), readMany(ids(25), wanted, who)];
    });
    await Promise.all(all);
    expect(countRequests() - before).toBeLessThanOrEqual(3);
  });
});

it.each<[string | undefined, object]>([...(MAX_AGES as unknown as [string, object][]), [undefined, {}]])(
  "the max age of a request's Cache-Control is read from '%s'",
  (header, wanted) => expect(readMaxAge(header)).toEqual(wanted),
);

import { beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/firm/reads/shared-reads";
import type { Seen } from "../../companion/provider-server";
import {
  createReader,
  id,
  ids,
  openBench,
  type ProviderAnswer,
  readMany,
  readOne,
  readRequested,
  toElement,
} from "./shared-reads-world";

const ANN = createReader("ann");
const BOUNDS = '"periodYear": 2020, "financialPeriodStart": "2019-04-01", "financialPeriodEnd": "2020-03-31"';
const toBounded = (companyId: string) =>
  `{"companyId": "${companyId}", "years": [{"year": 2020, ${BOUNDS}, "x": 1.50}]}`;

const bench = openBench();
const { countRequests } = bench;
let reads: SharedReads;

/** Answers batches and single companies by an element of each; unknown ones begin with "f". */
const answerBy =
  (toElementOf: (companyId: string) => string, toOwn = toElementOf) =>
  (seen: Seen): ProviderAnswer => {
    const { companyIds } = readRequested(seen);
    const known = companyIds.filter((each) => !each.startsWith("f"));
    if (seen.method === "GET" && known.length === 0)
      return { status: 404, body: '{"error":{"message":"never heard"}}' };
    if (seen.method === "GET") return { body: toOwn(known[0]!) };
    return { body: `{"data":[${known.map(toElementOf)}],"page":1,"pageSize":25,"total":${known.length}}` };
  };

const readEach = (companyIds: readonly string[]) =>
  Promise.all(companyIds.map((companyId, nth) => readOne(reads, companyId, createReader(`reader ${nth}`))));

beforeEach(() => {
  reads = bench.createInstance({});
  bench.setAnswer(answerBy(toBounded));
});

describe("single companies of many readers", () => {
  it("share requests of 25, and each is the provider's own bytes", async () => {
    const companyIds = ids(101);
    const answers = await readEach(companyIds);
    expect(answers.map(({ body }) => body.toString())).toEqual(companyIds.map(toBounded));
    expect(countRequests()).toBeLessThanOrEqual(1.5 * 4);
  });

  it("are read by themselves where batches lack the bounds of fiscal years", async () => {
    bench.setAnswer(answerBy((companyId) => toElement(companyId), toBounded));
    const companyIds = ids(4);
    for (const companyId of companyIds) {
      expect((await readOne(reads, companyId, ANN)).body.toString()).toBe(toBounded(companyId));
    }
    // The second company showed it.
    expect(bench.provider.seen.map(({ method }) => method)).toEqual(["GET", "POST", "GET", "GET", "GET"]);
  });

  it("share requests also with companies that have no year", async () => {
    const toYearless = (companyId: string) => `{"companyId": "${companyId}", "years": []}`;
    const yearless = ids(10).map((_, nth) => id(10 * nth));
    bench.setAnswer(answerBy((companyId) => (yearless.includes(companyId) ? toYearless : toBounded)(companyId)));
    const answers = [...(await readEach(ids(51))), ...(await readEach(ids(50, 51)))];
    expect(answers[50]!.body.toString()).toBe(toYearless(id(50)));
    expect(countRequests()).toBeLessThanOrEqual(1.5 * 4);
  });

  it("are cached for single reads where a batch brought them with bounds", async () => {
    await readMany(reads, ids(3), ANN);
    expect((await readOne(reads, id(2), ANN)).body.toString()).toBe(toBounded(id(2)));
    expect(countRequests()).toBe(1);
  });

  it("get the provider's own words, and count once for a reader, where it has no such company", async () => {
    let counted = 0;
    const counting = createReader("ann", "all", (loads) => {
      counted += loads;
      return undefined;
    });
    await readEach(ids(2));
    const { status, body } = await readOne(reads, id(0xf0000000), counting);
    expect([status, body.toString()]).toEqual([404, '{"error":{"message":"never heard"}}']);
    expect(counted).toBe(1);
  });

  it("share no further request with others' once a batch failed with them", async () => {
    const bad = id(9);
    const sound = answerBy(toBounded);
    bench.setAnswer((seen) =>
      readRequested(seen).companyIds.includes(bad) ? { status: 500, body: "{}" } : sound(seen),
    );
    await readEach(ids(2));
    await readOne(reads, bad, ANN);
    const before = countRequests();
    const [failed, ...others] = await readEach([bad, ...ids(5, 100)]);
    expect([failed!.status, ...others.map(({ status }) => status)]).toEqual([500, ...others.map(() => 200)]);
    const withBad = bench.provider.seen.slice(before).filter((seen) => readRequested(seen).companyIds.includes(bad));
    expect(withBad.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("are not requested again by themselves where the provider refuses their batch for a time", async () => {
    await readEach(ids(2));
    bench.setAnswer(() => ({ status: 503, headers: { "retry-after": "5" }, body: "{}" }));
    const before = countRequests();
    expect((await readOne(reads, id(7), ANN)).status).toBe(503);
    expect(countRequests() - before).toBe(1);
  });

  it("serve a cached answer during a pause of the provider", async () => {
    await readEach(ids(2));
    bench.pass(2 * 3_600_000);
    bench.setAnswer(() => ({ status: 429, body: "{}" }));
    expect((await readEach(ids(2))).map(({ status }) => status)).toEqual([200, 200]);
  });
});

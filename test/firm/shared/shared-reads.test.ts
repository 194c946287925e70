import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/firm/reads/shared-reads";
import { createMemoryAnswers } from "../../../src/firm/stores/memory";
import { createProvider } from "../../companion/test-configuration";
import { until } from "../../support/until";
import {
  answerFinancials,
  COMPANIES,
  createGate,
  createReader,
  createWatchedAnswers,
  id,
  ids,
  listIds,
  MANY,
  openBench,
  type ProviderAnswer,
  readMany,
  readOne,
  readRequested,
  readTree,
  toElement,
} from "./shared-reads-world";

const MINUTE_MS = 60_000;
const ANN = createReader("ann");
const BOB = createReader("bob");
const OTHER = createReader("cleo", "other rights");

const bench = openBench();
const { countRequests, listRequestedIds } = bench;
let reads: SharedReads;
let answers: ReturnType<typeof createWatchedAnswers>;

beforeEach(() => {
  answers = createWatchedAnswers();
  reads = bench.createInstance({ answers });
});

describe("a shared answer", () => {
  it("is fetched once and served in the requested order, with the provider's bytes", async () => {
    await readMany(reads, [id(1), id(2), id(3)], ANN, { year: 2020 });
    const { status, headers, body } = await readMany(reads, [id(3), id(1)], BOB, { year: 2020 });
    const elements = `${toElement(id(3), 2020)},${toElement(id(1), 2020)}`;
    expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(body.toString()).toBe(`{"data":[${elements}],"page":1,"pageSize":2,"total":2}`);
    expect(countRequests()).toBe(1);
  });

  it("reports the time of its oldest part, and how many parts were cached", async () => {
    const firstMs = bench.nowMs();
    await readMany(reads, [id(1)], ANN);
    bench.pass(MINUTE_MS);
    const answer = await readMany(reads, [id(1), id(2)], BOB);
    expect(answer).toMatchObject({ asOfMs: firstMs, requested: 2, known: 1 });
  });

  it("is separate for each year, and for all years", async () => {
    for (const year of [undefined, 2020, 2021]) await readMany(reads, [id(1)], ANN, { year });
    expect(bench.provider.seen.map((seen) => readRequested(seen).year)).toEqual([undefined, 2020, 2021]);
  });

  it("is refetched when it is no longer fresh", async () => {
    await readMany(reads, [id(1)]);
    bench.pass(60 * MINUTE_MS);
    await readMany(reads, [id(1)]);
    expect(countRequests()).toBe(2);
  });

  it("is one for a path and its query, in any order of parameters", async () => {
    const list = "/asia/industry-taxonomies/v1/companies";
    const read = (query: string) =>
      reads.read("listTaxonomyCompanies", { method: "GET", path: `${list}?${query}` }, ANN);
    bench.setAnswer(() => ({ body: '{"data":[1.0],"total":1}' }));
    await read("country=JPN&company_type=ALL");
    expect((await read("company_type=ALL&country=JPN")).body.toString()).toBe('{"data":[1.0],"total":1}');
    await read("country=JPN&company_type=PUBLIC");
    expect(countRequests()).toBe(2);
  });

  it("is one request for a hundred simultaneous readers", async () => {
    const people = Array.from({ length: 100 }, (_, nth) => createReader(`person ${nth}`));
    const all = await Promise.all(people.flatMap((person) => [readTree(reads, person), readOne(reads, id(1), person)]));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(countRequests()).toBe(2);
  });

  it("takes few requests however the companies of different readers overlap", async () => {
    const people = Array.from({ length: 8 }, (_, nth) => createReader(`person ${nth}`));
    const all = people.flatMap((person, nth) =>
      Array.from({ length: 16 }, (_, part) => ({ person, some: ids(25, (nth * 37 + part * 61) % 900) })),
    );
    const came = await Promise.all(all.map(({ person, some }) => readMany(reads, some, person)));
    expect(came.map(listIds)).toEqual(all.map(({ some }) => some));
    const distinct = new Set(all.flatMap(({ some }) => some)).size;
    expect(listRequestedIds().flat()).toHaveLength(distinct);
    expect(countRequests()).toBeLessThanOrEqual((1.1 * distinct) / 25);
  });

  it("of one company serves batches, and not the other way round", async () => {
    await readOne(reads, id(1), ANN);
    expect(listIds(await readMany(reads, [id(1), id(2)], BOB))).toEqual([id(1), id(2)]);
    expect(listRequestedIds()).toEqual([[id(1)], [id(2)]]);
    await readOne(reads, id(2), ANN);
    expect(countRequests()).toBe(3);
  });

  it("is not served if it names another company or is another provider's or client's", async () => {
    bench.setAnswer(() => ({ body: toElement(id(9)) }));
    await readOne(reads, id(1), ANN);
    bench.setAnswer(answerFinancials);
    await readMany(reads, [id(1)], ANN);
    const another = createProvider(`http://127.0.0.1:${bench.provider.port}`);
    another.client = { ...another.client, clientId: "client-2" };
    await readMany(bench.createInstance({ answers, provider: () => another }), [id(1)], ANN);
    expect(countRequests()).toBe(3);
  });

  it("is neither cached nor served if another provider is set up meanwhile", async () => {
    const first = createProvider(`http://127.0.0.1:${bench.provider.port}`);
    let current = first;
    const moving = bench.createInstance({ answers, provider: () => current });
    bench.setAnswer((seen) => {
      current = createProvider("https://another.example.com");
      return answerFinancials(seen);
    });
    await expect(readTree(moving)).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
    current = first;
    await expect(readMany(moving, [id(1)])).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
    expect(answers.entries).toEqual([]);
  });
});

it.each([
  ["registration numbers", { identifiers: ["1", "2"] }],
  ["ids and registration numbers", { companyIds: [id(1)], identifiers: ["1"] }],
  ["ids that are none", { companyIds: [id(1), "x"] }],
  ["a year in words", { companyIds: [id(1)], year: "all" }],
  ["nothing", {}],
])("a query passed on unchanged is a body of %s", async (_what, requestBody) => {
  const body = Buffer.from(JSON.stringify(requestBody));
  bench.setAnswer(() => ({ status: 400, body: '{"odd": 1.0}' }));
  const answer = await reads.read("getFinancialsOfMany", { method: "POST", path: MANY, body }, ANN);
  expect([answer.status, answer.body.toString()]).toEqual([400, '{"odd": 1.0}']);
  expect(bench.provider.seen.map((seen) => seen.body)).toEqual([body.toString()]);
  await reads.read("getFinancialsOfMany", { method: "POST", path: MANY, body }, BOB);
  expect(countRequests()).toBe(2);
});

it("a malformed id is not batched with others' companies, which a provider would refuse with it", async () => {
  await Promise.all([readMany(reads, ["x", "y"], ANN), readMany(reads, [id(1)], BOB), readMany(reads, [id(2)], OTHER)]);
  expect(new Set(listRequestedIds().map((ids) => ids.join()))).toEqual(new Set(["x,y", `${id(1)},${id(2)}`]));
});

describe("a missing company", () => {
  const unknown = "ffffffff-0000-4000-8000-000000000000";

  it("is not requested again for five seconds by readers with the same entitlements", async () => {
    bench.setAnswer((seen) => (seen.method === "GET" ? { status: 404, body: '{"none":1}' } : answerFinancials(seen)));
    for (const reader of [ANN, BOB]) {
      expect(listIds(await readMany(reads, [unknown, id(1)], reader))).toEqual([id(1)]);
      const { status, body } = await readOne(reads, unknown, reader);
      expect([status, body.toString()]).toEqual([404, '{"none":1}']);
    }
    expect(countRequests()).toBe(2);
  });

  it("is requested by a reader with other entitlements, even if its absence is cached", async () => {
    bench.setAnswer((seen) => (seen.method === "GET" ? { status: 404, body: "{}" } : answerFinancials(seen)));
    for (const reader of [ANN, OTHER]) {
      await readMany(reads, [unknown], reader);
      await readOne(reads, unknown, reader);
    }
    expect(countRequests()).toBe(4);
  });

  it("is requested once for each set of entitlements, even at one moment", async () => {
    bench.setAnswer(() => ({ status: 404, body: "{}" }));
    const readers = ["one", "two", "three"].flatMap((entitlements) => [
      createReader("a", entitlements),
      createReader("b", entitlements),
    ]);
    await Promise.all(readers.map((reader) => readTree(reads, reader)));
    expect(countRequests()).toBe(3);
  });

  it("is requested by a reader with other entitlements, cached or under way", async () => {
    await Promise.all([readMany(reads, [unknown], ANN), readMany(reads, [unknown], OTHER)]);
    expect(countRequests()).toBe(2);
    await Promise.all([readMany(reads, [unknown], BOB), readMany(reads, [unknown], OTHER)]);
    expect(countRequests()).toBe(2);
    bench.setAnswer(() => ({ status: 404, body: "{}" }));
    await Promise.all([readOne(reads, unknown, ANN), readOne(reads, unknown, OTHER)]);
    expect(countRequests()).toBe(4);
  });
});

describe("the shared cache", () => {
  it("has nothing of the client in its keys, and compresses", async () => {
    bench.setAnswer((seen) => answerFinancials(seen));
    await readMany(reads, ids(25), ANN);
    expect(answers.entries).toHaveLength(25);
    for (const { key, body } of answers.entries) {
      expect(key).not.toMatch(/client-1|127\.0\.0\.1/);
      expect(body.toString("latin1")).not.toContain("companyId");
    }
  });

  it.each([10, 100_000])("takes no more memory than it counts, for %i characters", async (length) => {
    bench.setAnswer(() => ({ body: JSON.stringify([{ code: "x".repeat(length) }]) }));
    await readTree(reads);
    // Short buffers share 8 KB.
    expect(answers.entries.map(({ body }) => body.buffer.byteLength <= 8192)).toEqual([true]);
  });

  it("refetches a damaged entry", async () => {
    await readMany(reads, [id(1)], ANN);
    await answers.store(answers.entries.map((entry) => ({ ...entry, body: Buffer.from("damaged") })));
    expect(listIds(await readMany(reads, [id(1)], BOB))).toEqual([id(1)]);
    expect(countRequests()).toBe(2);
  });

  it("keeps contact data in this process's memory alone", async () => {
    const company = `{"id":"${id(1)}","representatives":[{"email":"a@example.com"}]}`;
    bench.setAnswer(({ url }) => ({ body: url.includes("?") ? `{"data":[${company}],"total":1}` : company }));
    const pending = [
      ["getCompany", `${COMPANIES}/${id(1)}`],
      ["searchCompanies", `${COMPANIES}?country=JPN`],
      ["listCompaniesWalkThrough", "/private-company/v1/companies?country=JPN"],
    ] as const;
    for (const reader of [ANN, BOB]) {
      for (const [operation, path] of pending) await reads.read(operation, { method: "GET", path }, reader);
    }
    expect(countRequests()).toBe(3);
    expect(answers.entries).toEqual([]);
  });

  it.each([
    ["is no JSON, as of a proxy's page", "<html>"],
    ["has an error in place of data", '{"error":{"code":"X"}}'],
    ["is no data, as of maintenance", '{"status":"maintenance"}'],
    ["is above 4 MB", JSON.stringify(["x".repeat(4 * 1024 * 1024)])],
  ])("stores nothing that %s", async (_what, body) => {
    bench.setAnswer(() => ({ body }));
    expect((await readTree(reads)).body.toString()).toBe(body);
    expect((await readOne(reads, id(1))).body.toString()).toBe(body);
    expect(answers.entries).toEqual([]);
  });

  it("stores nothing of another company or of none", async () => {
    for (const body of [toElement(id(2)), "[1]", '{"data":[1]}', "{}"]) {
      bench.setAnswer(() => ({ body }));
      await readOne(reads, id(1));
    }
    expect(answers.entries).toEqual([]);
    bench.setAnswer(() => ({ body: toElement(id(1).toUpperCase()) }));
    await readOne(reads, id(1));
    expect(answers.entries).toHaveLength(1);
  });

  it.each(["[]", '{"data":[],"total":0}'])("stores for five seconds that %s is empty", async (body) => {
    bench.setAnswer(() => ({ body }));
    for (const reader of [ANN, BOB]) expect((await readTree(reads, reader)).body.toString()).toBe(body);
    expect(answers.entries.map(({ lifetimeMs }) => lifetimeMs)).toEqual([5000]);
    expect(countRequests()).toBe(1);
  });
});

describe("49 cached companies and one at which the provider hangs", () => {
  const NEW = id(900);
  let gate: ReturnType<typeof createGate>;
  beforeEach(async () => {
    gate = createGate();
    await readMany(reads, ids(49), ANN);
    bench.setAnswer(async (seen) => {
      if (readRequested(seen).companyIds.includes(NEW)) await gate.opened;
      return answerFinancials(seen);
    });
  });
  afterEach(() => gate.open());

  const readPartial = (companyIds: readonly string[]) =>
    readMany(reads, companyIds, ANN, { wanted: { takesPartial: true } });

  it("are answered without it at once, to a page that takes a part, and cost no request", async () => {
    const before = countRequests();
    const answer = await readPartial([...ids(49), NEW]);
    expect(listIds(answer)).toEqual(ids(49));
    expect(JSON.parse(answer.body.toString())).toMatchObject({ pageSize: 49, total: 50 });
    expect(answer).toMatchObject({ isPartial: true, requested: 49, known: 49, retryAfterSeconds: 1 });
    expect(countRequests()).toBe(before);
  });

  it("are answered without it to any other client, with the time to request it again", async () => {
    const answer = await readMany(reads, [...ids(49), NEW], ANN);
    expect(listIds(answer)).toEqual(ids(49));
    expect(answer).toMatchObject({ isPartial: true, requested: 50, known: 49, retryAfterSeconds: 1 });
    expect(JSON.parse(answer.body.toString())).toMatchObject({ total: 50 });
    const again = readMany(reads, [NEW], ANN);
    gate.open();
    expect(listIds(await again)).toEqual([NEW]);
  });

  it("are answered with a later time where many are queued", async () => {
    const slow = bench.createInstance({ answers, perMinute: 60 });
    bench.setAnswer(async (seen) => {
      await gate.opened;
      return answerFinancials(seen);
    });
    const before = countRequests();
    const others = readMany(slow, ids(250, 2000), createReader("ben"));
    await until(() => countRequests() === before + 6);
    const readNew = (count: number) =>
      readMany(slow, [...ids(49), ...ids(count, 5000)], ANN, { wanted: { takesPartial: true } });
    expect([(await readNew(1)).retryAfterSeconds, (await readNew(100)).retryAfterSeconds]).toEqual([1, 7]);
    gate.open();
    expect(listIds(await others)).toHaveLength(250);
  });

  it("are one whole answer where nothing is missing, or nothing is known", async () => {
    expect((await readPartial(ids(49))).isPartial).toBe(false);
    bench.setAnswer(answerFinancials);
    const answer = await readPartial(ids(3, 500));
    expect([listIds(answer), answer.isPartial]).toEqual([ids(3, 500), undefined]);
  });
});

it("a company whose failure its reader was told is requested again at the next read", async () => {
  bench.setAnswer((seen) => (seen.body === "" ? answerFinancials(seen) : { status: 500, body: "{}" }));
  const pair = ids(2);
  expect((await readMany(reads, pair, ANN)).status).toBe(500);
  bench.setAnswer((seen) => answerFinancials(seen));
  const before = countRequests();
  expect(listIds(await readMany(reads, pair, ANN))).toEqual(pair);
  expect(countRequests()).toBe(before + 1);
});

describe("companies that came while their reader was refused", () => {
  /** Foretold to take 12 s for each further chunk. */
  const PER_MINUTE = 5;
  const GOOD = ids(30);
  /** The provider has nothing on these. */
  const ABSENT = ids(30, 0xf000_0000);
  let counted: number;
  beforeEach(() => {
    counted = 0;
  });

  /** Reads, is refused at first, and reads again until there is an answer. */
  async function readTwice(companyIds: readonly string[]) {
    const slow = bench.createInstance({ perMinute: PER_MINUTE });
    const counting = createReader("ann", "all", (loads) => {
      counted += loads;
      return undefined;
    });
    const read = () => readMany(slow, companyIds, counting).catch((error: { code?: string }) => error);
    let answer = await read();
    expect(answer).toMatchObject({ code: "FEED_RATE_LIMITED" });
    await until(async () => {
      answer = await read();
      return !("code" in answer && answer.code === "FEED_RATE_LIMITED");
    });
    if (!("body" in answer)) throw answer;
    return answer;
  }

  it("are answered from the cache where the provider has them", async () => {
    expect(listIds(await readTwice(GOOD))).toEqual(GOOD);
    expect(counted).toBe(GOOD.length);
  });

  it("are answered as absent where it has nothing, and do not hold back the others", async () => {
    const answer = await readTwice([...GOOD, ...ABSENT]);
    expect(listIds(answer)).toEqual(GOOD);
    const requested = listRequestedIds().flat();
    for (const companyId of ABSENT) expect(requested.filter((each) => each === companyId).length).toBeLessThan(3);
    expect(counted).toBe(GOOD.length + ABSENT.length);
  });

  it.each<[what: string, answer: ProviderAnswer]>([
    ["fails", { status: 500, body: '{"error":{"code":"broken"}}' }],
    ["gives an answer that cannot be split", { body: '[{"companies":"all"}]' }],
  ])("tell their reader that the provider %s", async (_what, answer) => {
    bench.setAnswer((seen) => (seen.body === "" ? answerFinancials(seen) : answer));
    expect(await readTwice(GOOD)).toMatchObject({ status: answer.status ?? 200, body: Buffer.from(answer.body) });
  });
});

describe("two instances with one cache", () => {
  let one: SharedReads;
  let other: SharedReads;
  beforeEach(() => {
    const cache = createMemoryAnswers();
    [one, other] = [bench.createInstance({ answers: cache }), bench.createInstance({ answers: cache })];
  });

  it("find a company at a refresh even if the other just cached its absence", async () => {
    bench.setAnswer((seen) => (countRequests() === 1 ? { status: 404, body: "{}" } : answerFinancials(seen)));
    for (const reads of [one, other]) expect((await readOne(reads, id(1))).status).toBe(404);
    bench.pass(1);
    expect((await readOne(other, id(1), createReader(), { maxAgeMs: 0 })).status).toBe(200);
  });

  it("never share contact data, and wait for each other with none", async () => {
    bench.setAnswer(() => ({ body: `{"id":"${id(1)}"}` }));
    const path = `${COMPANIES}/${id(1)}`;
    for (const reads of [one, other, one, other]) {
      await reads.read("getCompany", { method: "GET", path }, createReader());
    }
    expect(countRequests()).toBe(2);
  });
});

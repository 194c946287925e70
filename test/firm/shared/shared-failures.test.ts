import { beforeEach, describe, expect, it } from "@jest/globals";
import { Refusal } from "../../../src/companion/refusal";
import type { SharedReads } from "../../../src/firm/reads/shared-reads";
import { until } from "../../support/until";
import {
  answerFinancials,
  createGate,
  createReader,
  id,
  ids,
  listIds,
  openBench,
  type ProviderAnswer,
  readMany,
  readOne,
  readRequested,
  readTree,
  toElement,
} from "./shared-reads-world";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ANN = createReader("ann");
const BOB = createReader("bob");

const bench = openBench();
const { countRequests, listRequestedIds } = bench;
let reads: SharedReads;

/** The number of companies in each request. */
const listSizes = () => listRequestedIds().map((ids) => ids.length);
const readTotal = ({ body }: { body: Buffer }) => JSON.parse(body.toString()).total;

const refuseWith = (spoiler: string, refusal: ProviderAnswer) =>
  bench.setAnswer((seen) => (readRequested(seen).companyIds.includes(spoiler) ? refusal : answerFinancials(seen)));

beforeEach(() => {
  reads = bench.createInstance({});
});

describe("a failure", () => {
  it("of a query with several parts makes each reader retry alone", async () => {
    refuseWith(id(1), { status: 400, body: "{}" });
    const [his, hers] = await Promise.all([readMany(reads, [id(1), id(2)], ANN), readMany(reads, [id(2), id(3)], BOB)]);
    expect(his!.status).toBe(400);
    expect(listIds(hers!)).toEqual([id(2), id(3)]);
  });

  it("that is a wait fails the whole answer, since delayed companies are not missing", async () => {
    const limited = { status: 429, headers: { "retry-after": "5" }, body: "{}" };
    refuseWith(id(30), limited);
    expect((await readMany(reads, ids(50))).status).toBe(429);
    await readMany(reads, ids(25, 100));
    const refusal = new Refusal(429, "Your minute is over.", "FEED_RATE_LIMITED", 40);
    const spent = createReader("dan", "all", () => refusal);
    await expect(readMany(reads, ids(50, 100), spent)).rejects.toMatchObject({
      statusCode: 429,
      retryAfterSeconds: 40,
    });
  });

  it("of a single reader is not retried", async () => {
    refuseWith(id(1), { status: 400, body: "{}" });
    expect((await readMany(reads, [id(1), id(2)])).status).toBe(400);
    expect(countRequests()).toBe(1);
  });

  it("of another reader's query is not passed to those who waited for it", async () => {
    bench.setAnswer((seen) => (countRequests() === 1 ? { status: 500, body: "{}" } : answerFinancials(seen)));
    const people = Array.from({ length: 20 }, (_, nth) => createReader(`person ${nth}`));
    const all = await Promise.all(people.map((person) => readOne(reads, id(1), person)));
    expect(all.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 500]);
    expect(countRequests()).toBe(2);
  });

  it("is not cached", async () => {
    bench.setAnswer(() => ({ status: 500, body: "{}" }));
    await readOne(reads, id(1));
    await readMany(reads, [id(1)]);
    bench.setAnswer(answerFinancials);
    expect((await readOne(reads, id(1))).status).toBe(200);
    expect(listIds(await readMany(reads, [id(1)]))).toEqual([id(1)]);
  });

  it.each([401, 429])("that holds for all readers (%i) is requested once", async (status) => {
    bench.setAnswer(() => ({ status, body: "{}", headers: { "retry-after": "7" } }));
    const answers = await Promise.all([readMany(reads, [id(1)], ANN), readMany(reads, [id(2)], BOB)]);
    expect(answers.map((answer) => [answer.status, answer.headers["retry-after"]])).toEqual([
      [status, "7"],
      [status, "7"],
    ]);
    expect(countRequests()).toBe(1);
  });

  it("still gives cached companies, with a total that shows the rest is missing", async () => {
    await readMany(reads, [id(1)]);
    refuseWith(id(2), { status: 503, body: "{}" });
    const answer = await readMany(reads, [id(1), id(2)]);
    expect([listIds(answer), readTotal(answer)]).toEqual([[id(1)], 2]);
    expect((await readMany(reads, [id(2)])).status).toBe(503);
  });

  it("gives no time to ask for the rest, where nothing more comes, or that of the failure", async () => {
    await readMany(reads, [id(1)]);
    for (const status of [400, 403, 500]) {
      refuseWith(id(2), { status, body: "{}" });
      const answer = await readMany(reads, [id(1), id(2)]);
      expect([listIds(answer), readTotal(answer), answer.retryAfterSeconds]).toEqual([[id(1)], 2, undefined]);
    }
    refuseWith(id(2), { status: 503, headers: { "retry-after": "7" }, body: "{}" });
    expect((await readMany(reads, [id(1), id(2)])).retryAfterSeconds).toBe(7);
  });
});

describe("a reader who has exhausted the quota", () => {
  const refusal = new Refusal(429, "Too much.", "FEED_RATE_LIMITED", 9);
  const counted: number[] = [];
  const flooder = createReader("flooder", "all", (loads) => {
    counted.push(loads);
    return loads > 1 ? refusal : undefined;
  });

  beforeEach(() => void counted.splice(0));

  it("is refused uncached answers, and no other reader waiting for them is", async () => {
    const [his, hers] = await Promise.allSettled([
      readMany(reads, [id(1), id(2)], flooder),
      readMany(reads, [id(2), id(1)], BOB),
    ]);
    expect(his).toMatchObject({ status: "rejected", reason: refusal });
    expect(hers.status === "fulfilled" && listIds(hers.value)).toEqual([id(2), id(1)]);
    expect(await readMany(reads, [id(1), id(2)], flooder)).toMatchObject({ requested: 2, known: 2 });
    expect(counted).toEqual([2]);
  });

  it("is refused at once for an equal query at the same time too", async () => {
    const both = await Promise.allSettled([0, 1].map(() => readMany(reads, [id(1), id(2)], flooder)));
    expect(both).toEqual([0, 1].map(() => ({ status: "rejected", reason: refusal })));
  });

  it("is charged for uncached answers alone", async () => {
    await readMany(reads, [id(1)], ANN);
    await readMany(reads, [id(1), id(2)], flooder);
    await readTree(reads, flooder);
    expect(counted).toEqual([1, 1]);
  });
});

describe("a provider that is out", () => {
  const outs: readonly [what: string, out: () => ProviderAnswer | Promise<ProviderAnswer>][] = [
    ["fails", () => ({ status: 500, body: "{}" })],
    ["is being served", () => ({ status: 503, body: "{}" })],
    ["wants to wait", () => ({ status: 429, body: "{}" })],
  ];

  it.each(outs)("is replaced by its earlier answer with its time, if it %s", async (_what, out) => {
    const firstMs = bench.nowMs();
    await readMany(reads, [id(1), id(2)], ANN);
    await readOne(reads, id(3), ANN);
    bench.setAnswer(out);
    bench.pass(2 * HOUR_MS);
    const many = await readMany(reads, [id(1), id(2), id(3)], BOB);
    expect([listIds(many), many.asOfMs]).toEqual([[id(1), id(2), id(3)], firstMs]);
    expect(await readOne(reads, id(3), BOB)).toMatchObject({ status: 200, asOfMs: firstMs });
  });

  it("is replaced by its earlier answer if it cannot be reached", async () => {
    await readMany(reads, [id(1)]);
    await readTree(reads);
    await bench.provider.close();
    bench.pass(DAY_MS);
    expect(listIds(await readMany(reads, [id(1)]))).toEqual([id(1)]);
    expect((await readTree(reads)).status).toBe(200);
    await expect(readMany(reads, [id(2)])).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
  });

  it("is not replaced if it refuses, or is well again", async () => {
    await readOne(reads, id(1));
    bench.pass(2 * HOUR_MS);
    bench.setAnswer(() => ({ status: 403, body: "{}" }));
    expect((await readOne(reads, id(1))).status).toBe(403);
    bench.setAnswer(answerFinancials);
    expect(await readOne(reads, id(1))).toMatchObject({ status: 200, asOfMs: bench.nowMs() });
  });
});

describe("a provider with peculiar answers", () => {
  const totals: readonly [how: string, toTotal: (all: number, came: number) => number][] = [
    ["says how many there are", (all) => all],
    ["says how many came", (_all, came) => came],
    ["says nothing of it", () => null as never],
  ];

  it.each(totals)("that cuts after ten companies gets requests for the others, if it %s", async (_how, toTotal) => {
    bench.setAnswer((seen) => answerFinancials(seen, 10, toTotal));
    expect(listIds(await readMany(reads, ids(25)))).toEqual(ids(25));
    expect(listSizes().sort()).toEqual([10, 25, 5].sort());
  });

  it("that cuts repeatedly gets smaller requests", async () => {
    bench.setAnswer((seen) => answerFinancials(seen, 10));
    for (const from of [0, 25, 50]) await readMany(reads, ids(25, from));
    expect(listSizes().slice(6).sort()).toEqual([10, 10, 5].sort());
  });

  it("that repeatedly omits a company does not have it", async () => {
    const unknown = "ffffffff-0000-4000-8000-000000000000";
    bench.setAnswer((seen) => answerFinancials(seen, 25, () => null as never));
    expect(listIds(await readMany(reads, [id(1), unknown, id(2)]))).toEqual([id(1), id(2)]);
    expect(listRequestedIds()).toEqual([[id(1), unknown, id(2)], [unknown]]);
  });

  it.each([
    ["cannot be taken apart", (element: string) => `{"data":[${element},${element}],"total":2}`],
    ["has numbers that are none", (element: string) => `{"data":[${element.replace("1.50e3", "NaN")}],"total":1}`],
  ])("gets a request from each reader alone if its answer %s, which is passed on unchanged", async (_what, write) => {
    bench.setAnswer((seen) => ({ body: write(toElement(readRequested(seen).companyIds.join("+"))) }));
    const [his, hers] = await Promise.all([readMany(reads, [id(1), id(2)], ANN), readMany(reads, [id(3)], BOB)]);
    expect(his!.body.toString()).toBe(write(toElement(`${id(1)}+${id(2)}`)));
    expect(hers!.body.toString()).toBe(write(toElement(id(3))));
    expect(countRequests()).toBe(3);
    await readMany(reads, [id(3)], ANN);
    expect(countRequests()).toBe(4);
  });
});

const broken: readonly [
  how: string,
  say: () => ProviderAnswer | undefined | Promise<ProviderAnswer>,
  status: number,
][] = [
  ["breaks off", () => undefined, 502],
  ["fails", () => ({ status: 500, body: "{}" }), 500],
];

describe("an answer to several people's companies", () => {
  const PEOPLE = Array.from({ length: 5 }, (_, nth) => createReader(`person ${nth}`));
  /** How long readers wait for a joint request. */
  const PATIENCE_MS = 100;
  const NEVER = new Promise<ProviderAnswer>(() => {});
  beforeEach(() => {
    reads = bench.createInstance({ patienceMs: PATIENCE_MS });
  });

  /** Each person requests a company of their own at the same time. */
  const readEach = () => PEOPLE.map((person, nth) => readMany(reads, [id(nth)], person));
  const readAll = () => Promise.allSettled(readEach());

  const failures: typeof broken = [
    ...broken,
    ["is refused with 400", () => ({ status: 400, body: "{}" }), 400],
    ["is refused with 403", () => ({ status: 403, body: "{}" }), 403],
    ["is refused with 404", () => ({ status: 404, body: "{}" }), 404],
    ["is no JSON", () => ({ body: "<html>" }), 200],
  ];
  it.each(failures)("that %s because of one company fails only its readers", async (_how, say, status) => {
    bench.setAnswer((seen) => (readRequested(seen).companyIds.includes(id(0)) ? say() : answerFinancials(seen)));
    const [his, ...others] = await readAll();
    expect(his).toMatchObject(status === 502 ? { reason: { statusCode: 502 } } : { value: { status } });
    const theirs = PEOPLE.slice(1).map((_person, nth) => [id(nth + 1)]);
    expect(others.map((each) => each.status === "fulfilled" && listIds(each.value))).toEqual(theirs);
    expect(countRequests()).toBe(1 + PEOPLE.length);
  });

  it("that never comes because of one company leaves the others time to get theirs", async () => {
    bench.setAnswer((seen) => (readRequested(seen).companyIds.includes(id(0)) ? NEVER : answerFinancials(seen)));
    const [his, ...others] = readEach();
    his!.catch(() => {}); // ends with the provider
    expect((await Promise.all(others)).map(listIds)).toEqual(PEOPLE.slice(1).map((_person, nth) => [id(nth + 1)]));
  });

  it("that is slow still comes, though two retried beside it", async () => {
    const { opened: held, open: letGo } = createGate();
    bench.setAnswer(async (seen) => {
      if (readRequested(seen).companyIds.length === 1) return NEVER;
      await held;
      return answerFinancials(seen);
    });
    const all = Promise.all(readEach());
    await until(() => countRequests() === 3);
    letGo();
    expect((await all).map(listIds)).toEqual(PEOPLE.map((_person, nth) => [id(nth)]));
    expect(countRequests()).toBe(3);
  });

  it("that is slow for one reader comes without another request", async () => {
    const { opened: held, open: letGo } = createGate();
    bench.setAnswer(async (seen) => {
      await held;
      return answerFinancials(seen);
    });
    const ids = [id(1), id(2)];
    const answer = readMany(reads, ids);
    await until(() => countRequests() === 1);
    setTimeout(letGo, 2 * PATIENCE_MS);
    expect([listIds(await answer), countRequests()]).toEqual([ids, 1]);
  });

  it.each(broken)("that %s is retried twice if the provider is out, not by each reader", async (_how, say) => {
    bench.setAnswer(say);
    const all = await readAll();
    expect(new Set(all.map(({ status }) => status)).size).toBe(1);
    expect(countRequests()).toBe(3);
    await readAll();
    expect(countRequests()).toBe(6);
  });

  it("that one person's two queries break fails nobody else's", async () => {
    const own = [id(0), id(9)];
    bench.setAnswer((seen) =>
      readRequested(seen).companyIds.some((each) => own.includes(each))
        ? { status: 500, body: "{}" }
        : answerFinancials(seen),
    );
    const [one, ...people] = PEOPLE;
    const broken = own.map((each) => readMany(reads, [each], one));
    // Of two companies each: both queries above retry before them.
    const theirs = people.map((_person, nth) => [id(2 * nth + 10), id(2 * nth + 11)]);
    const others = people.map((person, nth) => readMany(reads, theirs[nth]!, person));
    expect((await Promise.all(broken)).map(({ status }) => status)).toEqual([500, 500]);
    expect((await Promise.all(others)).map(listIds)).toEqual(theirs);
  });

  it("that fails is retried by all once one of two finds the provider well", async () => {
    bench.setAnswer((seen) => (countRequests() === 1 ? { status: 500, body: "{}" } : answerFinancials(seen)));
    expect((await Promise.all(readEach())).map(listIds)).toEqual(PEOPLE.map((_person, nth) => [id(nth)]));
    expect(countRequests()).toBe(1 + PEOPLE.length);
  });

  it("that fails reveals nothing of others' companies", async () => {
    bench.setAnswer((seen) => ({ status: 500, body: `{"error":"${readRequested(seen).companyIds}"}` }));
    const bodies = (await readAll()).map((each) => (each.status === "fulfilled" ? each.value.body.toString() : ""));
    for (const [nth, body] of bodies.entries()) expect(body.replace(id(nth), "")).not.toMatch(/0000-4000/);
  });
});

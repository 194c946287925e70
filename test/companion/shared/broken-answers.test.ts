import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/companion/reads/shared-reads";
import { until } from "../../support/until";
import {
  answerFinancials,
  createReader,
  createSharedReadsBench,
  id,
  listIds,
  type ProviderAnswer,
  readMany,
  readRequested,
  type SharedReadsBench,
} from "./shared-reads-bench";

const PEOPLE = Array.from({ length: 10 }, (_, nth) => createReader(`person ${nth}`));
/** How long readers wait for a joint request. */
const PATIENCE_MS = 100;
const NEVER = new Promise<ProviderAnswer>(() => {});

let bench: SharedReadsBench;
let reads: SharedReads;

const countRequests = () => bench.provider.seen.length;
/** Each person requests a company of their own at the same time. */
const readAll = () => Promise.allSettled(PEOPLE.map((person, nth) => readMany(reads, [id(nth)], person)));

beforeEach(async () => {
  bench = await createSharedReadsBench(PATIENCE_MS);
  reads = bench.createInstance({});
});
afterEach(() => bench.provider.close());

const broken: readonly [
  how: string,
  say: () => ProviderAnswer | undefined | Promise<ProviderAnswer>,
  status: number,
][] = [
  ["breaks off", () => undefined, 502],
  ["fails", () => ({ status: 500, body: "{}" }), 500],
];

describe("an answer to several people's companies", () => {
  it.each([...broken, ["is no JSON", () => ({ body: "<html>" }), 200] as const])(
    "that %s because of one company fails only its readers",
    async (_how, say, status) => {
      bench.setAnswer((seen) => (readRequested(seen).companyIds.includes(id(0)) ? say() : answerFinancials(seen)));
      const [his, ...others] = await readAll();
      expect(his).toMatchObject(status === 502 ? { reason: { statusCode: 502 } } : { value: { status } });
      expect(others.map((each) => each.status === "fulfilled" && listIds(each.value))).toEqual(
        PEOPLE.slice(1).map((_person, nth) => [id(nth + 1)]),
      );
      expect(countRequests()).toBe(11);
    },
  );

  it("that never comes because of one company leaves the others time to get theirs", async () => {
    bench.setAnswer((seen) => (readRequested(seen).companyIds.includes(id(0)) ? NEVER : answerFinancials(seen)));
    const [his, ...others] = PEOPLE.map((person, nth) => readMany(reads, [id(nth)], person));
    his!.catch(() => {}); // ends with the provider
    expect((await Promise.all(others)).map(listIds)).toEqual(PEOPLE.slice(1).map((_person, nth) => [id(nth + 1)]));
  });

  it("that is slow still comes, though two retried beside it", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    bench.setAnswer(async (seen) => {
      if (readRequested(seen).companyIds.length === 1) return NEVER;
      await held;
      return answerFinancials(seen);
    });
    const all = Promise.all(PEOPLE.map((person, nth) => readMany(reads, [id(nth)], person)));
    await until(() => countRequests() === 3);
    letGo();
    expect((await all).map(listIds)).toEqual(PEOPLE.map((_person, nth) => [id(nth)]));
    expect(countRequests()).toBe(3);
  });

  it("that is slow for one reader comes without another request", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
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
    expect(countRequests()).toBe(4);
    bench.pass(1000);
    await readAll();
    expect(countRequests()).toBe(7);
  });

  it("that fails reveals nothing of others' companies", async () => {
    bench.setAnswer((seen) => ({ status: 500, body: `{"error":"${readRequested(seen).companyIds}"}` }));
    const bodies = (await readAll()).map((each) => (each.status === "fulfilled" ? each.value.body.toString() : ""));
    for (const [nth, body] of bodies.entries()) expect(body.replace(id(nth), "")).not.toMatch(/0000-4000/);
  });
});

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/companion/reads/shared-reads";
import { createMemoryAnswers } from "../../../src/companion/stores/memory";
import { until } from "../../support/until";
import {
  answerFinancials,
  createReader,
  createSharedReadsBench,
  id,
  ids,
  listIds,
  readMany,
  readOne,
  readRequested,
  type SharedReadsBench,
} from "./shared-reads-bench";

let bench: SharedReadsBench;
let one: SharedReads;
let other: SharedReads;

const countRequests = () => bench.provider.seen.length;

beforeEach(async () => {
  bench = await createSharedReadsBench();
  const answers = createMemoryAnswers();
  [one, other] = [bench.createInstance({ answers }), bench.createInstance({ answers })];
});
afterEach(() => bench.provider.close());

describe("two instances with one cache", () => {
  it("do not request an answer that the other fetched meanwhile", async () => {
    let answerAll = () => {};
    const held = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    bench.setAnswer(async (seen) => {
      if (countRequests() <= 6) await held;
      return answerFinancials(seen);
    });
    const all = readMany(one, ids(160));
    await until(() => countRequests() === 6);
    await readMany(other, ids(10, 150));
    answerAll();
    expect(listIds(await all)).toEqual(ids(160));
    expect(bench.provider.seen.flatMap((seen) => readRequested(seen).companyIds)).toHaveLength(160);
  });

  it("find a company at a refresh even if the other just cached its absence", async () => {
    bench.setAnswer((seen) => (countRequests() === 1 ? { status: 404, body: "{}" } : answerFinancials(seen)));
    for (const reads of [one, other]) expect((await readOne(reads, id(1))).status).toBe(404);
    bench.pass(1);
    expect((await readOne(other, id(1), createReader(), { maxAgeMs: 0 })).status).toBe(200);
  });

  it("never share contact data, and wait for each other with none", async () => {
    bench.setAnswer(() => ({ body: `{"id":"${id(1)}"}` }));
    const path = `/asia/private-markets/v1/companies/${id(1)}`;
    for (const reads of [one, other, one, other]) {
      await reads.read("getCompany", { method: "GET", path }, createReader());
    }
    expect(countRequests()).toBe(2);
  });
});

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { SharedReads } from "../../../src/companion/reads/shared-reads";
import {
  answerFinancials,
  createReader,
  createSharedReadsBench,
  id,
  ids,
  listIds,
  MANY,
  readMany,
  readRequested,
  type SharedReadsBench,
} from "./shared-reads-bench";

const ANN = createReader("ann");
const NEW = id(900);

let bench: SharedReadsBench;
let reads: SharedReads;
let answerNow = () => {};

beforeEach(async () => {
  bench = await createSharedReadsBench();
  reads = bench.createInstance({});
  await readMany(reads, ids(49), ANN);
  bench.setAnswer(async (seen) => {
    if (readRequested(seen).companyIds.includes(NEW)) {
      await new Promise<void>((resolve) => {
        answerNow = resolve;
      });
    }
    return answerFinancials(seen);
  });
});
afterEach(() => {
  answerNow();
  return bench.provider.close();
});

const readPartial = (companyIds: readonly string[]) =>
  reads.read(
    "getFinancialsOfMany",
    { method: "POST", path: MANY, body: Buffer.from(JSON.stringify({ companyIds })) },
    ANN,
    { takesPartial: true },
  );

describe("49 cached companies and one at which the provider hangs", () => {
  it("are answered without it at once, to a page that takes a part, and cost no request", async () => {
    const before = bench.provider.seen.length;
    const answer = await readPartial([...ids(49), NEW]);
    expect(listIds(answer)).toEqual(ids(49));
    expect(JSON.parse(answer.body.toString())).toMatchObject({ pageSize: 49, total: 50 });
    expect(answer).toMatchObject({ isPartial: true, requested: 49, known: 49 });
    expect(bench.provider.seen.length).toBe(before);
  });

  it("are answered without it to any other client, whose larger total has it ask again", async () => {
    const answer = await readMany(reads, [...ids(49), NEW], ANN);
    expect(listIds(answer)).toEqual(ids(49));
    expect(JSON.parse(answer.body.toString())).toMatchObject({ total: 50 });
    const again = readMany(reads, [NEW], ANN);
    answerNow();
    expect(listIds(await again)).toEqual([NEW]);
  });

  it("are one whole answer where nothing is missing, or nothing is known", async () => {
    expect((await readPartial(ids(49))).isPartial).toBe(false);
    bench.setAnswer(answerFinancials);
    const answer = await readPartial(ids(3, 500));
    expect([listIds(answer), answer.isPartial]).toEqual([ids(3, 500), undefined]);
  });
});

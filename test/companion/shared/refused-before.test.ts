import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  answerFinancials,
  createReader,
  createSharedReadsBench,
  ids,
  listIds,
  type ProviderAnswer,
  readMany,
  readRequested,
  type SharedReadsBench,
} from "./shared-reads-bench";

/** Foretold to take 12 s for each further chunk. */
const PER_MINUTE = 5;
const GOOD = ids(30);
/** The provider has nothing on these. */
const ABSENT = ids(30, 0xf000_0000);

let bench: SharedReadsBench;
let counted: number;
const ann = createReader("ann", "all", async (loads) => {
  counted += loads;
});

beforeEach(async () => {
  counted = 0;
  bench = await createSharedReadsBench();
});
afterEach(() => bench.provider.close());

/** Reads, is refused at first, and reads again until there is an answer. */
async function readTwice(companyIds: readonly string[]) {
  const reads = bench.createInstance({ perMinute: PER_MINUTE });
  const read = () => readMany(reads, companyIds, ann).catch((error: { code?: string }) => error);
  let answer = await read();
  expect(answer).toMatchObject({ code: "FEED_RATE_LIMITED" });
  while ("code" in answer && answer.code === "FEED_RATE_LIMITED") {
    await new Promise(setImmediate);
    answer = await read();
  }
  if (!("body" in answer)) throw answer;
  return answer;
}

describe("a company whose failure its reader was told", () => {
  it("is requested again at the next read", async () => {
    bench.setAnswer((seen) => (seen.body === "" ? answerFinancials(seen) : { status: 500, body: "{}" }));
    const reads = bench.createInstance({});
    const pair = ids(2);
    expect((await readMany(reads, pair, ann)).status).toBe(500);
    bench.setAnswer((seen) => answerFinancials(seen));
    const before = bench.provider.seen.length;
    expect(listIds(await readMany(reads, pair, ann))).toEqual(pair);
    expect(bench.provider.seen).toHaveLength(before + 1);
  });
});

describe("companies that came while their reader was refused", () => {
  it("are answered from the cache where the provider has them", async () => {
    expect(listIds(await readTwice(GOOD))).toEqual(GOOD);
    expect(counted).toBe(GOOD.length);
  });

  it("are answered as absent where it has nothing, and do not hold back the others", async () => {
    const answer = await readTwice([...GOOD, ...ABSENT]);
    expect(listIds(answer)).toEqual(GOOD);
    const requested = bench.provider.seen.flatMap((seen) => readRequested(seen).companyIds);
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

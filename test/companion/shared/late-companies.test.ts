import { expect, it } from "@jest/globals";
import type { Batcher } from "../../../src/companion/reads/shared/batcher";
import { createChunks, createProbes } from "../../../src/companion/reads/shared/chunks";
import { NotYet } from "../../../src/companion/reads/shared/fair-queue";
import { readFinancials } from "../../../src/companion/reads/shared/financials";
import type { FinancialsOptions } from "../../../src/companion/reads/shared/financials/reading";
import { toFailed } from "../../../src/companion/reads/shared/result";
import { createSingleFlight } from "../../../src/companion/reads/shared/single-flight";
import { createReader, ids, MANY } from "./shared-reads-bench";

const COMPANY_IDS = ids(3);
const NO_LIMIT = { afterMs: 0, absentFromMs: 0, allowsStale: false };

it("companies of which one does not come in time are refused while the others are still under way", async () => {
  const requested: string[] = [];
  const batcher: Pick<Batcher, "request" | "foresee" | "isWaiting"> = {
    request(_year, companyId) {
      requested.push(companyId);
      const isLate = companyId === COMPANY_IDS[1];
      return isLate ? Promise.resolve(toFailed(new NotYet(42_000))) : new Promise(() => {});
    },
    foresee: () => undefined,
    isWaiting: () => false,
  };
  const cache = { read: async (keys: readonly string[]) => keys.map(() => undefined) };
  const nowMs = () => performance.now();
  const options = {
    ...{ batcher, cache, nowMs, singleFlight: createSingleFlight(undefined, nowMs) },
    ...{ chunks: createChunks({ store: async () => {}, nowMs }), probes: createProbes(nowMs) },
  } as unknown as FinancialsOptions;
  const query = { method: "POST" as const, path: MANY };
  const many = { year: "all", ids: COMPANY_IDS } as const;
  await expect(readFinancials(options, "scope", many, query, createReader("ann"), NO_LIMIT)).rejects.toMatchObject({
    statusCode: 429,
    retryAfterSeconds: 10,
  });
  expect(requested).toEqual(COMPANY_IDS);
});

import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Batcher } from "../../../src/companion/reads/shared/batcher";
import { createChunks, createProbes } from "../../../src/companion/reads/shared/chunks";
import { NotYet } from "../../../src/companion/reads/shared/fair-queue";
import { readFinancials } from "../../../src/companion/reads/shared/financials";
import type { FinancialsOptions } from "../../../src/companion/reads/shared/financials/reading";
import { type CompanyResult, type Failed, toFailed } from "../../../src/companion/reads/shared/result";
import type { SharedCache } from "../../../src/companion/reads/shared/shared-cache";
import { createSingleFlight } from "../../../src/companion/reads/shared/single-flight";
import { createReader, ids, MANY } from "./shared-reads-bench";

const COMPANY_IDS = ids(3);
const NO_LIMIT = { afterMs: 0, absentFromMs: 0, allowsStale: false };
const LATE = toFailed(new NotYet(42_000));

let requested: string[];
let queued: readonly string[];
let foreseen: Failed | undefined;
let request: (companyId: string) => Promise<CompanyResult>;

beforeEach(() => {
  requested = [];
  queued = [];
  foreseen = undefined;
});

/** Reads the companies by a batcher that answers as `request` says, with nothing cached. */
function read() {
  const batcher: Batcher = {
    request(_year, companyId) {
      requested.push(companyId);
      return request(companyId);
    },
    foresee: () => foreseen,
    queueUp(_year, companyIds) {
      queued = companyIds;
      return { fresh: companyIds, full: undefined };
    },
    withdraw: () => {},
    forget: () => {},
    isWaiting: () => false,
  };
  const cache: SharedCache = {
    read: async (keys) => keys.map(() => undefined),
    store: async () => {},
    storeAbsent: async () => {},
  };
  const nowMs = () => performance.now();
  const loadQueued = () => Promise.reject(new Error("Nothing is asked alone."));
  const options: FinancialsOptions = {
    ...{ batcher, cache, nowMs, loadQueued, singleFlight: createSingleFlight(undefined, nowMs) },
    ...{ chunks: createChunks({ store: async () => {}, nowMs }), probes: createProbes(nowMs) },
  };
  const query = { method: "POST" as const, path: MANY };
  return readFinancials(options, "scope", { year: "all", ids: COMPANY_IDS }, query, createReader("ann"), NO_LIMIT);
}

describe("companies of which one does not come in time", () => {
  it("are refused at once, while the others are still under way", async () => {
    request = (companyId) => (companyId === COMPANY_IDS[1] ? Promise.resolve(LATE) : new Promise(() => {}));
    await expect(read()).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 10 });
    expect(requested).toEqual(COMPANY_IDS);
  });

  it("only take their places where they are foreseen to take longer", async () => {
    foreseen = LATE;
    await expect(read()).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 10 });
    expect(requested).toEqual([]);
    expect(queued).toEqual(COMPANY_IDS);
  });
});

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { MOST_AT_ONCE } from "../../../src/companion/reads/shared/fair-queue";
import type { SharedReads } from "../../../src/companion/reads/shared-reads";
import { until } from "../../support/until";
import {
  answerFinancials,
  COMPANIES,
  createReader,
  createSharedReadsBench,
  id,
  ids,
  readMany,
  type SharedReadsBench,
} from "./shared-reads-bench";

const CLASSIFICATIONS = "/asia/industry-taxonomies/v1/companies";

let bench: SharedReadsBench;
let reads: SharedReads;
let open: () => void;

/** Makes the provider delay some answers until it is released. */
function holdBack(isHeld: (url: string) => boolean): void {
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  bench.setAnswer(async (seen) => {
    if (isHeld(seen.url)) await opened;
    return seen.method === "GET"
      ? { body: JSON.stringify({ id: seen.url.split("/").at(-1) }) }
      : answerFinancials(seen);
  });
}

const readCompany = (nth: number, who: string) =>
  reads.read("getCompany", { method: "GET", path: `${COMPANIES}/${id(nth)}` }, createReader(who));
const readClassification = (nth: number, who: string) =>
  reads.read("getTaxonomyCompany", { method: "GET", path: `${CLASSIFICATIONS}/${id(nth)}` }, createReader(who));
const countRequests = () => bench.provider.seen.length;

beforeEach(async () => {
  bench = await createSharedReadsBench();
  reads = bench.createInstance({});
});
afterEach(() => bench.provider.close());

describe("fair scheduling", () => {
  it("serves one data family while another does not answer", async () => {
    holdBack((url) => url.startsWith(CLASSIFICATIONS));
    const slow = Array.from({ length: 4 * MOST_AT_ONCE }, (_, nth) => readClassification(nth, `person ${nth}`));
    await until(() => countRequests() === MOST_AT_ONCE);
    expect((await readCompany(1, "ann")).status).toBe(200);
    open();
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
  });

  it("prefers a query that a second reader joins over another's flood", async () => {
    holdBack(() => true);
    const flood = Array.from({ length: 60 }, (_, nth) => readCompany(nth, "flooder"));
    await until(() => countRequests() === MOST_AT_ONCE);
    const second = readCompany(59, "ann");
    open();
    await second;
    expect(countRequests()).toBeLessThan(3 * MOST_AT_ONCE);
    await Promise.all(flood);
    expect(countRequests()).toBe(60);
  });

  it("prefers a company that a second reader joins over the thousands of another's flood", async () => {
    holdBack(() => true);
    const flood = Array.from({ length: 80 }, (_, nth) => readMany(reads, ids(25, 25 * nth), createReader("flooder")));
    await until(() => countRequests() === MOST_AT_ONCE);
    const second = readMany(reads, [id(1999)]);
    open();
    await second;
    expect(countRequests()).toBeLessThan(3 * MOST_AT_ONCE);
    await Promise.all(flood);
    expect(countRequests()).toBe(80);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/feed/ports";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  companion = await startCompanion({ companies: 50 });
});
beforeEach(async () => {
  companion.controls.reset();
  session = createSession({ ports: createPorts(), companionUrl: companion.origin });
  await session.connect();
});
afterEach(() => session.feed.watch.close());
afterAll(() => companion.close());

const statuses = () =>
  Object.fromEntries(Object.entries(session.access.state()).map(([family, { status }]) => [family, status]));
const ALLOWED = {
  companies: "allowed",
  financials: "allowed",
  taxonomies: "allowed",
  rankings: "allowed",
  rankingPages: "allowed",
  rankingIndustries: "allowed",
};

describe("what a client may read", () => {
  it("is found by one small read for each family, and by the walk-through only when that is asked", async () => {
    expect(statuses().companies).toBe("unknown");
    await session.access.probe();
    expect(statuses()).toEqual({ ...ALLOWED, walkThrough: "unknown" });
    expect(session.access.state().companies.tookMs).toBeGreaterThan(0);
    const reads = companion.controls.requests.filter(({ operationId }) => operationId !== "createToken");
    expect(reads).toHaveLength(6);
    expect(reads.filter(({ url }) => url.includes("page_size=1"))).toHaveLength(5);
    await session.access.probeWalkThrough();
    expect(statuses().walkThrough).toBe("allowed");
  });

  it("tells a family that is refused from one that fails, and goes on with the others", async () => {
    companion.controls.answers.searchCompanies = { status: 403, times: 9 };
    companion.controls.answers.listTaxonomyCompanies = { status: 400, times: 9 };
    await session.access.probe();
    expect(statuses()).toMatchObject({ ...ALLOWED, companies: "refused", taxonomies: "failed" });
    expect(session.access.state().companies.error).toMatchObject({ code: "FEED_SCOPE_MISSING" });
  });

  it("is told for each ranking, since each has a scope of its own", async () => {
    companion.controls.answers.rankIndustries = { status: 403, times: 9 };
    await session.access.probe();
    expect(statuses()).toMatchObject({ ...ALLOWED, rankingIndustries: "refused" });
    companion.controls.reset();
    companion.controls.answers.rankCompanies = { status: 403, times: 9 };
    companion.controls.answers.rankCompanyPages = { status: 403, times: 9 };
    await session.access.probe();
    expect(statuses()).toMatchObject({ ...ALLOWED, rankings: "refused", rankingPages: "refused" });
  });

  it("is allowed where the provider knows no such company", async () => {
    companion.controls.answers.getFinancialsOfMany = { status: 404, times: 9 };
    await session.access.probe();
    expect(statuses().financials).toBe("allowed");
  });

  it("is forgotten at the next connection, since the provider may allow other data by then", async () => {
    await session.access.probe();
    session.disconnect();
    await session.connect();
    expect(statuses().companies).toBe("unknown");
  });

  it("asks for the country that the workbook means", async () => {
    session.change({ country: "KOR" });
    await session.access.probe();
    expect(companion.controls.requests.filter(({ url }) => url.includes("country=KOR"))).toHaveLength(2);
  });
});

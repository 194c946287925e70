import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createPorts, type Ports } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createStorage } from "../support/storage";

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
afterEach(() => session.feed.queryCache.close());
afterAll(() => companion.close());

const statuses = () =>
  Object.fromEntries(Object.entries(session.access.state()).map(([family, { status }]) => [family, status]));
const ACCESS_KEY = "feed.access";
const ALLOWED = {
  companies: "allowed",
  financials: "allowed",
  taxonomies: "allowed",
  rankings: "allowed",
  rankingPages: "allowed",
  rankingIndustries: "allowed",
};

describe("the access probe", () => {
  it("sends one small read for each data family, and none for the walk-through", async () => {
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

  it("reports a refused family apart from a failing one, and checks the others", async () => {
    companion.controls.answers.searchCompanies = { status: 403, times: 9 };
    companion.controls.answers.listTaxonomyCompanies = { status: 400, times: 9 };
    await session.access.probe();
    expect(statuses()).toMatchObject({ ...ALLOWED, companies: "refused", taxonomies: "failed" });
    expect(session.access.state().companies.error).toMatchObject({ code: "FEED_SCOPE_MISSING" });
  });

  it("reports each ranking separately, since each has its own scope", async () => {
    companion.controls.answers.rankIndustries = { status: 403, times: 9 };
    await session.access.probe();
    expect(statuses()).toMatchObject({ ...ALLOWED, rankingIndustries: "refused" });
    companion.controls.reset();
    companion.controls.answers.rankCompanies = { status: 403, times: 9 };
    companion.controls.answers.rankCompanyPages = { status: 403, times: 9 };
    await session.access.probe();
    expect(statuses()).toMatchObject({ ...ALLOWED, rankings: "refused", rankingPages: "refused" });
  });

  it("reports access when the provider answers 404 for the company", async () => {
    companion.controls.answers.getFinancialsOfMany = { status: 404, times: 9 };
    await session.access.probe();
    expect(statuses().financials).toBe("allowed");
  });

  it("reads the country of the workbook's settings", async () => {
    session.change({ country: "KOR" });
    await session.access.probe();
    expect(companion.controls.requests.filter(({ url }) => url.includes("country=KOR"))).toHaveLength(2);
  });
});

describe("a stored access result", () => {
  const DAY_MS = 24 * 60 * 60_000;
  let storage: Ports["storage"];
  let aheadMs: number;

  beforeEach(() => {
    storage = createStorage();
    aheadMs = 0;
  });

  /** Opens another page of the same origin. */
  async function open({ country = "JPN" } = {}): Promise<void> {
    session.feed.queryCache.close();
    const ports = { ...createPorts(), storage, nowMs: () => Date.now() + aheadMs };
    session = createSession({ ports, companionUrl: companion.origin });
    session.change({ country });
    await session.connect();
  }

  it("is reused with its time on the next page, without a request", async () => {
    await open();
    companion.controls.answers.rankIndustries = { status: 403, times: 9 };
    await session.access.probe();
    const checkedAtMs = session.access.checkedAtMs();
    companion.controls.reset();
    aheadMs = DAY_MS - 10_000;
    await open();
    expect(statuses()).toEqual({ ...ALLOWED, rankingIndustries: "refused", walkThrough: "unknown" });
    expect([session.access.checkedAtMs(), checkedAtMs]).toEqual([checkedAtMs, expect.any(Number)]);
    expect(companion.controls.requests.filter(({ operationId }) => operationId !== "createToken")).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["is a day old", () => (aheadMs = DAY_MS + 10_000)],
    ["has a time in the future", () => (aheadMs = -DAY_MS)],
    [
      "is of another client",
      () => storage().setItem(ACCESS_KEY, (storage().getItem(ACCESS_KEY) ?? "").replace("sample-client", "x")),
    ],
    ["is damaged", () => storage().setItem(ACCESS_KEY, "{")],
    ["is something else", () => storage().setItem(ACCESS_KEY, '{"whose":1,"atMs":"now"}')],
    ["cannot be read", () => (storage = createPorts().storage)],
  ])("is discarded when it %s", async (_, change) => {
    await open();
    await session.access.probe();
    expect(storage().getItem(ACCESS_KEY)).toContain("sample-client");
    change();
    await open();
    expect([statuses().companies, session.access.checkedAtMs()]).toEqual(["unknown", null]);
  });

  it("is not reused for another country", async () => {
    await open();
    await session.access.probe();
    await open({ country: "SGP" });
    expect(statuses().companies).toBe("unknown");
  });

  it("is not stored when a read failed", async () => {
    await open();
    companion.controls.answers.listTaxonomyCompanies = { status: 400, times: 9 };
    await session.access.probe();
    expect(session.access.checkedAtMs()).not.toBeNull();
    await open();
    expect(statuses().companies).toBe("unknown");
  });

  it("is replaced by a later probe", async () => {
    await open();
    await session.access.probe();
    companion.controls.answers.searchCompanies = { status: 403, times: 9 };
    await session.access.probe();
    await open();
    expect(statuses().companies).toBe("refused");
  });
});

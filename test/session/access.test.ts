import { beforeEach, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import { openAccess } from "../../src/session/access";
import { startCompanion } from "../support/companion";
import rows from "./access.json";
import { HOUR_MS, keepPage } from "./scripted-session";

const page = keepPage(() => startCompanion({ companies: 50 }));

/** Opens a page of the same origin, after a time. */
async function open(country = "JPN", laterMs = 0): Promise<void> {
  page.open({
    startMs: Date.now() + laterMs,
    fetch(...parameters) {
      page.backMs -= 1; // each request takes a millisecond
      return fetch(...parameters);
    },
  });
  page.session.change({ country });
  await page.session.connect();
}
beforeEach(() => {
  page.server.controls.reset();
  return open();
});

const access = () => openAccess(page.session);
const listReads = () => page.server.controls.requests.filter(({ operationId }) => operationId !== "createToken");
const statuses = () =>
  Object.fromEntries(Object.entries(access().state()).map(([family, { status }]) => [family, status]));
const ACCESS_KEY = "feed.access";
const PROBED = ["companies", "financials", "taxonomies", "rankings", "rankingPages", "rankingIndustries"];
const ALLOWED = Object.fromEntries(PROBED.map((family) => [family, "allowed"]));

describe("the access probe", () => {
  it("sends one small read for each data family, and none for the walk-through", async () => {
    expect(statuses().companies).toBe("unknown");
    await access().probe();
    expect(statuses()).toEqual({ ...ALLOWED, walkThrough: "unknown" });
    expect(access().state().companies.tookMs).toBeGreaterThan(0);
    const reads = listReads();
    expect(reads).toHaveLength(6);
    expect(reads.filter(({ url }) => url.includes("page_size=1"))).toHaveLength(5);
    await access().probeWalkThrough();
    expect(statuses().walkThrough).toBe("allowed");
  });

  it.each<[string, object, object]>(rows as never)("reports %s", async (_, answers, expected) => {
    Object.assign(page.server.controls.answers, answers);
    await access().probe();
    expect(statuses()).toEqual({ ...ALLOWED, walkThrough: "unknown", ...expected });
    const code = "searchCompanies" in answers ? "FEED_SCOPE_MISSING" : undefined;
    expect((access().state().companies.error as { code: string } | null)?.code).toBe(code);
  });

  it("reads the country of the workbook's settings", async () => {
    page.session.change({ country: "KOR" });
    await access().probe();
    expect(page.server.controls.requests.filter(({ url }) => url.includes("country=KOR"))).toHaveLength(2);
  });
});

describe("a stored access result", () => {
  const DAY_MS = 24 * HOUR_MS;
  const read = () => page.storage().getItem(ACCESS_KEY) ?? "";
  const write = (text: string) => page.storage().setItem(ACCESS_KEY, text);

  it("is reused with its time on the next page, without a request", async () => {
    page.server.controls.answers.rankIndustries = { status: 403, times: 9 };
    await access().probe();
    const checkedAtMs = access().checkedAtMs();
    page.server.controls.reset();
    await open("JPN", DAY_MS - 10_000);
    expect(statuses()).toEqual({ ...ALLOWED, rankingIndustries: "refused", walkThrough: "unknown" });
    expect([access().checkedAtMs(), checkedAtMs]).toEqual([checkedAtMs, expect.any(Number)]);
    expect(listReads()).toEqual([]);
  });

  it.each<[string, () => unknown, country?: string, laterMs?: number]>([
    ["is of another country", () => {}, "SGP"],
    ["is a day old", () => {}, "JPN", DAY_MS + 10_000],
    ["has a time in the future", () => {}, "JPN", -DAY_MS],
    ["is of another client", () => write(read().replace("sample-client", "x"))],
    ["is damaged", () => write("{")],
    ["is something else", () => write('{"whose":1,"atMs":"now"}')],
    ["cannot be read", () => (page.storage = createPorts().storage)],
  ])("is discarded when it %s", async (_, change, country = "JPN", laterMs = 0) => {
    await access().probe();
    expect(read()).toContain("sample-client");
    change();
    await open(country, laterMs);
    expect([statuses().companies, access().checkedAtMs()]).toEqual(["unknown", null]);
  });

  it("is not stored when a read failed", async () => {
    page.server.controls.answers.listTaxonomyCompanies = { status: 400, times: 9 };
    await access().probe();
    expect(access().checkedAtMs()).not.toBeNull();
    await open();
    expect(statuses().companies).toBe("unknown");
  });

  it("is replaced by a later probe", async () => {
    await access().probe();
    page.server.controls.answers.searchCompanies = { status: 403, times: 9 };
    await access().probe();
    await open();
    expect(statuses().companies).toBe("refused");
  });
});

import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { loadAssertion } from "../../../src/client/auth/assertion";
import { createToken } from "../../../src/client/auth/token";
import { NO_LESSONS } from "../../../src/client/batch/planner";
import { FeedError } from "../../../src/client/errors";
import { createHttp } from "../../../src/client/http";
import { createProvider, type Provider } from "../../../src/client/provider";
import type { Roles } from "../../../src/companion/reads/entitlements";
import { FAMILIES } from "../../../src/contract/constants";
import { loadChunk } from "../../../src/feed/financials/batch";
import { createClock } from "../../support/clock";
import { type Analyst, openFirm, type TestFirm } from "./firm";

const ROLES: Roles = { japan: { families: FAMILIES, countries: ["JPN"] } };
const SENTENCE = "the companion answered: Your role reads financials of JPN only: ask your administrator for more";

/** The companies of a batch; the tenth is in another country. */
const IDS = Array.from({ length: 25 }, (_each, index) => `10000000-0000-4000-8000-${String(index).padStart(12, "0")}`);
const ELSEWHERE = IDS[9]!;

let firm: TestFirm;

const toElement = (companyId: string) => ({ companyId, years: [] });

const answer: RequestListener = ({ url = "", method }, response) => {
  const id = url.split("/").at(-1) ?? "";
  const { companyIds = [] } = JSON.parse(firm.provider.seen.at(-1)?.body || "{}") as { companyIds?: string[] };
  const page = { data: companyIds.map(toElement), page: 1, pageSize: 25, total: companyIds.length };
  const company = { id, registeredAddress: { country: id === ELSEWHERE ? "KOR" : "JPN" } };
  const one = url.includes("/financials/") ? toElement(id) : company;
  response.end(JSON.stringify(method === "POST" ? page : one));
};

/** The client of a person's pane. */
function createPane({ headers }: Analyst): Provider {
  const relay = `${firm.origin}/companion/relay`;
  const send: typeof fetch = (url, init) => fetch(url, { ...init, headers: { ...Object(init?.headers), ...headers } });
  const { ports } = createClock({ startMs: Date.now(), hurryMs: 1000, fetch: send });
  const http = createHttp(ports, 6);
  const connection = async () => ({ baseUrl: relay, tokenUrl: `${relay}/token`, isRelayed: true });
  const token = createToken({ ports, http, connection, sign: (refused) => loadAssertion(http, firm.origin, refused) });
  return createProvider({ ports, http, token, connection });
}

beforeEach(async () => {
  firm = await openFirm({ roles: ROLES }, answer);
});
afterEach(() => firm.close());

describe("the cells of a person entitled to one country", () => {
  it("show #N/A with a remedy for a company elsewhere", async () => {
    const pane = createPane(await firm.signIn("he", ["japan"]));
    const error = await pane
      .load({ operation: "getCompanyFinancials", path: { companyId: ELSEWHERE } })
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(FeedError);
    expect([error.code, error.cell, error.message]).toEqual(["FEED_SCOPE_MISSING", "#N/A", SENTENCE]);
  });

  it("show all other companies of a batch with a company elsewhere", async () => {
    const provider = createPane(await firm.signIn("he", ["japan"]));
    const outcomes = await loadChunk({ provider, memory: { lessons: NO_LESSONS }, year: null, options: {} }, IDS);
    expect(outcomes.size).toBe(IDS.length);
    for (const [id, outcome] of outcomes) {
      if (id === ELSEWHERE) expect(outcome).toMatchObject({ code: "FEED_SCOPE_MISSING", message: SENTENCE });
      else expect(outcome).toMatchObject({ companyId: id });
    }
  });
});

import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { NO_LESSONS } from "../../../src/client/batch/planner";
import { FeedError } from "../../../src/client/errors";
import type { Roles } from "../../../src/companion/reads/entitlements";
import { FAMILIES } from "../../../src/contract/constants";
import { loadChunk } from "../../../src/feed/financials/batch";
import { openFirm, type TestFirm } from "./firm";
import { createPane } from "./pane";

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

/** The client of the pane of a person entitled to Japan. */
const openPane = async () => createPane(firm.origin, (await firm.signIn("he", ["japan"])).headers);

beforeEach(async () => {
  firm = await openFirm({ roles: ROLES }, answer);
});
afterEach(() => firm.close());

describe("the cells of a person entitled to one country", () => {
  it("show #N/A with a remedy for a company elsewhere", async () => {
    const pane = await openPane();
    const error = await pane
      .load({ operation: "getCompanyFinancials", path: { companyId: ELSEWHERE } })
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(FeedError);
    expect([error.code, error.cell, error.message]).toEqual(["FEED_SCOPE_MISSING", "#N/A", SENTENCE]);
  });

  it("show all other companies of a batch with a company elsewhere", async () => {
    const provider = await openPane();
    const outcomes = await loadChunk({ provider, memory: { lessons: NO_LESSONS }, year: null, options: {} }, IDS);
    expect(outcomes.size).toBe(IDS.length);
    for (const [id, outcome] of outcomes) {
      if (id === ELSEWHERE) expect(outcome).toMatchObject({ code: "FEED_SCOPE_MISSING", message: SENTENCE });
      else expect(outcome).toMatchObject({ companyId: id });
    }
  });
});

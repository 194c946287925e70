import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { NO_LESSONS } from "../../../src/client/batch/planner";
import { FeedError } from "../../../src/client/errors";
import type { Provider } from "../../../src/client/provider";
import { FAMILIES } from "../../../src/contract/constants";
import { loadChunk } from "../../../src/feed/financials/batch";
import type { Roles } from "../../../src/firm/reads/entitlements";
import type { RawAnswer } from "../../companion/raw-request";
import { type Analyst, openFirm, type TestFirm } from "./firm";
import { createPane } from "./pane";

/** The companies of a batch: those of Japan, but for the tenth. */
const BATCH = Array.from(
  { length: 25 },
  (_each, at) => `${at === 9 ? 2 : 1}0000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
);
const TOYO = BATCH[1]!;
const HANA = BATCH[9]!;
const NO_SUBSCRIBERS = "30000000-0000-4000-8000-000000000003";
const COUNTRIES = Object.fromEntries(BATCH.map((id) => [id, id === HANA ? "KOR" : "JPN"]));
const SECRET = "what only some may read";

const ROLES: Roles = {
  everything: { families: FAMILIES, countries: "ALL" },
  japan: { families: FAMILIES, countries: ["JPN"] },
  companies: { families: ["companies"], countries: "ALL" },
};

const PRIVATE = "/asia/private-markets/v1";
const TAXONOMIES = "/asia/industry-taxonomies/v1";
const RANKINGS = "/japan/ranking/v1";

let firm: TestFirm;

const toElement = (companyId: string) => ({ companyId, years: [{ year: 2024, currency: SECRET }, { year: 2023 }] });

const toCompany = (id: string) => ({ id, companyName: SECRET, registeredAddress: { country: COUNTRIES[id] } });

/** Answers each operation as documented, with the secret in every answer. */
const answerWell: RequestListener = ({ url = "", method }, response) => {
  const path = url.split("?")[0] ?? "";
  const id = path.split("/").at(-1) ?? "";
  const end = (body: unknown) => response.end(JSON.stringify(body));
  const endPage = (data: readonly unknown[]) => end({ data, page: 1, pageSize: 25, total: data.length });
  if (method === "POST") {
    const { companyIds } = JSON.parse(firm.provider.seen.at(-1)?.body ?? "{}") as { companyIds: string[] };
    return endPage(companyIds.filter((each) => each in COUNTRIES).map(toElement));
  }
  if (!path.includes("/companies/")) return path.endsWith("/tree") ? end([SECRET]) : endPage([toCompany(TOYO)]);
  if (!(id in COUNTRIES)) return response.writeHead(404).end("{}");
  if (path.startsWith(TAXONOMIES)) return end({ companyId: id, countryCode: COUNTRIES[id], companyFormalName: SECRET });
  if (path.includes("/financials/")) return end(toElement(id));
  return end(toCompany(id));
};

beforeEach(async () => {
  firm = await openFirm({ roles: ROLES }, answerWell);
});
afterEach(() => firm.close());

type Read = (analyst: Analyst) => Promise<RawAnswer>;
const toSentence = ({ body }: RawAnswer) => JSON.parse(body).error.message;

/** Answers allowed with all rights and forbidden with fewer. */
const FORBIDDEN: readonly [what: string, role: string, said: string, read: Read][] = [
  ["a company", "japan", "companies of JPN only", ({ get }) => get(`${PRIVATE}/companies/${HANA}`)],
  ["its statements", "japan", "financials of JPN only", ({ get }) => get(`${PRIVATE}/financials/companies/${HANA}`)],
  ["statements of several", "japan", "financials of JPN only", ({ post }) => post([TOYO, HANA])],
  ["a list of all countries", "japan", "companies of JPN only", ({ get }) => get(`${PRIVATE}/companies?country=ALL`)],
  ["the tree without that family", "companies", "no taxonomies", ({ get }) => get(`${TAXONOMIES}/tree`)],
  ["a ranking without that family", "companies", "no rankings", ({ get }) => get(`${RANKINGS}/companies?page=1`)],
];

describe.each(FORBIDDEN)("when an entitled and an unentitled person request %s at once", (_what, role, said, read) => {
  it.each([
    ["she first", true],
    ["he first", false],
  ])("only the entitled one gets an answer: %s", async (_order, isSheFirst) => {
    const she = await firm.signIn("she", ["everything"]);
    const he = await firm.signIn("he", [role]);
    for (const _time of ["nobody has asked before", "it has been answered before"]) {
      const answers = await Promise.all(isSheFirst ? [read(she), read(he)] : [read(he), read(she)]);
      const [hers, his] = isSheFirst ? answers : answers.reverse();
      expect(hers).toMatchObject({ status: 200, body: expect.stringContaining(SECRET) });
      expect(his).toMatchObject({ status: 403, headers: { "feed-refusal": "FEED_SCOPE_MISSING" } });
      expect(toSentence(his!)).toBe(`Your role reads ${said}: ask your administrator for more.`);
      expect(JSON.stringify(his)).not.toContain(SECRET);
    }
    expect((await read(he)).status).toBe(403);
  });
});

describe("a person not entitled to a company", () => {
  let she: Analyst;
  let he: Analyst;
  beforeEach(async () => {
    she = await firm.signIn("she", ["everything"]);
    he = await firm.signIn("he", ["japan"]);
  });

  it("gets the same answer as for a missing one, cached or not", async () => {
    for (const path of [`${PRIVATE}/companies`, `${PRIVATE}/financials/companies`, `${TAXONOMIES}/companies`]) {
      expect((await she.get(`${path}/${NO_SUBSCRIBERS}`)).status).toBe(404);
      const [forbidden, unknown, neverRequested] = [
        `${path}/${HANA}`,
        `${path}/${NO_SUBSCRIBERS}`,
        `${path}/40000000-0000-4000-8000-000000000004`,
      ].map(he.get);
      expect((await forbidden!).body).toBe((await unknown!).body);
      expect((await forbidden!).body).toBe((await neverRequested!).body);
      expect((await forbidden!).status).toBe(403);
    }
  });

  it("causes as many provider requests as a missing one, shared by all who request it", async () => {
    const people = await Promise.all(["a", "b", "c"].map((name) => firm.signIn(name, ["japan"])));
    for (const { post } of [...people, ...people]) expect((await post([HANA])).status).toBe(403);
    const paths = [`${PRIVATE}/companies/${HANA}`, `${TAXONOMIES}/companies/${HANA}`];
    expect(firm.listReads().map(({ url }) => url)).toEqual(paths);
  });

  it("causes no provider request for a company whose country a list has shown", async () => {
    expect((await she.get(`${PRIVATE}/companies?country=ALL`)).status).toBe(200);
    expect((await he.post([TOYO])).status).toBe(200);
    expect(firm.listReads().map(({ url }) => url)).toEqual([
      `${PRIVATE}/companies?country=ALL`,
      `${PRIVATE}/financials`,
    ]);
  });

  it("gets the permitted part of the same answers", async () => {
    expect((await she.post([TOYO, HANA])).status).toBe(200);
    const { status, body } = await he.post([TOYO]);
    expect([status, JSON.parse(body).data]).toEqual([200, [toElement(TOYO)]]);
    expect(firm.listReads().filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("the cells of a person entitled to one country", () => {
  const SENTENCE = "the companion answered: Your role reads financials of JPN only: ask your administrator for more";
  let pane: Provider;
  beforeEach(async () => {
    pane = createPane(firm.origin, (await firm.signIn("he", ["japan"])).headers);
  });

  it("show #N/A with a remedy for a company elsewhere", async () => {
    const error = await pane
      .load({ operation: "getCompanyFinancials", path: { companyId: HANA } })
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(FeedError);
    expect([error.code, error.cell, error.message]).toEqual(["FEED_SCOPE_MISSING", "#N/A", SENTENCE]);
  });

  it("show all other companies of a batch with a company elsewhere", async () => {
    const outcomes = await loadChunk(
      { provider: pane, memory: { lessons: NO_LESSONS }, year: null, options: {} },
      BATCH,
    );
    expect(outcomes.size).toBe(BATCH.length);
    for (const [id, outcome] of outcomes) {
      if (id === HANA) expect(outcome).toMatchObject({ code: "FEED_SCOPE_MISSING", message: SENTENCE });
      else expect(outcome).toMatchObject({ companyId: id });
    }
  });
});

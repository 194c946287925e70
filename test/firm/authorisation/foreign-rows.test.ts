import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { ReadRequest } from "../../../src/companion/feature";
import type { Refusal } from "../../../src/companion/refusal";
import { FAMILIES, OPERATIONS } from "../../../src/contract/constants";
import { checkAnswer } from "../../../src/firm/reads/answer-check";
import { type Roles, toEntitlements } from "../../../src/firm/reads/entitlements";
import type { RawAnswer } from "../../companion/raw-request";
import { type Analyst, openFirm, type TestFirm } from "./firm";
import ROWS from "./foreign-rows.json";

const TOYO = "10000000-0000-4000-8000-000000000001";
const ANZU = "10000000-0000-4000-8000-000000000003";
const HANA = "20000000-0000-4000-8000-000000000002";
const SECRET = "Hana Foods";

const ROLES: Roles = {
  everything: { families: FAMILIES, countries: "ALL" },
  japan: { families: FAMILIES, countries: ["JPN"] },
};

const PRIVATE = "/asia/private-markets/v1";

/** Builds a request as the relay has it after validation. */
function toRequest(operation: ReadRequest["operation"], companyIds?: readonly string[]): ReadRequest {
  const { method, path } = OPERATIONS[operation];
  const body = companyIds && Buffer.from(JSON.stringify({ companyIds }));
  return { operation, ids: path.includes("{companyId}") ? { companyId: TOYO } : {}, query: { method, path, body } };
}

const LIST = toRequest("searchCompanies");
const SEVERAL = toRequest("getFinancialsOfMany", [TOYO, ANZU]);

const toRow = (id: string, country: string, companyName = "Toyo") => ({
  id,
  companyName,
  registeredAddress: { country },
});
const TOYO_ROW = toRow(TOYO, "JPN");
const HANA_ROW = toRow(HANA, "KOR", SECRET);
const toPage = (...data: unknown[]) => ({ data, page: 1, pageSize: 25, total: data.length });

/** What an answer is, the operation, and the answer: JSON, or a text that is none. */
type Row = [string, ReadRequest["operation"], unknown];

const toEntitled = (role: string) => toEntitlements({ id: role, roles: [role] }, ROLES);

/** Gives what a person with this role gets of an answer, or the refusal. */
function receive(role: "everything" | "japan", request: ReadRequest, answered: unknown, status = 200) {
  const body = Buffer.from(typeof answered === "string" ? answered : JSON.stringify(answered));
  try {
    const received = checkAnswer(toEntitled(role), request, { status, headers: {}, body });
    return { status: received.status, body: received.body.toString() };
  } catch (refusal) {
    const { statusCode, code, message } = refusal as Refusal;
    return { status: statusCode, code, body: message };
  }
}

const REFUSED = { status: 403, code: "FEED_SCOPE_MISSING" };

describe("a person entitled to one country gets nothing of an answer with rows of another:", () => {
  it.each(ROWS.foreign as unknown as Row[])("%s", (_what, operation, answered) => {
    const request = toRequest(operation);
    expect(receive("everything", request, answered).status).toBe(200);
    const his = receive("japan", request, answered);
    expect(his).toMatchObject(REFUSED);
    expect(his.body).not.toMatch(new RegExp(`${SECRET}|${HANA}`));
  });

  it.each([201, 202, 203, 206, 226])("a page with status %i", (status) => {
    const page = toPage(TOYO_ROW, HANA_ROW);
    expect(receive("everything", LIST, page, status).status).toBe(status);
    expect(receive("japan", LIST, page, status)).toMatchObject(REFUSED);
  });

  const statements = ROWS.foreignStatements as unknown as [string, unknown][];
  it.each(statements)("statements of several companies with %s", (_what, answered) => {
    expect(receive("everything", SEVERAL, answered).status).toBe(200);
    const his = receive("japan", SEVERAL, answered);
    expect(his).toMatchObject(REFUSED);
    expect(his.body).not.toContain(SECRET);
  });

  it.each([400, 404, 422, 500])("an error %i that contains them", (status) => {
    const told = { code: "wrong", message: "Wrong country.", traceId: "t-1" };
    const answered = { error: { ...told, details: [{ field: "country", row: HANA_ROW }] }, ...toPage(HANA_ROW) };
    expect(receive("everything", LIST, answered, status)).toEqual({ status, body: JSON.stringify(answered) });
    const his = receive("japan", LIST, answered, status);
    expect([his.status, JSON.parse(his.body)]).toEqual([
      ...[status, { error: { ...told, details: [{ field: "country" }] } }],
    ]);
  });
});

describe("a person entitled to one country", () => {
  it("gets rows of that country byte for byte", () => {
    const text = `\uFEFF{ "total": 2e0, "data": [ ${JSON.stringify(TOYO_ROW)} ], "page":1 }`;
    expect(receive("japan", LIST, text)).toEqual({ status: 200, body: text });
  });

  it.each(ROWS.own as unknown as Row[])("may read %s", (_what, operation, answered) => {
    expect(receive("japan", toRequest(operation), answered).status).toBe(200);
  });

  it.each([
    ["a page in HTML", "<html>"],
    ["a page that was cut off", '{"data":['],
    ["nothing", ""],
  ])("gets a time to retry after %s", (_what, text) => {
    expect(receive("japan", LIST, text)).toMatchObject({ status: 502, code: "FEED_SERVER_FAILED" });
  });
});

describe("a companion", () => {
  const LISTED = `${PRIVATE}/companies?country=JPN`;
  let firm: TestFirm;
  let status: number;
  let said: string;
  /** Gives the tested operation the test's answer, and the companies' countries elsewhere. */
  const answer: RequestListener = ({ url = "", method }, response) => {
    if (url === LISTED || method === "POST") response.writeHead(status).end(said);
    else response.end(JSON.stringify(toPage(TOYO_ROW, toRow(ANZU, "JPN"))));
  };
  beforeEach(async () => {
    firm = await openFirm({ roles: ROLES }, answer);
  });
  afterEach(() => firm.close());

  it.each<[string, number, unknown, object, (analyst: Analyst) => Promise<RawAnswer>]>([
    ["a list", 200, toPage(HANA_ROW), { status: 403 }, ({ get }) => get(LISTED)],
    [
      "statements",
      200,
      toPage({ companyId: HANA, years: [{ year: 2024, currency: SECRET }] }),
      { status: 403 },
      ({ post }) => post([TOYO, ANZU]),
    ],
    ["an error", 422, { error: { message: "no", row: HANA_ROW } }, { status: 422 }, ({ get }) => get(LISTED)],
  ])("withholds rows of another country in %s, whether it is known or not", async (_, code, answered, his, read) => {
    [status, said] = [code, JSON.stringify(answered)];
    const [she, he] = [await firm.signIn("she", ["everything"]), await firm.signIn("he", ["japan"])];
    await she.get(`${PRIVATE}/companies?country=ALL`); // so that the companies' countries are known
    const answers = [await read(he), await read(she), await read(he)];
    for (const each of [answers[0]!, answers[2]!]) {
      expect(each).toMatchObject(his);
      expect(each.body).not.toContain(SECRET);
    }
    expect(answers[1]).toMatchObject({ status: code, body: expect.stringContaining(SECRET) });
  });
});

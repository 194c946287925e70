import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { checkAnswer } from "../../../src/companion/reads/answer-check";
import type { ReadRequest } from "../../../src/companion/reads/authorisation";
import { type Roles, toEntitlements } from "../../../src/companion/reads/entitlements";
import type { Refusal } from "../../../src/companion/refusal";
import { FAMILIES, OPERATIONS } from "../../../src/contract/constants";
import type { RawAnswer } from "../raw-request";
import { type Analyst, openFirm, type TestFirm } from "./firm";

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
const ONE = toRequest("getCompany");
const STATEMENTS = toRequest("getCompanyFinancials");
const CLASSIFIED = toRequest("listTaxonomyCompanies");
const RANKING = toRequest("rankCompanies");
const TREE = toRequest("getTaxonomyTree");
const SEVERAL = toRequest("getFinancialsOfMany", [TOYO, ANZU]);

const toRow = (id: string, country: unknown, companyName = "Toyo") => ({
  id,
  companyName,
  registeredAddress: { country },
});
const TOYO_ROW = toRow(TOYO, "JPN");
const HANA_ROW = toRow(HANA, "KOR", SECRET);
const toPage = (...data: unknown[]) => ({ data, page: 1, pageSize: 25, total: data.length });
const toClassified = (countryCode: unknown, more = {}) => ({ companyId: HANA, countryCode, ...more });
const NAMELESS = { id: HANA, companyName: SECRET };
const OWN = { companyId: TOYO, countryCode: "JPN" };
const toElement = (companyId: string, currency = "JPY") => ({ companyId, years: [{ year: 2024, currency }] });

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
  it.each<[string, ReadRequest, unknown]>([
    ["a list without its envelope", LIST, [TOYO_ROW, HANA_ROW]],
    ["a list under another name", LIST, { items: [HANA_ROW], page: 1, total: 1 }],
    ["a second list beside the first", LIST, { ...toPage(TOYO_ROW), included: [HANA_ROW] }],
    ["a list within the list's name", LIST, { data: { data: [HANA_ROW] } }],
    ["a list within a row", LIST, toPage([HANA_ROW])],
    ["a company within a row", LIST, toPage({ ...TOYO_ROW, parent: HANA_ROW })],
    ["a company within a row that names its id alone", LIST, toPage({ ...TOYO_ROW, parent: NAMELESS })],
    ["such companies within the company", ONE, { ...TOYO_ROW, group: { members: [NAMELESS] } }],
    ["such a company within a classified one", CLASSIFIED, toPage({ ...OWN, parent: toClassified(undefined) })],
    ["a byte order mark before it", LIST, `\uFEFF${JSON.stringify(toPage(HANA_ROW))}`],
    ["a row that says two countries", LIST, toPage({ ...TOYO_ROW, Country: "KOR", companyName: SECRET })],
    ["a list that stands twice", LIST, `{"data":[${JSON.stringify(HANA_ROW)}],"data":[${JSON.stringify(TOYO_ROW)}]}`],
    ["a country that stands twice", LIST, '{"data":[{"registeredAddress":{"country":"KOR","country":"JPN"}}]}'],
    ["a country that stands twice, once in escapes", LIST, '{"data":[{"countr\\u0079":"KOR","country":"JPN"}]}'],
    ["a country in small letters", LIST, toPage(toRow(HANA, "kor", SECRET))],
    ["a country in two letters", LIST, toPage(toRow(HANA, "KR", SECRET))],
    ["the own country in two letters, which may be another's", CLASSIFIED, toPage(toClassified("JP"))],
    ["a row that names no country", LIST, toPage(toRow(HANA, null, SECRET))],
    ["a row without an address", LIST, toPage({ id: HANA, companyName: SECRET })],
    ["several countries at once", LIST, toPage(toRow(HANA, ["JPN", "KOR"], SECRET))],
    ["classified companies without an envelope", CLASSIFIED, [toClassified("KOR")]],
    ["a figure that is no number beside it", LIST, `{"total":NaN,"data":[${JSON.stringify(HANA_ROW)}]}`],
    ["a list in place of the company", ONE, [HANA_ROW]],
    ["the company in an envelope", ONE, toPage(HANA_ROW)],
    ["another company", ONE, toRow(HANA, "JPN", SECRET)],
    ["a company that does not say which", ONE, { companyName: SECRET }],
    ["a list beside the company", ONE, { ...TOYO_ROW, data: [HANA_ROW] }],
    ["statements of another company", STATEMENTS, toElement(HANA)],
    ["statements of nobody", STATEMENTS, { years: [] }],
    ["statements of another company beside them", STATEMENTS, { ...toElement(TOYO), related: [toElement(HANA)] }],
    ["a company of another country in a ranking", RANKING, toPage({ companyName: SECRET, country: "KOR" })],
    ["one in the tree", TREE, [{ sectorId: "1", companies: [toClassified("KOR")] }]],
  ])("%s", (_what, request, answered) => {
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

  it.each([
    ["a company too many", toPage(toElement(TOYO), toElement(HANA, SECRET))],
    ["another company in one's place", toPage(toElement(HANA, SECRET))],
    ["a company that does not say which", toPage(toElement(TOYO), { years: [{ year: 2024, currency: SECRET }] })],
    ["another company within one", toPage({ ...toElement(TOYO), related: [toElement(HANA, SECRET)] })],
    ["no envelope", [toElement(HANA, SECRET)]],
    ["another company beside the envelope's list", { ...toPage(toElement(TOYO)), more: [toElement(HANA, SECRET)] }],
  ])("statements of several companies with %s", (_what, answered) => {
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

  it.each<[string, ReadRequest, unknown]>([
    ["classified companies without an envelope", CLASSIFIED, [toClassified("JPN", { exchangeCountry: "USA" })]],
    ["the company asked for, though it names no country", ONE, toRow(TOYO, null)],
    ["the company asked for in other letters", ONE, toRow(TOYO.toUpperCase(), "JPN")],
    ["its statements with a figure that is no number", STATEMENTS, `{"companyId":"${TOYO}","years":[{"year":NaN}]}`],
    ["a ranking, whose rows name no country", RANKING, toPage({ companyName: "Toyo", headquarters: "Tokyo" })],
    ["the tree", TREE, [{ sectorId: "1", sectorName: "Food", subSectors: [] }]],
    ["an empty list", LIST, toPage()],
  ])("may read %s", (_what, request, answered) => {
    expect(receive("japan", request, answered).status).toBe(200);
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
    ["statements", 200, toPage(toElement(HANA, SECRET)), { status: 403 }, ({ post }) => post([TOYO, ANZU])],
    ["an error", 422, { error: { message: "no", row: HANA_ROW } }, { status: 422 }, ({ get }) => get(LISTED)],
  ])(
    "withholds rows of another country in %s, whether it is known or not",
    async (_what, code, answered, his, read) => {
      [status, said] = [code, JSON.stringify(answered)];
      const [she, he] = [await firm.signIn("she", ["everything"]), await firm.signIn("he", ["japan"])];
      await she.get(`${PRIVATE}/companies?country=ALL`); // so that the companies' countries are known
      const answers = [await read(he), await read(she), await read(he)];
      for (const each of [answers[0]!, answers[2]!]) {
        expect(each).toMatchObject(his);
        expect(each.body).not.toContain(SECRET);
      }
      expect(answers[1]).toMatchObject({ status: code, body: expect.stringContaining(SECRET) });
    },
  );
});

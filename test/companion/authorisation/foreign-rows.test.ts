import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Roles } from "../../../src/companion/reads/entitlements";
import { FAMILIES } from "../../../src/contract/constants";
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
const TAXONOMIES = "/asia/industry-taxonomies/v1";
const LIST = `${PRIVATE}/companies?country=JPN`;
const ONE = `${PRIVATE}/companies/${TOYO}`;
const STATEMENTS = `${PRIVATE}/financials/companies/${TOYO}`;
const CLASSIFIED = `${TAXONOMIES}/companies?country=JPN&company_type=ALL`;
const RANKING = "/japan/ranking/v1/companies?page=1";

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

let firm: TestFirm;
let body: string | Buffer;
let status: number;
let path: string;

/** Gives the tested operation the test's answer, and the companies' countries elsewhere. */
const answer: RequestListener = ({ url = "" }, response) => {
  if (url === path) response.writeHead(status).end(body);
  else response.end(JSON.stringify(toPage(TOYO_ROW, toRow(ANZU, "JPN"))));
};

beforeEach(async () => {
  status = 200;
  firm = await openFirm({ roles: ROLES }, answer);
});
afterEach(() => firm.close());

/** A person with all rights and one limited to Japan each request the answer twice. */
async function readBoth(requestPath: string, answered: unknown, read = ({ get }: Analyst) => get(requestPath)) {
  path = requestPath;
  body = typeof answered === "string" || Buffer.isBuffer(answered) ? answered : JSON.stringify(answered);
  const [she, he] = [await firm.signIn("she", ["everything"]), await firm.signIn("he", ["japan"])];
  await she.get(`${PRIVATE}/companies?country=ALL`); // so that the companies' countries are known
  return { hers: await read(she), his: [await read(he), await read(he)] };
}

const refusalOf = (status: number, code: string) => ({ status, headers: { "feed-refusal": code } });
const REFUSED = refusalOf(403, "FEED_SCOPE_MISSING");

describe("a person entitled to one country gets nothing of an answer with rows of another:", () => {
  it.each<[string, string, unknown]>([
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
    ["one in the tree", `${TAXONOMIES}/tree`, [{ sectorId: "1", companies: [toClassified("KOR")] }]],
  ])("%s", async (_what, path, answered) => {
    const { hers, his } = await readBoth(path, answered);
    expect(hers.status).toBe(200);
    for (const each of his) {
      expect(each).toMatchObject(REFUSED);
      expect(each.body).not.toContain(SECRET);
      expect(each.body).not.toContain(HANA);
    }
  });

  it.each([201, 202, 203, 206, 226])("a page with status %i", async (each) => {
    status = each;
    const { hers, his } = await readBoth(LIST, toPage(TOYO_ROW, HANA_ROW));
    expect(hers.status).toBe(each);
    for (const answered of his) expect(answered).toMatchObject(REFUSED);
  });

  it.each([
    ["a company too many", toPage(toElement(TOYO), toElement(HANA, SECRET))],
    ["another company in one's place", toPage(toElement(HANA, SECRET))],
    ["a company that does not say which", toPage(toElement(TOYO), { years: [{ year: 2024, currency: SECRET }] })],
    ["another company within one", toPage({ ...toElement(TOYO), related: [toElement(HANA, SECRET)] })],
    ["no envelope", [toElement(HANA, SECRET)]],
    ["another company beside the envelope's list", { ...toPage(toElement(TOYO)), more: [toElement(HANA, SECRET)] }],
  ])("statements of several companies with %s", async (_what, answered) => {
    const { hers, his } = await readBoth(`${PRIVATE}/financials`, answered, ({ post }) => post([TOYO, ANZU]));
    expect(hers.status).toBe(200);
    for (const each of his) expect(each).toMatchObject(REFUSED);
    expect(JSON.stringify(his)).not.toContain(SECRET);
  });

  it.each([400, 404, 422, 500])("an error %i that contains them", async (each) => {
    status = each;
    const error = {
      code: "wrong",
      message: "Wrong country.",
      traceId: "t-1",
      details: [{ field: "country", row: HANA_ROW }],
    };
    const { hers, his } = await readBoth(LIST, { error, ...toPage(HANA_ROW) });
    expect(hers).toMatchObject({ status: each, body: expect.stringContaining(SECRET) });
    const known = {
      error: { code: "wrong", message: "Wrong country.", traceId: "t-1", details: [{ field: "country" }] },
    };
    for (const { status, body } of his) expect([status, JSON.parse(body)]).toEqual([each, known]);
  });
});

describe("a person entitled to one country", () => {
  it("gets rows of that country byte for byte", async () => {
    const text = `\uFEFF{ "total": 2e0, "data": [ ${JSON.stringify(TOYO_ROW)} ], "page":1 }`;
    const { his } = await readBoth(LIST, text);
    expect(his.map(({ body }) => body)).toEqual([text, text]);
  });

  it.each<[string, string, unknown]>([
    ["classified companies without an envelope", CLASSIFIED, [toClassified("JPN", { exchangeCountry: "USA" })]],
    ["the company asked for, though it names no country", ONE, toRow(TOYO, null)],
    ["the company asked for in other letters", ONE, toRow(TOYO.toUpperCase(), "JPN")],
    ["its statements with a figure that is no number", STATEMENTS, `{"companyId":"${TOYO}","years":[{"year":NaN}]}`],
    ["a ranking, whose rows name no country", RANKING, toPage({ companyName: "Toyo", headquarters: "Tokyo" })],
    ["the tree", `${TAXONOMIES}/tree`, [{ sectorId: "1", sectorName: "Food", subSectors: [] }]],
    ["an empty list", LIST, toPage()],
  ])("may read %s", async (_what, path, answered) => {
    for (const { status } of (await readBoth(path, answered)).his) expect(status).toBe(200);
  });

  it.each([
    ["a page in HTML", "<html>"],
    ["a page that was cut off", '{"data":['],
    ["nothing", ""],
  ])("gets a time to retry after %s", async (_what, text) => {
    const { his } = await readBoth(LIST, text);
    for (const each of his) expect(each).toMatchObject(refusalOf(502, "FEED_SERVER_FAILED"));
  });
});

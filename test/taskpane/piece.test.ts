import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import type {
  Company,
  CompanyFinancials,
  CompanyPage,
  CompanyRankingPage,
  Representative,
  TaxonomyCompany,
} from "../../src/contract/types";
import type { FinancialYear } from "../../src/feed/decode";
import { listPreferred } from "../../src/feed/names/preferred";
import type { Query, State } from "../../src/feed/query-cache";
import type { Call, Origin } from "../../src/session/calls";
import { createSession } from "../../src/session/session";
import { toTexts } from "../../src/taskpane/texts";
import { type LineFacts, toLine, toQueryWords } from "../../src/taskpane/this-cell/line";
import { toPiece } from "../../src/taskpane/this-cell/provenance";
import { listKinds } from "../feed/query-kinds";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas, type Shown } from "../support/formula-cells";
import CASES from "./this-cell-line.json";

const ID = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
const NOW_MS = new Date("2026-11-20T20:00:00").getTime();
const FETCHED_MS = new Date("2026-11-20T19:22:00").getTime();
const YEAR = {
  year: 2020,
  fields: { currency: "JPY", financialPeriodStart: "2019-04-01", financialPeriodEnd: "2020-03-31" },
} as unknown as FinancialYear;
const PLACE = {
  value: 6_227_746_000,
  name: "Revenue",
  statementType: "INCOME_STATEMENT",
  consolidationType: "CONSOLIDATED",
  year: YEAR,
};

const answered = (value: unknown) =>
  ({
    status: "answered",
    answer: { value, asOfMs: FETCHED_MS },
    error: null,
  }) as unknown as State<unknown>;
const toQuery = (...key: readonly unknown[]) => ({ key }) as unknown as Query<unknown>;

const tell = (facts: Partial<LineFacts>, language = "en-US") =>
  toLine(
    {
      known: {
        query: toQuery("financials", { companyId: ID }, 2020, false),
        state: answered({ companyId: ID, years: [] }),
      },
      origin: { error: null, places: [PLACE] },
      unit: "m",
      names: () => "Sakura Foods",
      resolution: null,
      nowMs: NOW_MS,
      ...facts,
    },
    toTexts(language),
  );

/** A case of this-cell-line.json; what is omitted is as in the first one. */
interface Case extends Pick<Partial<LineFacts>, "unit" | "resolution"> {
  title: string;
  language?: string;
  /** Other fields of the figure's year. */
  fields?: object;
  /** The query's key, and its answer. */
  key?: unknown[];
  answer?: unknown;
  /** The origin of a cell without a figure. */
  origin?: Partial<Origin>;
  /** Whether a record names the company. */
  isNamed?: boolean;
  line: string;
}

describe("the line of a cell", () => {
  it.each(CASES as Case[])("$title", (facts) => {
    const { line, language, fields, key, answer, origin, isNamed = true, ...more } = facts;
    const year = { ...YEAR, fields: { ...YEAR.fields, ...fields } };
    const told: Partial<LineFacts> = {
      ...("unit" in more && { unit: more.unit }),
      ...(more.resolution && { resolution: more.resolution }),
      ...(key && { known: { query: toQuery(...key), state: answered(answer) } }),
      ...(isNamed ? {} : { names: (_, row = {}) => listPreferred(row, toTexts(language ?? "en-US").language)[0] }),
      origin: { error: null, places: origin ? [] : [{ ...PLACE, year }], ...origin },
    };
    expect(tell(told, language)).toBe(line);
  });

  it("tells the year of a row's other cells", () => {
    const origin: Origin = { error: null, places: [], rowPlaces: [PLACE] };
    expect(tell({ origin })).toBe("Sakura Foods · FY2020 (to 31 Mar 2020) · fetched 19:22");
  });

  it("names the answer's kind where the answer is of no company", () => {
    const known = { query: toQuery("getTaxonomyTree"), state: answered([{ sectorId: "1" }]) };
    expect(tell({ known, origin: null })).toBe("The taxonomy · fetched 19:22");
  });

  it("is none before the answer", () => {
    const known = { query: toQuery("getTaxonomyTree"), state: { status: "pending" } as const };
    expect(tell({ known })).toBeNull();
  });
});

const { feed } = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1" });
const queries = Object.values(listKinds(feed)).flatMap((kinds) => Object.values(kinds));
const kinds = new Set(queries.map(({ key }) => key[0]));

describe.each(["en", "ja"])("the description of a query (%s)", (language) => {
  const texts = toTexts(language);

  it("has a title for each kind of query, and for no other", () => {
    expect(new Set(Object.keys(texts.ofProvenance.queries))).toEqual(kinds);
  });

  it("names each of its parameters", () => {
    const isNamed = queries.map((query) => toQueryWords(query, texts).parameters.length > 0);
    expect(isNamed).toEqual(queries.map(({ key }) => key.length > 1));
  });
});

const PRIVATE = "/asia/private-markets/v1";
const WEEK = ["2024-01-01", "2024-01-07"] as const;

let companion: RunningCompanion;
let read: Read;
let companies: Company[];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion({ companies: 60 });
  read = await createDirectReading(companion.origin);
  companies = (await read<CompanyPage>(`${PRIVATE}/companies?country=JPN&page_size=20`)).data;
  formulas = await loadFormulas(companion.origin);
});
afterAll(() => {
  formulas.close();
  return companion.close();
});

/** A formula in its cell, once its answers have come. */
async function enter(name: string, ...given: unknown[]): Promise<{ call: Call; shown: Shown }> {
  const shown = await formulas.type(name, ...given).next();
  const call = formulas.session.calls.list().at(-1) as Call;
  return { call, shown };
}

const listCells = (shown: Shown) => shown.flatMap((row, r) => row.map((cell, c) => ({ cell, r, c })));

/** The origin of a cell, among the answers that have it. */
function pick(call: Call, row: number, column: number) {
  const origin = call.readOrigins()(row, column);
  const query = origin.query ?? call.queries[0];
  const state = query && formulas.session.feed.queryCache.find(query)?.state;
  return toPiece(origin, state?.status === "answered" ? state.answer.value : null);
}

type Financials = CompanyFinancials & { years: { statements: { metrics: { name: string; value: number }[] }[] }[] };

const listMetrics = (value: unknown) =>
  (value as Financials).years.flatMap(({ year, statements }) =>
    statements.flatMap((statement) => (statement.metrics ?? []).map((metric) => ({ year, ...statement, ...metric }))),
  );

const idOf = (index: number) => (companies[index] as Company).id;

describe("the piece of an answer behind a figure", () => {
  it("is the one number of FINANCIAL with its company, year and statement, unchanged", async () => {
    const { call, shown } = await enter("FINANCIAL", [[idOf(0)]], [["FY0"]], [["Revenue"]]);
    const { kind, value } = pick(call, 0, 0);
    const [metric, ...others] = listMetrics(value);
    expect([kind, others]).toEqual(["figure", []]);
    const direct = await read<Financials>(`${PRIVATE}/financials/companies/${idOf(0)}`);
    const { statements, ...fields } = direct.years.find(({ year }) => year === metric?.year) as Financials["years"][0];
    expect(value).toEqual({ companyId: idOf(0), years: [{ ...fields, statements: [expect.anything()] }] });
    expect(statements.flatMap(({ metrics }) => metrics)).toContainEqual({ name: "Revenue", value: metric?.value });
    expect(metric).toMatchObject({ name: "Revenue", value: shown[0]?.[0], statementType: "INCOME_STATEMENT" });
  });

  it("is each cell's own in a grid of companies and years", async () => {
    const years = [[2021, 2022, 2023]];
    const { call, shown } = await enter("FINANCIAL", [[idOf(0)], [idOf(1)], [idOf(2)]], years, [["EBIT"]]);
    const found = listCells(shown).filter(({ cell }) => typeof cell === "number");
    expect(found.length).toBeGreaterThan(4);
    for (const { cell, r, c } of found) {
      const { value } = pick(call, r, c);
      expect(value).toMatchObject({ companyId: idOf(r) });
      expect(listMetrics(value)).toEqual([expect.objectContaining({ year: years[0]?.[c], name: "EBIT", value: cell })]);
    }
  });

  it.each([
    ["wide", 3],
    ["statement", 1],
    ["long", 13],
  ])("is the cell's own in every cell of the layout %s, whatever the unit", async (layout, from) => {
    const given = [[[idOf(0)]], [[2023]], [["Revenue,EBIT,Net Income"]], layout, null, "k"];
    const { call, shown } = await enter("FINANCIALS", ...given);
    const found = listCells(shown)
      .slice((shown[0] ?? []).length)
      .filter(({ cell, r, c }) => typeof cell === "number" && c >= from && shown[r]?.[0] !== "Period end");
    expect(found.length).toBeGreaterThanOrEqual(3);
    for (const { cell, r, c } of found) {
      const { kind, value } = pick(call, r, c);
      const [metric, ...others] = listMetrics(value);
      expect([kind, (metric?.value ?? 0) / 1000, others]).toEqual(["figure", cell, []]);
    }
  });

  it("is the row's figures for a cell without a figure, and the whole answer for a header", async () => {
    const { call } = await enter("FINANCIALS", [[idOf(0)]], [[2023]], [["Revenue,EBIT"]]);
    const row = pick(call, 1, 0);
    expect([row.kind, listMetrics(row.value).map(({ name }) => name)]).toEqual(["figures", ["Revenue", "EBIT"]]);
    const header = pick(call, 0, 3);
    expect(header).toEqual({ kind: "answer", value: expect.objectContaining({ companyId: idOf(0) }) });
  });

  it("of a year's fact has its statements, without their numbers", async () => {
    const { call, shown } = await enter("FINANCIAL", [[idOf(0)]], [[2023]], [["currency"]]);
    const { kind, value } = pick(call, 0, 0);
    const [year] = (value as Financials).years;
    expect([kind, year?.currency]).toEqual(["figure", shown[0]?.[0]]);
    expect(JSON.stringify(value)).not.toContain("metrics");
  });
});

describe("the piece behind a table cell", () => {
  it("is the exact row of a ranking, however it is sorted", async () => {
    const path = "/japan/ranking/v1/companies?start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-07T23:59:59";
    const { data } = await read<CompanyRankingPage>(`${path}&page_size=1000`);
    for (const by of [null, "totalUniquePageViews"]) {
      const { call, shown } = await enter("RANKING", ...WEEK, 20, [["rank,companyName"]], by);
      expect(shown).toHaveLength(21);
      for (const [index, [rank]] of shown.slice(1).entries()) {
        expect(pick(call, index + 1, 1)).toEqual({ kind: "row", value: data[Number(rank) - 1] });
      }
    }
  });

  it("is the unchanged row of a ranking by page type, null for unread types", async () => {
    const { call, shown } = await enter("RANKING.PAGES", ...WEEK, null, 30, null, false);
    expect(shown).toHaveLength(30);
    const [query] = call.queries;
    const state = query && formulas.session.feed.queryCache.find(query)?.state;
    const { rows } = state?.status === "answered" ? (state.answer.value as { rows: unknown[] }) : { rows: [] };
    for (const [index] of shown.entries()) expect(pick(call, index, 4).value).toBe(rows[index]);
  });

  it("is the record of a classified company, with all its classifications", async () => {
    const { call, shown } = await enter("UNIVERSE", "JPN", null, 10, [["companyId,primary.industryName"]]);
    expect(shown).toHaveLength(11);
    for (const [index, [companyId]] of shown.slice(1).entries()) {
      const path = `/asia/industry-taxonomies/v1/companies/${companyId}`;
      expect(pick(call, index + 1, 1)).toEqual({ kind: "row", value: await read<TaxonomyCompany>(path) });
    }
  });

  it("is the one classification of its row", async () => {
    const { shown: listed } = await enter("UNIVERSE", "JPN", null, 10, [["companyId"]]);
    const { call, shown } = await enter("CLASSIFICATION", [[listed[1]?.[0]]]);
    expect(shown.length).toBeGreaterThan(1);
    for (const [index, row] of shown.slice(1).entries()) {
      const { kind, value } = pick(call, index + 1, 0);
      const { taxonomy } = value as TaxonomyCompany;
      expect([kind, taxonomy]).toEqual(["row", [expect.objectContaining({ industryId: row[4] })]]);
    }
  });

  it("is the path in the tree to its node", async () => {
    const { call, shown } = await enter("TAXONOMY");
    const [sectorId, , subSectorId, , , industryId] = shown[5] ?? [];
    expect(pick(call, 5, 0)).toEqual({
      kind: "row",
      value: expect.objectContaining({
        sectorId,
        subSectors: [expect.objectContaining({ subSectorId, industries: [expect.objectContaining({ industryId })] })],
      }),
    });
  });
});

describe("the piece behind a field", () => {
  it("is the field with its context", async () => {
    const { call } = await enter("COMPANY", [[idOf(0)], [idOf(1)]], [["City", "companyName"]]);
    const [one, other] = companies as [Company, Company];
    const { id, registeredAddress } = one;
    expect(pick(call, 0, 0)).toEqual({ kind: "field", value: { id, registeredAddress } });
    expect(pick(call, 1, 1)).toEqual({ kind: "field", value: { id: other.id, companyName: other.companyName } });
  });

  it("is the record of the row's own company in a table of representatives", async () => {
    const { call, shown } = await enter("COMPANY.OFFICERS", [[idOf(0)], [idOf(1)]], [["id,role"]]);
    expect(new Set(shown.slice(1).map(([id]) => id))).toEqual(new Set([idOf(0), idOf(1)]));
    for (const [index, [id]] of shown.slice(1).entries()) {
      expect(pick(call, index + 1, 1)).toEqual({ kind: "answer", value: expect.objectContaining({ id }) });
    }
  });

  it("is the line's own in a card", async () => {
    const { call, shown } = await enter("COMPANY", [[idOf(0)]]);
    const line = shown.findIndex(([header]) => header === "Website");
    expect(pick(call, line, 1).value).toEqual({ id: idOf(0), websiteUrl: companies[0]?.websiteUrl ?? null });
  });

  it("has contact data only for a named contact field", async () => {
    const isReached = ({ email, phone }: Representative) => email && phone;
    const withMail = companies.find(({ representatives }) => representatives?.some(isReached)) as Company;
    const reached = withMail.representatives?.find(isReached);
    const [mail, phone] = [String(reached?.email), String(reached?.phone)];
    const named = await enter("COMPANY", [[withMail.id]], [["representatives.email"]]);
    expect(JSON.stringify(pick(named.call, 0, 0))).toContain(mail);
    expect(JSON.stringify(pick(named.call, 0, 0))).not.toContain(phone);
    for (const field of ["representatives", "representatives.fullName"]) {
      const { call } = await enter("COMPANY", [[withMail.id]], [[field]]);
      expect(JSON.stringify(pick(call, 1, 0))).not.toContain(mail);
    }
    const { call: officers } = await enter("COMPANY.OFFICERS", [[withMail.id]], [["fullName,role"]]);
    expect(JSON.stringify(pick(officers, 1, 0))).not.toContain(mail);
    const { call } = await enter("COMPANIES", "JPN", null, 20);
    for (let row = 0; row <= 20; row++) expect(JSON.stringify(pick(call, row, 0))).not.toContain(mail);
  });
});

it("a cell with an error reports it, and has no piece of an answer", async () => {
  const { call } = await enter("FINANCIAL", [[idOf(0)], ["9999999999999"]], [[2023]], [["Revenue"]]);
  expect(call.readOrigins()(0, 0).error).toBeNull();
  expect(call.readOrigins()(1, 0).error).toMatchObject({ code: "FEED_NOT_FOUND" });
});

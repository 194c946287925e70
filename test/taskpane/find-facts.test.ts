import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../src/contract/constants";
import { decodeFinancials, type Row } from "../../src/feed/decode";
import type { Query, State } from "../../src/feed/query-cache";
import { createResolutions, type Resolutions } from "../../src/feed/resolutions";
import { readFound } from "../../src/taskpane/company-search";
import { store } from "../../src/taskpane/file-store";
import { pickSeries } from "../../src/taskpane/find/Figures";
import { pickBranches, readBranches } from "../../src/taskpane/find/Industries";
import { readListing, readProfile } from "../../src/taskpane/find/Profile";
import { toWidths } from "../../src/taskpane/inserted-columns";
import {
  adoptOthers,
  nameCompany,
  persistResolutions,
  readPersistedResolutions,
  wantsFigures,
} from "../../src/taskpane/named-companies";
import { toParts } from "../../src/taskpane/picker/CompanyRow";
import { toTexts } from "../../src/taskpane/texts";
import { type FeedOnServer, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";
import { until } from "../support/until";
import CASES from "./find-facts.json";
import { type OfficeSettings, removeOffice, setOffice } from "./office-settings";

const mark = (name: string, query: string) =>
  toParts(name, query)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join("");

it.each(CASES.marked as [string, string, string][])(
  "the search text is marked in a name %s by %s",
  (name, query, marked) => {
    expect(mark(name, query)).toBe(marked);
  },
);

describe("a company of the index", () => {
  const row = { companyId: "a", companyName: "A Inc.", companyFormalName: "株式会社A", companyEnglishName: "A Inc." };

  it("has its name in the reader's language first, and the other once", () => {
    expect(readFound(row, "en")).toMatchObject({ name: "A Inc.", otherName: "株式会社A" });
    expect(readFound(row, "ja")).toMatchObject({ name: "株式会社A", otherName: "A Inc." });
    const nameless = { companyId: "a", companyName: "A Inc." };
    expect(readFound(nameless, "ja")).toMatchObject({ name: "A Inc.", otherName: null });
    expect(readFound({ companyId: "a" }, "en")).toMatchObject({ name: "a", otherName: null });
    expect(readFound({ companyName: "A Inc." }, "en")).toBeNull();
  });
});

it("columns are as wide as their texts, up to a limit, with two places for a letter of East Asia", () => {
  const rows = [
    ["Company", "さくら食品", "a".repeat(90), ""],
    ["Sakura Foods", "Sakura", "", ""],
  ];
  expect(toWidths(rows)).toEqual([14, 12, 44, 2]);
  expect(toWidths([])).toEqual([]);
});

const INCOME = { statementType: "INCOME_STATEMENT", consolidationType: "CONSOLIDATED" };
const toYear = (year: number, revenue: unknown, more: Row = {}): Row => ({
  year,
  currency: "JPY",
  statements: [{ ...INCOME, metrics: [{ name: "Revenue", value: revenue }] }],
  ...more,
});

const series = (...years: Row[]) => pickSeries(decodeFinancials({ companyId: "a", years }));

describe("the figures of a chart", () => {
  it("are in ascending years, the latest ten", () => {
    const years = Array.from({ length: 12 }, (_, index) => toYear(2024 - index, index));
    const latest = [2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024];
    expect(series(...years).years.map(({ year }) => year)).toEqual(latest);
  });

  it("are missing, never zero, if the answer has none, no number or two different ones", () => {
    const different = [toYear(2023, 1, { period: "FY" }), toYear(2023, 2, { period: "FY4" })];
    const { years } = series(toYear(2020, 5), toYear(2021, "12"), toYear(2022, null), ...different);
    expect(years).toEqual([{ year: 2020, revenue: 5, netIncome: null }]);
  });

  it("are of annual statements alone, in the ten years that have one", () => {
    const annual = Array.from({ length: 10 }, (_, index) => toYear(2014 + index, index));
    const { years } = series(...annual, toYear(2023, 4, { period: "HY2" }), toYear(2024, 9, { period: "HY1" }));
    expect(years.map(({ year, revenue }) => [year, revenue])).toEqual(annual.map(({ year }, index) => [year, index]));
  });

  it("are in the currency of the last year, with the number of excluded years", () => {
    const found = series(toYear(2020, 5, { currency: "USD" }), toYear(2021, 6), toYear(2022, 7));
    expect(found).toMatchObject({ currency: "JPY", leftOut: 1 });
    expect(found.years.map(({ year }) => year)).toEqual([2021, 2022]);
  });
});

describe("a record", () => {
  it("has no contact data, and omits values that are no text", () => {
    const row = {
      companyName: "=HYPERLINK(1)",
      businessDescription: { odd: true },
      websiteUrl: 7n,
      representatives: [
        { fullName: "A", role: "REPRESENTATIVE_DIRECTOR", email: "a@example.com", phone: "1", dob: "2000-01-01" },
        { role: "DIRECTOR" },
        null,
      ],
    };
    expect(readProfile(row, toTexts("en"))).toEqual({
      company: [{ name: "Company", value: "=HYPERLINK(1)", field: expect.objectContaining({ name: "companyName" }) }],
      people: [{ name: "A", value: "Representative director" }],
      employees: [],
    });
    expect(readProfile(row, toTexts("ja")).company).toEqual([
      { name: "企業名", value: "=HYPERLINK(1)", field: expect.objectContaining({ name: "companyName" }) },
    ]);
  });

  it("has the primary classification first", () => {
    const taxonomy = [
      { sectorName: "A", industryName: "B" },
      { sectorName: "C", isPrimaryIndustry: true },
    ];
    const { classifications } = readListing({ taxonomy }, toTexts("en"));
    expect(classifications.map(({ text, isPrimary }) => [text, isPrimary])).toEqual([
      ["C", true],
      ["A › B", false],
    ]);
  });
});

it("the tree of a provider has a shared node below each parent, and shows the id of an unnamed one", () => {
  const shared = { subSectorId: 7, industries: [] };
  const branches = readBranches([
    { sectorId: "S1", sectorName: "One", subSectors: [shared] },
    { sectorId: "S2", sectorName: "Two", subSectors: [shared] },
  ]);
  expect(branches.map(({ branches: [below] }) => [below?.key, below?.name, below?.path])).toEqual([
    ["/S1/7", "7", ["One"]],
    ["/S2/7", "7", ["Two"]],
  ]);
  expect(pickBranches(branches, "two").map(({ name }) => name)).toEqual(["Two"]);
});

const SEARCH = OPERATIONS.searchCompanies.path;
const CLASSIFIED = OPERATIONS.listTaxonomyCompanies.path;
const NAMED = { name: "Mori Metals", country: "JPN" };

let running: FeedOnServer;
let stops: (() => void)[] = [];
/** Starts a provider with two companies of one name, of which "figures" alone has financials. */
async function start(): Promise<void> {
  const page = (data: unknown[]): Answering => ({ json: { data, page: 1, pageSize: 100, total: data.length } });
  const toCompany = (id: string) => ({ id, companyName: NAMED.name, registeredAddress: { country: "JPN" } });
  running = await startFeedOn(({ path, query }: Received) => {
    if (path === SEARCH) return page(query.has("identifier") ? [] : ["figures", "none"].map(toCompany));
    if (path === CLASSIFIED) return page([]);
    if (path.endsWith("/none")) return { status: 404, json: {} };
    const isFigures = path.startsWith(String(OPERATIONS.getCompanyFinancials.path.split("{")[0]));
    return isFigures ? { json: { companyId: "figures", years: [{ year: 2023 }] } } : undefined;
  });
}

/** Observes a query as a cell does; gives its present state in a word. */
function observe<T>(query: Query<T>, toWord: (answer: T) => string): () => string {
  const seen = { state: { status: "pending" } as State<T> };
  const receive = (state: State<T>) => {
    seen.state = state;
  };
  stops.push(running.feed.queryCache.observe(query, receive));
  return () => {
    const { state } = seen;
    if (state.status === "pending") return "pending";
    return state.status === "failed" ? `${(state.error as { code?: string }).code}` : toWord(state.answer.value);
  };
}

const becomes = (read: () => string, wanted: string) => until(() => read() === wanted);

const figures = (year: number | null) => {
  const query = running.feed.financials.query(NAMED, { year });
  return observe(query, ({ companyId }) => companyId);
};

describe("the company of a name", () => {
  beforeEach(start);
  afterEach(() => {
    for (const stop of stops) stop();
    stops = [];
    return running.close();
  });

  it("is that of a list of names too, from when it is chosen", async () => {
    const list = running.feed.names.queryMatches([{ name: "Mori Metals", hints: [] }], NAMED.country);
    const shown = observe(list, ({ matches: [match] }) => `${match?.state} ${match?.candidates[0]?.company.companyId}`);
    await becomes(shown, "doubtful figures");
    nameCompany(running, NAMED, { id: "none", name: NAMED.name } as Parameters<typeof nameCompany>[2]);
    await becomes(shown, "exact none");
    nameCompany(running, NAMED, null);
    await becomes(shown, "doubtful figures");
  });

  it("is followed by its formulas when it is chosen, changed and forgotten", async () => {
    const shown = figures(2023);
    const id = observe(running.feed.names.queryId(NAMED.name, NAMED.country), String);
    await becomes(shown, "FEED_AMBIGUOUS");
    nameCompany(running, NAMED, { id: "figures", name: "Mori Metals" });
    await becomes(shown, "figures");
    await becomes(id, "figures");
    const [all, later] = [figures(null), figures(2022)]; // what is at hand of the company answers them
    await becomes(all, "figures");
    await becomes(later, "figures");
    nameCompany(running, NAMED, { id: "none", name: "Mori Metals" });
    await becomes(shown, "FEED_NOT_FOUND"); // never the other company's figures
    await becomes(later, "FEED_NOT_FOUND");
    await becomes(id, "none");
    nameCompany(running, NAMED, null);
    await becomes(shown, "FEED_AMBIGUOUS");
    await becomes(id, "FEED_AMBIGUOUS");
    expect(running.feed.resolutions.list()).toEqual([]);
  });

  it("changes for formulas that come later too", async () => {
    nameCompany(running, NAMED, { id: "figures", name: "Mori Metals" });
    await becomes(figures(2023), "figures");
    await becomes(figures(null), "figures"); // all years are at hand from now on
    for (const stop of stops) stop();
    nameCompany(running, NAMED, { id: "none", name: "Mori Metals" });
    await becomes(figures(2023), "FEED_NOT_FOUND");
    await becomes(figures(2022), "FEED_NOT_FOUND");
  });

  it("needs figures where all of its formulas want some", () => {
    expect(wantsFigures(running, NAMED)).toBe(false);
    figures(2023);
    expect(wantsFigures(running, NAMED)).toBe(true);
    observe(running.feed.companies.queryOf(NAMED), () => "record");
    expect(wantsFigures(running, NAMED)).toBe(false);
  });
});

const SAKURA = { name: "Sakura", country: "JPN", companyId: "a", companyName: "Sakura Foods" };
const HILL = { name: "hill", country: "ALL", companyId: "b", companyName: "Hill" };

let office: OfficeSettings;
let resolutions: Resolutions;

describe("what names mean in a workbook", () => {
  beforeEach(() => {
    office = setOffice();
    resolutions = createResolutions();
    persistResolutions(resolutions);
  });
  afterEach(removeOffice);

  it("is stored with the next decision, and read again", async () => {
    resolutions.record(SAKURA);
    resolutions.record(HILL);
    expect([office.saves, readPersistedResolutions()]).toEqual([0, []]);
    await store();
    expect(readPersistedResolutions()).toEqual([SAKURA, HILL]);
    expect(office.saves).toBe(1);
  });

  it("is adopted from another person, and formulas with that name are read again", () => {
    const other = { ...SAKURA, companyId: "c" };
    resolutions.adopt([SAKURA, HILL]);
    office.file.set("feed-companies", [other]);
    const restarted: unknown[] = [];
    const keys = [SAKURA, HILL].map(({ name, country }) => ["financials", { name, country }]);
    const restart = (isMeant: (key: readonly unknown[]) => boolean) => restarted.push(...keys.filter(isMeant));
    adoptOthers({ resolutions, queryCache: { restart } as never }, () => [SAKURA]);
    expect([resolutions.list(), restarted]).toEqual([[other, HILL], [keys[0]]]);
  });

  it("ignores entries that another version or program has written", () => {
    office.file.set("feed-companies", [SAKURA, { name: "x" }, null, 7]);
    expect(readPersistedResolutions()).toEqual([SAKURA]);
    office.file.set("feed-companies", "text");
    expect(readPersistedResolutions()).toEqual([]);
  });
});

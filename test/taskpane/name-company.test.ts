import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../src/contract/constants";
import type { Query, State } from "../../src/feed/query-cache";
import { createResolutions, type Resolutions } from "../../src/feed/resolutions";
import type { Session } from "../../src/session/session";
import { forgetName, nameCompany, wantsFigures } from "../../src/taskpane/name-company";
import { persistResolutions, readPersistedResolutions } from "../../src/taskpane/named-companies";
import { type Clock, createClock } from "../support/clock";
import { type FeedOnServer, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";
import { until } from "../support/until";
import { type OfficeSettings, removeOffice, setOffice } from "./match/office-settings";

const SEARCH = OPERATIONS.searchCompanies.path;
const CLASSIFIED = OPERATIONS.listTaxonomyCompanies.path;
const NAMED = { name: "Mori Metals", country: "JPN" };

let running: FeedOnServer;
let stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  return running.close();
});

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
  it("is that of a list of names too, from when it is chosen", async () => {
    await start();
    const list = running.feed.matching.query([{ name: "Mori Metals", hints: [] }], NAMED.country);
    const shown = observe(list, ({ matches: [match] }) => `${match?.state} ${match?.candidates[0]?.company.companyId}`);
    await becomes(shown, "doubtful figures");
    nameCompany(running, NAMED, { id: "none", name: NAMED.name } as Parameters<typeof nameCompany>[2]);
    await becomes(shown, "exact none");
    forgetName(running, NAMED);
    await becomes(shown, "doubtful figures");
  });

  it("is followed by its formulas when it is chosen, changed and forgotten", async () => {
    await start();
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
    forgetName(running, NAMED);
    await becomes(shown, "FEED_AMBIGUOUS");
    await becomes(id, "FEED_AMBIGUOUS");
    expect(running.feed.resolutions.list()).toEqual([]);
  });

  it("changes for formulas that come later too", async () => {
    await start();
    nameCompany(running, NAMED, { id: "figures", name: "Mori Metals" });
    await becomes(figures(2023), "figures");
    await becomes(figures(null), "figures"); // all years are at hand from now on
    for (const stop of stops) stop();
    nameCompany(running, NAMED, { id: "none", name: "Mori Metals" });
    await becomes(figures(2023), "FEED_NOT_FOUND");
    await becomes(figures(2022), "FEED_NOT_FOUND");
  });

  it("needs figures where all of its formulas want some", async () => {
    await start();
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
let clock: Clock;
let resolutions: Resolutions;

/** A workbook that stores what names mean. */
beforeEach(() => {
  office = setOffice();
  clock = createClock();
  resolutions = createResolutions();
  resolutions.onChange(persistResolutions({ feed: { resolutions }, ports: clock.ports } as unknown as Session));
});
afterEach(removeOffice);

describe("what names mean in a workbook", () => {
  it("is stored once for all names of a second, and read again", async () => {
    resolutions.record(SAKURA);
    resolutions.record(HILL);
    expect(readPersistedResolutions()).toEqual([]);
    await clock.advance(1_000);
    expect(readPersistedResolutions()).toEqual([SAKURA, HILL]);
    expect(office.saves).toBe(1);
  });

  it("ignores entries that another version or program has written", () => {
    office.file.set("feed-companies", [SAKURA, { name: "x" }, null, 7]);
    expect(readPersistedResolutions()).toEqual([SAKURA]);
    office.file.set("feed-companies", "text");
    expect(readPersistedResolutions()).toEqual([]);
  });
});

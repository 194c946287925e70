import { afterEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../../src/contract/constants";
import type { Feed } from "../../../src/feed/feed";
import type { Query } from "../../../src/feed/query-cache";
import { readCompany } from "../../../src/functions/arguments";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import CASES from "./naming.json";

const FINANCIALS = OPERATIONS.getFinancialsOfMany.path;
const SEARCH = OPERATIONS.searchCompanies.path;
const CLASSIFIED = OPERATIONS.listTaxonomyCompanies.path;
const RECORD = OPERATIONS.getTaxonomyCompany.path.split("{")[0] as string;
const ONE = OPERATIONS.getCompanyFinancials.path.split("{")[0] as string;
const LISTED = "00000000-0000-4000-8000-000000000001";
const idsOf = (...numbers: number[]) => numbers.map((number) => LISTED.replace(/1$/, String(number)));

let running: FeedOnServer;
afterEach(() => running.close());

interface Companies {
  listed: { companyId: string; countryCode: string }[];
  unlisted: { registeredAddress: { country: string } }[];
  /** The company of each registration number; default none. */
  numbers?: Readonly<Record<string, string>>;
}

interface Behaviour extends Pick<Companies, "numbers"> {
  /** Whether the client may read the private companies; default yes. */
  isPrivateReadable?: boolean;
  /** Whether companies have financials; default yes, of no year. */
  hasFinancials?: boolean;
}

const PROVIDERS: Record<keyof typeof CASES.providers, Companies> = CASES.providers;
const page = (data: unknown[]): Answering => ({ json: { data, page: 1, pageSize: 100, total: data.length } });

/** Starts a provider of companies, each with its name and no other data than financials. */
async function start(which: keyof typeof PROVIDERS = "mixed", behaviour: Behaviour = {}): Promise<void> {
  const { listed, unlisted, numbers = {} } = { ...PROVIDERS[which], ...behaviour };
  running = await startFeedOn(({ path, query, body }: Received) => {
    const isOf = (country: string) => ["ALL", country].includes(query.get("country") ?? "");
    if (path === FINANCIALS) {
      const owners = (body as { identifiers: string[] }).identifiers.flatMap((number) => numbers[number] ?? []);
      return page(owners.map((companyId) => ({ companyId, years: [{ year: 2022 }, { year: 2023 }] })));
    }
    if (path === SEARCH && behaviour.isPrivateReadable === false) return { status: 403, json: { code: "FORBIDDEN" } };
    if (path === SEARCH && query.has("identifier")) return page([]);
    if (path === SEARCH) return page(unlisted.filter(({ registeredAddress }) => isOf(registeredAddress.country)));
    if (path === CLASSIFIED) return page(listed.filter(({ countryCode }) => isOf(countryCode)));
    const record = listed.find(({ companyId }) => path === `${RECORD}${companyId}`);
    if (record !== undefined) return { json: record };
    if (behaviour.hasFinancials === false || !path.startsWith(ONE)) return undefined;
    return { json: { companyId: path.split("/").at(-1), years: [] } };
  });
}

const load = <T>(toQuery: (feed: Feed) => Query<T>) => awaitAnswer(running.feed, toQuery(running.feed));
const readError = (toQuery: (feed: Feed) => Query<unknown>) => load(toQuery).then(String, (error) => error);

/** The id that a formula for figures, for a classification, or FEED.COMPANY.ID, takes from a text. */
const READINGS = {
  FINANCIAL: (text: string, country: string) =>
    load(({ financials }) => financials.query(readCompany(text, country))).then(({ companyId }) => companyId),
  "COMPANY.ID": (text: string, country: string) => load(({ names }) => names.queryId(text, country)),
  CLASSIFICATION: (text: string, country: string) =>
    load(({ taxonomies }) => taxonomies.query(readCompany(text, country))).then(({ companyId }) => String(companyId)),
};
const failureOf = (reading: keyof typeof READINGS, text: string, country = "JPN"): Promise<string> =>
  READINGS[reading](text, country).then(
    (companyId) => `no failure: ${companyId}`,
    (error) => `${error.code} ${error.message}`,
  );

const idOf = (name: string, country = "JPN") =>
  load(({ financials }) => financials.query({ name, country })).then(({ companyId }) => companyId);
const countLookups = () =>
  running.requests().filter(({ path }) => path === FINANCIALS || path === SEARCH || path === CLASSIFIED).length;

describe("a company's name in a formula", () => {
  it.each(CASES.meant as [string, string][])("means the one company that has it: %s", async (name, companyId) => {
    await start();
    expect(await idOf(name)).toBe(companyId);
  });

  it("costs no request beyond the index", async () => {
    await start();
    await idOf("Sakura Foods");
    const before = countLookups();
    await Promise.all([
      idOf("Hill"),
      idOf("JPN:4952"),
      failureOf("FINANCIAL", "Mori Metals"),
      failureOf("FINANCIAL", "Nobody Ltd"),
    ]);
    expect(countLookups()).toBe(before);
  });

  const REFUSED = CASES.refused as [string, keyof typeof PROVIDERS, Behaviour, keyof typeof READINGS, string, string][];
  it.each(REFUSED)("is an error if it is %s", async (_, which, behaviour, reading, name, message) => {
    await start(which, behaviour);
    await idOf("Hill").catch(() => {}); // the index is at hand
    const failure = await failureOf(reading, name);
    if (message.startsWith("FEED_")) expect(failure).toBe(message);
    else expect(failure).toContain(message);
  });

  it("keeps its company in the workbook after the index has changed", async () => {
    await start();
    running.feed.resolutions.adopt([{ name: "Hill", country: "JPN", companyId: "old-hill", companyName: "Hill" }]);
    expect(await idOf("Hill")).toBe("old-hill");
    expect(countLookups()).toBe(0);
    await idOf("さくら食品");
    expect(running.feed.resolutions.list()).toContainEqual({
      name: "さくら食品",
      country: "JPN",
      companyId: "listed-sakura",
      companyName: "株式会社さくら食品",
    });
  });

  it("means the same in COMPANY.ID beside it, whichever was first", async () => {
    await start();
    const { feed } = running;
    const read = (name: string) => READINGS["COMPANY.ID"](name, "JPN");
    feed.resolutions.adopt([{ name: "Hill", country: "JPN", companyId: "old-hill", companyName: "Hill" }]);
    expect(await read("Hill")).toBe("old-hill");
    expect(countLookups()).toBe(0);
    expect(await read("SGP:Sakura Foods")).toBe("abroad");
    expect(await read("TSX:4952")).toBe("listed-sakura");
    await expect(read("Sakura Fo")).rejects.toThrow('is called "Sakura Fo"; closest: "Sakura Foods Co., Ltd."');
    await expect(read("Sakura Foods S.A.")).rejects.toThrow('is called "Sakura Foods S.A."; with another');
    expect(feed.resolutions.list().map(({ name }) => name)).toEqual(["Hill", "SGP:Sakura Foods", "TSX:4952"]);
  });

  it("fails with the name, so that the pane can open on its candidates", async () => {
    await start();
    const named = { name: "mori metals", country: "JPN" };
    const ambiguous = await readError(({ financials }) => financials.query(named));
    expect(ambiguous).toMatchObject({ code: "FEED_AMBIGUOUS", facts: { named } });
    const unknown = await readError(({ names }) => names.queryId("Mory Metals", "JPN"));
    expect(unknown).toMatchObject({ code: "FEED_NO_VALUE", facts: { named: { ...named, name: "Mory Metals" } } });
  });
});

describe("a name of several companies", () => {
  const NAME = "Tamayura Chemicals Co., Ltd.";

  it("means the only one of the family of data that is asked for, in each formula its own", async () => {
    await start("pair");
    expect(await READINGS.CLASSIFICATION(NAME, "JPN")).toBe("pair-listed");
    expect(await READINGS.FINANCIAL(NAME, "JPN")).toBe("pair-private");
    expect(await READINGS.FINANCIAL("玉響化学", "JPN")).toBe("pair-listed-2"); // one company alone has this name
    expect(await failureOf("COMPANY.ID", NAME)).toContain("FEED_AMBIGUOUS"); // nothing is asked of it
    const { feed } = running;
    const kept = { name: NAME, country: "JPN" };
    expect(feed.resolutions.list()).toContainEqual({
      ...kept,
      companyId: "pair-private",
      companyName: NAME,
      family: "private",
    });
    feed.resolutions.record({ ...kept, companyId: "chosen", companyName: "Chosen" });
    expect(feed.resolutions.find(kept, "private")?.companyId).toBe("chosen");
    feed.resolutions.forget(kept);
    expect(feed.resolutions.list().filter(({ name }) => name === NAME)).toEqual([]);
  });

  it("is decided by the families, never by an empty answer", async () => {
    await start("pair", { hasFinancials: false });
    expect(await failureOf("FINANCIAL", NAME)).toContain(`${NAME}, which "${NAME}" means here, has no financials;`);
  });

  it("is not decided where a ticker of one is the number of another", async () => {
    await start("pair");
    expect(await failureOf("FINANCIAL", "JPN:4953")).toMatch(/^FEED_AMBIGUOUS "JPN:4953" fits 2 companies/);
  });
});

describe("the candidates of a text", () => {
  const read = (text: string, family?: "private") =>
    load(({ names }) => names.query(text, "JPN", "candidates", family));
  const list = async (...given: Parameters<typeof read>) =>
    (await read(...given)).rows.map(({ companyId }) => companyId);

  it("are the companies of that name, else those that match, else the closest three", async () => {
    await start();
    expect(await list("MORI METALS")).toEqual(["private-mori", "private-mori-2"]);
    expect(await list("mori")).toEqual(["private-mori", "private-mori-2"]);
    expect(await list("Mory Metals")).toEqual(["private-mori", "private-mori-2"]);
    expect(await list("SGP:Sakura")).toEqual(["abroad"]);
    expect(await list("zzz")).toEqual([]);
  });

  it("are only those that have the needed data", async () => {
    await start();
    expect(await list("Sakura Foods")).toEqual(["listed-sakura"]);
    expect(await list("Sakura Foods", "private")).toEqual([]);
  });

  it("are none near a name that companies without the needed data have", async () => {
    await start("pair");
    expect(await list("玉響化", "private")).toEqual(["pair-near"]);
    expect(await read("玉響化学", "private")).toMatchObject({ rows: [], leftOut: 1 });
    expect(await list("玉響化学")).toEqual(["pair-listed-2", "pair-near"]);
  });
});

/** The texts that an error lists, without the written one. */
const listTexts = (message: string): string[] =>
  [...message.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text).slice(1);

/** The companies that the texts of a name's error mean, in the same formula. */
async function readListed(reading: keyof typeof READINGS, name: string, country: string): Promise<string[]> {
  const ids: string[] = [];
  for (const text of listTexts(await failureOf(reading, name, country)))
    ids.push(await READINGS[reading](text, country));
  return ids.toSorted();
}

describe("the texts that an ambiguous name's error lists", () => {
  it.each(["FINANCIAL", "COMPANY.ID"] as const)("each mean one company in %s, all of them another", async (reading) => {
    await start("namesakes");
    expect(await readListed(reading, "Sakura", "JPN")).toEqual(idsOf(1, 2, 3, 5, 6));
  });

  it.each([
    ["SGP:Sakura", "JPN"],
    ["Sakura", "ALL"],
  ])("work where the name %s is looked up in %s", async (name, country) => {
    await start("abroad");
    for (const reading of ["FINANCIAL", "COMPANY.ID"] as const)
      expect(await readListed(reading, name, country)).toEqual(idsOf(1, 2, 5, 6));
  });

  it("are an id where the workbook gives the ticker another company", async () => {
    await start("namesakes");
    running.feed.resolutions.record({ name: "JPN:4952", country: "JPN", companyId: "maple", companyName: "Maple" });
    expect(await failureOf("FINANCIAL", "Sakura")).not.toContain("JPN:4952");
  });

  it("begin with companies that may have figures, where the formula wants some", async () => {
    await start("namesakes");
    expect(listTexts(await failureOf("FINANCIAL", "Sakura")).slice(0, 2)).toEqual(["9530193052711", "JPN:77"]);
    expect(listTexts(await failureOf("COMPANY.ID", "Sakura"))[0]).toBe("JPN:4952");
  });
});

it("the closest names of a misspelt one each mean one company, and the first is the error's correction", async () => {
  await start("similar");
  const error = await readError(({ financials }) => financials.query(readCompany("Komorebi Edukation Inc.", "JPN")));
  expect(error).toMatchObject({ code: "FEED_NO_VALUE", facts: { closest: "Komorebi Education Inc." } });
  expect(await READINGS.FINANCIAL("Komorebi Education Inc.", "JPN")).toBe(idsOf(5)[0]);
});

it("a name that no company of the country has is proposed behind its country only where the index of all countries has it there", async () => {
  await start("bank");
  expect(await failureOf("FINANCIAL", "Orchid Bank")).toMatch(
    /; correct the spelling, or search all countries in Find$/,
  );
  await running.feed.nameIndexes.build("ALL");
  expect(await failureOf("FINANCIAL", "ORCHID Bank")).toMatch(/ before it: "SGP:ORCHID Bank"$/);
});

describe("the error of a company without data, in a formula with its name", () => {
  const QUERIES = {
    financials: ({ financials }: Feed, name: string, year: number | null) =>
      financials.query({ name, country: "JPN" }, { year }),
    record: ({ companies }: Feed, name: string) => companies.queryOf({ name, country: "JPN" }),
    classification: ({ taxonomies }: Feed, name: string) => taxonomies.query({ name, country: "JPN" }),
  };

  const MISSING = CASES.missing as [keyof typeof QUERIES, string, number | null, string][];
  it.each(MISSING)("of %s by %s in %s names the company", async (kind, name, year, message) => {
    await start("two", { hasFinancials: false });
    const error = await readError((feed) => QUERIES[kind](feed, name, year));
    expect(error).toMatchObject({ code: "FEED_NOT_FOUND", message, facts: { named: { name, country: "JPN" } } });
  });

  it("says so too of a company that was chosen for the name, and asks for no index", async () => {
    await start("two", { hasFinancials: false });
    running.feed.resolutions.record({ name: "Sakura", country: "JPN", companyId: LISTED, companyName: "Sakura Foods" });
    expect(await failureOf("FINANCIAL", "Sakura")).toBe(
      'FEED_NOT_FOUND Sakura Foods, which "Sakura" means here, has no financials; choose another company',
    );
    expect(running.requests().filter(({ path }) => path === SEARCH || path === CLASSIFIED)).toEqual([]);
  });

  it("stays of the id where the id was written", async () => {
    await start("two", { hasFinancials: false });
    const error = await readError(({ financials }) => financials.query({ companyId: LISTED }));
    expect(error).toMatchObject({ message: expect.stringContaining("check the id"), facts: {} });
  });
});

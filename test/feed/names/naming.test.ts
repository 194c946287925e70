import { afterEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS } from "../../../src/contract/constants";
import { awaitAnswer, type FeedOnServer, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import CASES from "./naming.json";

const FINANCIALS = OPERATIONS.getFinancialsOfMany.path;
const SEARCH = OPERATIONS.searchCompanies.path;
const CLASSIFIED = OPERATIONS.listTaxonomyCompanies.path;

let running: FeedOnServer;
afterEach(() => running.close());

/** Starts a provider, at which `numbers` gives the company of each registration number. */
async function start(numbers: Readonly<Record<string, string>> = {}): Promise<void> {
  running = await startFeedOn((request) => answer(request, numbers));
}

function answer({ path, query, body }: Received, numbers: Readonly<Record<string, string>>): Answering | undefined {
  const page = (data: unknown[]): Answering => ({ json: { data, page: 1, pageSize: 100, total: data.length } });
  const country = query.get("country");
  if (path === FINANCIALS) {
    const [number = ""] = (body as { identifiers: string[] }).identifiers;
    return page(number in numbers ? [{ companyId: numbers[number], years: [{ year: 2022 }, { year: 2023 }] }] : []);
  }
  if (path === SEARCH && query.has("identifier")) return page([]);
  if (path === SEARCH) return page(country === "SGP" ? CASES.abroad : CASES.private);
  if (path === CLASSIFIED) return page(country === "SGP" ? [] : CASES.listed);
  return path.startsWith(`${OPERATIONS.getCompanyFinancials.path.split("{")[0]}`)
    ? { json: { companyId: path.split("/").at(-1), years: [] } }
    : undefined;
}

const idOf = async (name: string, country = "JPN"): Promise<string> => {
  const { companyId } = await awaitAnswer(running.feed, running.feed.financials.query({ name, country }));
  return companyId;
};
const errorOf = (name: string, country = "JPN") =>
  idOf(name, country).then(String, (error) => `${error.code} ${error.message}`);
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
    await Promise.all([idOf("Hill"), idOf("JPN:4952"), errorOf("Mori Metals"), errorOf("Nobody Ltd")]);
    expect(countLookups()).toBe(before);
  });

  it("that several companies have is an error with a text for each", async () => {
    await start();
    expect(await errorOf("mori metals")).toBe(
      'FEED_AMBIGUOUS "mori metals" is the name of 2 companies: "JPN:77" (Mori Metals, private, Osaka); "JPN:78" (Mori Metals, private, Kobe); choose one in the FEED pane, or put one of the quoted texts in place of the name',
    );
  });

  it("that no company has is an error with the closest", async () => {
    await start();
    expect(await errorOf("Sakura Food")).toBe(
      'FEED_NO_VALUE no company in JPN is called "Sakura Food"; closest: "Sakura Foods Co., Ltd." (株式会社さくら食品, listed: no financials); correct the spelling, or choose the company in the FEED pane',
    );
    expect(await errorOf("Mory Metals")).toContain('closest: "JPN:77" (Mori Metals, private, Osaka); "JPN:78"');
    expect(await errorOf("zzz")).toBe(
      'FEED_NO_VALUE no company in JPN is called "zzz"; correct the spelling, or search all countries in Find',
    );
  });

  it("that is also another company's registration number is an error", async () => {
    await start({ "4952": "someone" });
    await idOf("Hill"); // the index is at hand
    expect(await errorOf("4952")).toMatch(
      /^FEED_AMBIGUOUS "4952" is a registration number and a ticker or name: "someone" \(the company of this registration number\); "JPN:4952" \(株式会社さくら食品, listed: no financials\); put one of the quoted texts in place of it$/,
    );
    expect(await idOf("JPN:4952")).toBe("listed-sakura");
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
    const read = (name: string) => awaitAnswer(feed, feed.names.queryId(name, "JPN"));
    feed.resolutions.adopt([{ name: "Hill", country: "JPN", companyId: "old-hill", companyName: "Hill" }]);
    expect(await read("Hill")).toBe("old-hill");
    expect(countLookups()).toBe(0);
    expect(await read("SGP:Sakura Foods")).toBe("abroad");
    expect(await read("TSX:4952")).toBe("listed-sakura");
    expect(await read("Sakura Fo")).toBe("listed-sakura");
    expect(feed.resolutions.list().map(({ name }) => name)).toEqual(["Hill", "SGP:Sakura Foods", "TSX:4952"]);
  });

  it("fails with the name, so that the pane can open on its candidates", async () => {
    await start();
    const named = { name: "mori metals", country: "JPN" };
    const failed = awaitAnswer(running.feed, running.feed.financials.query(named));
    await expect(failed).rejects.toMatchObject({ code: "FEED_AMBIGUOUS", facts: { named } });
    const unknown = awaitAnswer(running.feed, running.feed.names.queryId("Mory Metals", "JPN"));
    await expect(unknown).rejects.toMatchObject({
      code: "FEED_NO_VALUE",
      facts: { named: { name: "Mory Metals", country: "JPN" } },
    });
  });
});

describe("the candidates of a text", () => {
  const list = async (text: string, family?: "private") => {
    const { rows } = await awaitAnswer(running.feed, running.feed.names.query(text, "JPN", "candidates", family));
    return rows.map(({ companyId }) => companyId);
  };

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
});

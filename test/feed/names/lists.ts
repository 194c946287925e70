import { OPERATIONS } from "../../../src/contract/constants";
import { startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";

/** A provider's two lists of companies, and their faults. */
export interface Lists {
  classified: number;
  privates: number;
  /** The most rows of a page. */
  cap: number;
  /** The company of this number has gone, and another entered at the end; default none. */
  gone?: number;
  /** The owner of the persisted data; default this provider's alone. */
  owner?: string;
  /** The clock's initial time, milliseconds since the Unix epoch. */
  startMs?: number;
  /** Answers a request instead; undefined leaves it to the lists. */
  instead?: (request: Received, family: "taxonomy" | "private", page: number) => Answering | undefined;
}

export type FeedOnLists = Awaited<ReturnType<typeof startLists>>;

export const toId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/**
 * Starts a feed at a provider whose companies are named "Lotus 1", "Lotus 2" …; both lists begin with the same
 * companies.
 */
export async function startLists(given: Partial<Lists> = {}) {
  const lists: Lists = { classified: 30, privates: 20, cap: 10, ...given };
  const running = await startFeedOn(answer, { startMs: lists.startMs }, lists.owner);
  function answer(request: Received): Answering | undefined {
    const family = FAMILIES.get(request.path);
    if (family === undefined) return undefined;
    const page = Number(request.query.get("page"));
    const size = Math.min(lists.cap, Number(request.query.get("page_size") ?? 25));
    const total = family === "taxonomy" ? lists.classified : lists.privates;
    const { gone = total + 1 } = lists;
    const all = Array.from({ length: total }, (_, index) => (index + 1 < gone ? index + 1 : index + 2));
    const numbers = all.slice((page - 1) * size, page * size);
    const data = numbers.map((number) => (family === "taxonomy" ? toClassified(number) : toPrivate(number)));
    return lists.instead?.(request, family, page) ?? { json: { data, page, pageSize: size, total } };
  }
  /** The number of requested pages, of both lists. */
  const count = () => running.requests().filter(({ path }) => FAMILIES.has(path)).length;
  return { ...running, lists, count };
}

const FAMILIES = new Map<string, "taxonomy" | "private">([
  [OPERATIONS.listTaxonomyCompanies.path, "taxonomy"],
  [OPERATIONS.searchCompanies.path, "private"],
]);

const toClassified = (number: number) => ({
  companyId: toId(number),
  companyFormalName: `Lotus ${number} Co., Ltd.`,
  companyEnglishName: `Lotus ${number}`,
  companyInformalName: null,
  tickerSymbol: null,
  countryCode: "JPN",
  taxonomy: [],
});

const toPrivate = (number: number) => ({
  id: toId(number).toUpperCase(),
  companyName: `Lotus ${number}`,
  registrationNumber: `R-${number}`,
  registeredAddress: { country: "JPN" },
  representatives: [{ fullName: "Secret Person", email: "secret@example.com" }],
});

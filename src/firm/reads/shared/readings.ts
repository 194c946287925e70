import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { DEFAULT_PAGE_SIZE, type OperationId } from "../../../contract/constants";
import type { Content } from "./read-through";
import type { Found } from "./result";
import { type SharedCache, toAnswerKey } from "./shared-cache";

/** The operations whose answers come page by page (§4). */
const PAGED: readonly OperationId[] = [
  "searchCompanies",
  "listTaxonomyCompanies",
  "listIndustryCompanies",
  "listSubSectorCompanies",
  "listSectorCompanies",
  "rankCompanies",
  "rankCompanyPages",
  "rankIndustries",
];

/** The list and the page that a query requests. */
export interface ListAddress {
  /** The key of the list, for any page and page_size. */
  list: string;
  /** Counted from 1; NaN where it cannot be read. */
  page: number;
  /** As requested; "" where it was not. */
  pageSize: string;
}

/**
 * Reads the list and page of a path; undefined for other operations.
 * @param scope The provider and client, by `toScope`.
 */
export function readListAddress(scope: string, operation: OperationId, path: string): ListAddress | undefined {
  if (!PAGED.includes(operation)) return undefined;
  const [place = "", query = ""] = path.split("?");
  const parameters = new URLSearchParams(query);
  const page = parameters.get("page") ?? "1";
  const pageSize = parameters.get("page_size") ?? "";
  parameters.delete("page");
  parameters.delete("page_size");
  const list = toAnswerKey(scope, `${place}?${parameters}`);
  return { list, page: /^[1-9]\d{0,8}$/.test(page) ? Number(page) : Number.NaN, pageSize };
}

/** Longest gap between two pages of a reading: the provider may take that long for one. */
const PAUSE_MS = 30_000;
/** Longest duration of a reading. */
const LONGEST_READING_MS = 10 * 60_000;
const ID_BYTES = 16;
/** Readings that may be gone on with. */
const MOST_READINGS = 10_000;
const TICKET = /^([\w-]{22})\.(\d{1,15})$/;

/** One reading of a list: its pages were read one after the other, and are as old as the first. */
interface Reading {
  id: string;
  list: string;
  startedMs: number;
  /** When its last page came. */
  lastMs: number;
  /** Rows of the whole list, as each of its pages says; null where they give none. */
  total: number | null;
  /** Whether its first page is the whole list. */
  isWhole: boolean;
  /** Whether no reader may start with it any more, since one of its pages is gone. */
  isEnded: boolean;
}

/** One reader's part in a reading. */
interface Part {
  reading: Reading;
  /** The name by which the reader requests further pages. */
  ticket: string;
  /** When the reader got the first page. */
  sinceMs: number;
}

/** The readings of lists in this process: another instance does not know them, and its readers begin anew. */
export type Readings = ReturnType<typeof createReadings>;

/** @param cache Has the pages; in this process's memory. */
export function createReadings(cache: SharedCache, nowMs: () => number) {
  const byId = new LRUCache<string, Reading>({ max: MOST_READINGS });
  /** By list and size of its first page. */
  const latest = new LRUCache<string, Reading>({ max: MOST_READINGS });
  const write = ({ id, startedMs }: Reading, address: ListAddress, { body }: Found) =>
    cache.store(new Map([[toPageKey(id, address), body]]), startedMs);
  /** Gives a page of a reading. */
  const findPage = async (part: Part, address: ListAddress): Promise<Found | undefined> => {
    const [text] = await cache.read([toPageKey(part.reading.id, address)]);
    return text && toFound(part, { is: "found", ...text });
  };
  return {
    findPage,
    /** Gives the first page of the latest reading, fresh or stale, unless that has ended. */
    async findFirst(address: ListAddress): Promise<Found | undefined> {
      const reading = latest.get(toFirstKey(address));
      return reading === undefined || reading.isEnded ? undefined : findPage(toPart(reading, nowMs()), address);
    },
    /** Starts a reading with its first page. */
    async start(address: ListAddress, found: Found, content: Content): Promise<Found> {
      const { list } = address;
      const id = randomBytes(ID_BYTES).toString("base64url");
      const [startedMs, isWhole] = [found.atMs, isOnlyPage(content, address)];
      const reading = { id, list, startedMs, lastMs: startedMs, total: content.total, isWhole, isEnded: false };
      await write(reading, address, found);
      byId.set(id, reading);
      latest.set(toFirstKey(address), reading);
      return toFound(toPart(reading, found.atMs), found);
    },
    find({ list }: ListAddress, ticket: string): Part | undefined {
      const [, id = "", since] = TICKET.exec(ticket) ?? [];
      const reading = byId.get(id);
      return reading?.list === list ? { reading, ticket, sinceMs: Number(since) } : undefined;
    },
    /**
     * Whether a reading may go on: otherwise its further pages would be of another moment. After a first page out of the
     * cache it goes on only if somebody has loaded another page since.
     */
    mayGoOn: ({ reading: { startedMs, lastMs, isEnded }, sinceMs }: Part): boolean =>
      !isEnded && lastMs >= sinceMs && nowMs() - lastMs <= PAUSE_MS && nowMs() - startedMs <= LONGEST_READING_MS,
    /** Adds a page to a reading. A page with another total ends the reading and is returned without one. */
    async join(part: Part, address: ListAddress, found: Found, content: Content): Promise<Found> {
      const { reading } = part;
      if (content.form === "unsure") return found;
      reading.isEnded ||= content.total !== reading.total && !isPastEnd(content, reading, address);
      if (reading.isEnded) return found;
      reading.lastMs = found.atMs;
      await write(reading, address, found);
      return toFound(part, found);
    },
  };
}

const toFirstKey = ({ list, pageSize }: ListAddress): string => `${list} ${pageSize}`;
const toPageKey = (id: string, { page, pageSize }: ListAddress): string => `${id} page ${page} ${pageSize}`;
const toPart = (reading: Reading, sinceMs: number): Part => ({ reading, ticket: `${reading.id}.${sinceMs}`, sinceMs });

/** Whether a first page is certainly the whole list: a full page may have successors, whatever its total says. */
export const isOnlyPage = ({ rows, total }: Content, address: ListAddress): boolean =>
  rows === total && rows < toSize(address);

/** Whether a page lies beyond the last row and gives no total: a provider may count only the page's own rows. */
function isPastEnd({ form, total }: Content, reading: Reading, address: ListAddress): boolean {
  if (form !== "nothing" || (total ?? 0) !== 0 || reading.total === null) return false;
  return (address.page - 1) * toSize(address) >= reading.total;
}

const toSize = ({ pageSize }: ListAddress): number => Number(pageSize || DEFAULT_PAGE_SIZE);

/** A reading is as old as its first page. */
const toFound = ({ reading: { isWhole, startedMs }, ticket }: Part, found: Found): Found => ({
  ...found,
  atMs: startedMs,
  reading: { id: ticket, isWhole },
});

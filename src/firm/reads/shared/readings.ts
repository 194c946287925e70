import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { ANY_READING, FRESH_READING } from "../../../contract/companion-api";
import { DEFAULT_PAGE_SIZE, type OperationId } from "../../../contract/constants";
import { ANY_AGE } from "./age-limit";
import {
  type CachePlace,
  type Content,
  type Read,
  type ReadThroughOptions,
  readThrough,
  readUncached,
} from "./read-through";
import type { AgedAnswer, Found } from "./result";
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
  /** When the reader got the first page. */
  sinceMs: number;
}

/**
 * Creates the readings of lists in this process: another instance does not know them, and its readers begin anew.
 * @param cache Has the pages; in this process's memory.
 */
export function createReadings(cache: SharedCache, nowMs: () => number) {
  const byId = new LRUCache<string, Reading>({ max: MOST_READINGS });
  /** By list and size of its first page. */
  const latest = new LRUCache<string, Reading>({ max: MOST_READINGS });
  return {
    /**
     * Gives the place of a first page, which starts a reading.
     * @param isOnly Whether it serves only where it is the whole list: its reader names no reading.
     */
    toFirstPlace(address: ListAddress, isOnly: boolean): CachePlace {
      const key = toPageKey(address.list, address);
      return {
        key: isOnly ? `${key} only` : key,
        async read() {
          const reading = latest.get(key);
          const serves = reading !== undefined && !reading.isEnded && (reading.isWhole || !isOnly);
          return serves ? readPage(cache, { reading, sinceMs: nowMs() }, address) : undefined;
        },
        async store(found, content) {
          const isWhole = isOnlyPage(content, address);
          if (content.form !== "data" || (isOnly && !isWhole)) return found;
          const id = randomBytes(ID_BYTES).toString("base64url");
          const [{ list }, { total }, { atMs }] = [address, content, found];
          const reading = { id, list, startedMs: atMs, lastMs: atMs, total, isWhole, isEnded: false };
          const stored = await storePage(cache, { reading, sinceMs: atMs }, address, found);
          byId.set(id, reading);
          latest.set(key, reading);
          return stored;
        },
      };
    },
    /** Finds the place of a further page. A reading that cannot continue is ended: the next reader starts a new one. */
    async findPlace(address: ListAddress, ticket: string): Promise<CachePlace | undefined> {
      const [, id = "", since] = TICKET.exec(ticket) ?? [];
      const reading = byId.get(id);
      if (reading?.list !== address.list) return undefined;
      const part = { reading, sinceMs: Number(since) };
      const place: CachePlace = {
        key: `${toPageKey(address.list, address)} ${id}`,
        read: () => readPage(cache, part, address),
        async store(found, content) {
          if (content.form === "unsure") return found;
          reading.isEnded ||= content.total !== reading.total && !isPastEnd(content, reading, address);
          if (reading.isEnded) return found; // of another total, and so of no reading
          reading.lastMs = found.atMs;
          return storePage(cache, part, address, found);
        },
      };
      if (mayGoOn(part, nowMs()) || (await place.read()) !== undefined) return place;
      reading.isEnded = true;
      return undefined;
    },
  };
}

/**
 * Reads a page of a list. Pages of one list belong to one reading: they are cached, aged and served together. A reader
 * who names no reading gets a cached page only where it is the whole list, so that no two moments are mixed.
 * @param reading The one it names: any for a first page; then that one; or a fresh one, loaded page by page.
 * @returns A page without a reading is current and belongs to none.
 * @throws Refusal as of ProviderClient, and of the reader's own quota.
 */
export async function readList(
  options: ReadThroughOptions & { readings: ReturnType<typeof createReadings> },
  address: ListAddress,
  read: Read,
  reading?: string,
): Promise<AgedAnswer> {
  const { readings } = options;
  if (address.page === 1 && reading !== FRESH_READING) {
    return readThrough(options, readings.toFirstPlace(address, reading !== ANY_READING), read);
  }
  // A page without a readable number is no page of a reading.
  const place = Number.isNaN(address.page) ? undefined : await readings.findPlace(address, reading ?? "");
  return place === undefined ? readUncached(options, read) : readThrough(options, place, { ...read, limit: ANY_AGE });
}

async function readPage(cache: SharedCache, part: Part, address: ListAddress): Promise<Found | undefined> {
  const [text] = await cache.read([toPageKey(part.reading.id, address)]);
  return text && toFound(part, { is: "found", ...text });
}

async function storePage(cache: SharedCache, part: Part, address: ListAddress, found: Found): Promise<Found> {
  await cache.store(new Map([[toPageKey(part.reading.id, address), found.body]]), part.reading.startedMs);
  return toFound(part, found);
}

/**
 * Whether a reading may go on: otherwise its further pages would be of another moment. After a first page out of the
 * cache it goes on only if somebody has loaded another page since.
 */
function mayGoOn({ reading: { startedMs, lastMs, isEnded }, sinceMs }: Part, nowMs: number): boolean {
  return !isEnded && lastMs >= sinceMs && nowMs - lastMs <= PAUSE_MS && nowMs - startedMs <= LONGEST_READING_MS;
}

const toPageKey = (of: string, { page, pageSize }: ListAddress): string => `${of} page ${page} ${pageSize}`;

/** Whether a first page is certainly the whole list: a full page may have successors, whatever its total says. */
const isOnlyPage = ({ rows, total }: Content, address: ListAddress): boolean =>
  rows === total && rows < toSize(address);

/** Whether a page lies beyond the last row and gives no total: a provider may count only the page's own rows. */
function isPastEnd({ form, total }: Content, reading: Reading, address: ListAddress): boolean {
  if (form !== "nothing" || (total ?? 0) !== 0 || reading.total === null) return false;
  return (address.page - 1) * toSize(address) >= reading.total;
}

const toSize = ({ pageSize }: ListAddress): number => Number(pageSize || DEFAULT_PAGE_SIZE);

/** A reading is as old as its first page. */
const toFound = ({ reading: { id, startedMs }, sinceMs }: Part, found: Found): Found => ({
  ...found,
  atMs: startedMs,
  reading: `${id}.${sinceMs}`,
});

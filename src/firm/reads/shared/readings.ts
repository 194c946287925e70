import { randomBytes } from "node:crypto";
import { DEFAULT_PAGE_SIZE, type OperationId } from "../../../contract/constants";
import { readJsonObject } from "../json";
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
/** Stands for an absent page_size. */
const NO_SIZE = "0";
const TICKET = /^(([01])-(\d{1,4})-[\w-]{22})\.(\d{1,15})$/;

/** One reading of a list: its pages were read one after the other, and are as old as the first. */
interface Reading {
  id: string;
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

/**
 * The readings of one list in the shared cache. The latest two are stored, so that a reader in the middle of one can go
 * on.
 */
export interface Readings {
  /** Gives the first page of the latest reading, fresh or stale, unless that has ended. */
  findFirst(): Promise<Found | undefined>;
  /** Starts a reading with its first page. */
  start(found: Found, content: Content): Promise<Found>;
  find(ticket: string): Promise<Part | undefined>;
  /** Gives a page of a reading. */
  findPage(part: Part): Promise<Found | undefined>;
  /**
   * Whether a reading may go on: otherwise its further pages would be of another moment. After a cached first page it
   * goes on only if another page has come since; without other readers of the list that page is old.
   */
  mayGoOn(part: Part): boolean;
  /** Adds a page to a reading. A page with another total ends the reading and is returned without one. */
  join(part: Part, found: Found, content: Content): Promise<Found>;
  end(reading: Reading): Promise<void>;
}

/** @param cache The shared cache of the list's family. */
export function createReadings(cache: SharedCache, address: ListAddress, nowMs: () => number): Readings {
  const { readStates, write, findPage } = createPlaces(cache, address);
  const firstSize = address.pageSize || NO_SIZE;
  const ownPlaces = [0, 1].map((place) => toPlaceKey(address, place, firstSize));
  const find: Readings["find"] = async (ticket) => {
    const [, id, place, size, since] = TICKET.exec(ticket) ?? [];
    if (size === undefined) return undefined;
    const [reading] = await readStates([toPlaceKey(address, Number(place), size)]);
    return reading?.id === id ? { reading: reading!, ticket, sinceMs: Number(since) } : undefined;
  };
  return {
    find,
    findPage,
    async findFirst() {
      const [latest] = (await readStates(ownPlaces)).filter((reading) => reading !== undefined).sort(byStart);
      return latest === undefined || latest.isEnded ? undefined : findPage(toPart(latest, nowMs()));
    },
    async start(found, content) {
      const [first, second] = await readStates(ownPlaces);
      const place = (first?.startedMs ?? 0) <= (second?.startedMs ?? 0) ? 0 : 1;
      const id = `${place}-${firstSize}-${randomBytes(ID_BYTES).toString("base64url")}`;
      const times = { startedMs: found.atMs, lastMs: found.atMs };
      const isWhole = isOnlyPage(content, address);
      const reading = { id, ...times, total: content.total, isWhole, isEnded: false };
      await write(reading, found.body);
      return toFound(toPart(reading, found.atMs), found);
    },
    mayGoOn: ({ reading: { startedMs, lastMs, isEnded }, sinceMs }) =>
      !isEnded && lastMs >= sinceMs && nowMs() - lastMs <= PAUSE_MS && nowMs() - startedMs <= LONGEST_READING_MS,
    async join({ ticket }, found, content) {
      const part = await find(ticket); // a newer reading may have replaced it
      if (part === undefined || content.form === "unsure") return found;
      const { reading } = part;
      const isSteady = content.total === reading.total || isPastEnd(content, reading, address);
      await (isSteady ? write({ ...reading, lastMs: found.atMs }, found.body) : write({ ...reading, isEnded: true }));
      return isSteady ? toFound(part, found) : found;
    },
    end: (reading) => write({ ...reading, isEnded: true }),
  };
}

/** Creates the access to readings and their pages, each in one of the list's two places. */
function createPlaces(cache: SharedCache, address: ListAddress) {
  // Pages may differ in size, so the place carries the first page's size, which the id holds.
  const toKey = ({ id }: Reading) => toPlaceKey(address, Number(id[0]), id.split("-")[1]!);
  const toPageKey = (reading: Reading) => `${toKey(reading)} page ${address.page} ${address.pageSize}`;
  return {
    async readStates(keys: readonly string[]) {
      const texts = await cache.read(keys);
      return texts.map((text) => readState(text?.body));
    },
    async write(reading: Reading, page?: Buffer) {
      const texts = new Map([[toKey(reading), Buffer.from(JSON.stringify(reading))]]);
      if (page) texts.set(toPageKey(reading), Buffer.concat([Buffer.from(reading.id), page]));
      await cache.store(texts, reading.startedMs);
    },
    async findPage(part: Part): Promise<Found | undefined> {
      const { reading } = part;
      const [text] = await cache.read([toPageKey(reading)]);
      const { length } = reading.id;
      // The page may be left over from an earlier reading in the same place.
      if (text?.body.toString("latin1", 0, length) !== reading.id) return undefined;
      return toFound(part, { is: "found", atMs: reading.startedMs, body: text.body.subarray(length) });
    },
  };
}

const toPlaceKey = ({ list }: ListAddress, place: number, firstSize: string): string =>
  `${list} reading ${firstSize} ${place}`;

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

const byStart = (one: Reading, other: Reading): number => other.startedMs - one.startedMs;

function readState(text: Buffer | undefined): Reading | undefined {
  const state = readJsonObject(text) as Partial<Reading>;
  return typeof state.id === "string" ? (state as Reading) : undefined;
}

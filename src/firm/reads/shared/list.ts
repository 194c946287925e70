import { ANY_READING, FRESH_READING } from "../../../contract/companion-api";
import { ANY_AGE } from "./age-limit";
import { type CachePlace, type Read, type ReadThroughOptions, readThrough, readUncached } from "./read-through";
import { isOnlyPage, type ListAddress, type Readings } from "./readings";
import type { AgedAnswer } from "./result";

/** The parts that a read of a list uses; its cache is in this process's memory. */
type ListOptions = ReadThroughOptions & { readings: Readings };

/**
 * Reads a page of a list. Pages of one list belong to one reading: they are cached, aged and served together. A reader
 * who names no reading gets a cached page only where it is the whole list, so that no two moments are mixed.
 * @param reading The one it names: any for a first page; then that one; or a fresh one, loaded page by page.
 * @returns A page without a reading is current and belongs to none.
 * @throws Refusal as of ProviderClient, and of the reader's own quota.
 */
export async function readList(
  options: ListOptions,
  address: ListAddress,
  read: Read,
  reading?: string,
): Promise<AgedAnswer> {
  const { readings } = options;
  const key = `${address.list} page ${address.page} ${address.pageSize}`;
  if (address.page === 1 && reading !== FRESH_READING) {
    return readThrough(options, toFirstPlace(key, readings, address, reading !== ANY_READING), read);
  }
  // A page without a readable number is no page of a reading.
  const place = Number.isNaN(address.page) ? undefined : await findPlace(key, readings, address, reading);
  if (place === undefined) return readUncached(options, read);
  return readThrough(options, place, { ...read, limit: ANY_AGE });
}

/**
 * Gives the place of a first page.
 * @param isOnly Whether it serves only where it is the whole list: its reader names no reading.
 */
function toFirstPlace(key: string, readings: Readings, address: ListAddress, isOnly: boolean): CachePlace {
  return {
    key: isOnly ? `${key} only` : key,
    async read() {
      const found = await readings.findFirst(address);
      return isOnly && !found?.reading?.isWhole ? undefined : found;
    },
    async store(found, content) {
      const isShared = content.form === "data" && (!isOnly || isOnlyPage(content, address));
      return isShared ? readings.start(address, found, content) : found;
    },
  };
}

/**
 * Finds the place of a further page. A reading that cannot continue is ended, so that the next reader starts a new one.
 */
async function findPlace(
  key: string,
  readings: Readings,
  address: ListAddress,
  ticket = "",
): Promise<CachePlace | undefined> {
  const part = readings.find(address, ticket);
  if (part === undefined) return undefined;
  const { reading } = part;
  const place: CachePlace = {
    key: `${key} ${reading.id}`,
    read: () => readings.findPage(part, address),
    store: (found, content) => readings.join(part, address, found, content),
  };
  if (readings.mayGoOn(part) || (await place.read()) !== undefined) return place;
  reading.isEnded = true;
  return undefined;
}

import type { ProviderQuery } from "../../../companion/feature";
import { ANY_READING, FRESH_READING } from "../../../contract/companion-api";
import { type AgeLimit, ANY_AGE, type Wanted } from "./age-limit";
import { type CachePlace, type ReadThroughOptions, readThrough, readUncached } from "./read-through";
import { createReadings, isOnlyPage, type ListAddress, type Readings } from "./readings";
import type { AgedAnswer, Reader } from "./result";

/**
 * Reads a page of a list. Pages of one list belong to one reading: they are cached, aged and served together. A reader
 * who names no reading gets a cached page only where it is the whole list, so that no two moments are mixed.
 * @param wanted Its reading: any for a first page; then that one; or a fresh one, loaded page by page.
 * @returns A page without a reading is current and belongs to none.
 * @throws Refusal as of ProviderClient, and of the reader's own count.
 */
export async function readList(
  options: ReadThroughOptions,
  address: ListAddress,
  query: ProviderQuery,
  reader: Reader,
  limit: AgeLimit,
  wanted: Wanted,
): Promise<AgedAnswer> {
  const readings = createReadings(options.cache, address, options.nowMs);
  const key = `${address.list} page ${address.page} ${address.pageSize}`;
  if (address.page === 1 && wanted.reading !== FRESH_READING) {
    const place = wanted.reading === ANY_READING ? toFirstPlace(key, readings) : toOnlyPlace(key, readings, address);
    return readThrough(options, place, query, reader, limit);
  }
  // A page without a readable number is no page of a reading.
  const place = Number.isNaN(address.page) ? undefined : await findPlace(key, readings, wanted.reading);
  if (place === undefined) return readUncached(options, query, reader);
  return readThrough(options, place, query, reader, ANY_AGE);
}

function toFirstPlace(key: string, readings: Readings): CachePlace {
  return {
    key,
    read: readings.findFirst,
    store: async (found, content) => (content.form === "data" ? readings.start(found, content) : found),
  };
}

/** Gives the place for a reader who names no reading: a cached page serves where it is the whole list. */
function toOnlyPlace(key: string, readings: Readings, address: ListAddress): CachePlace {
  const { read, store } = toFirstPlace(key, readings);
  return {
    key: `${key} only`,
    async read() {
      const found = await read();
      return found?.reading?.isWhole ? found : undefined;
    },
    store: async (found, content) => (isOnlyPage(content, address) ? store(found, content) : found),
  };
}

/**
 * Finds the place of a further page. A reading that cannot continue is ended, so that the next reader starts a new one.
 */
async function findPlace(key: string, readings: Readings, ticket: string | undefined): Promise<CachePlace | undefined> {
  const part = ticket === undefined ? undefined : await readings.find(ticket);
  if (part === undefined) return undefined;
  const { reading } = part;
  const place: CachePlace = {
    key: `${key} ${reading.id}`,
    read: () => readings.findPage(part),
    store: (found, content) => readings.join(part, found, content),
  };
  if (readings.mayGoOn(part) || (await place.read()) !== undefined) return place;
  await readings.end(reading);
  return undefined;
}

import type { Call, LoadOptions, Provider } from "../../client/provider";
import { ANY_READING, FRESH_READING } from "../../contract/companion-api";
import type { Page } from "../decode";
import type { PagesOptions } from "./types";

/**
 * Creates what reads the pages of a list. A companion that caches lists says of which reading each page is, and is asked
 * for further pages of the same one.
 */
export const createLoadPage =
  (provider: Provider, call: Call, options: LoadOptions, decode: (body: unknown) => Page): PagesOptions["loadPage"] =>
  async (page, pageSize, reading) => {
    const asked = page === 1 ? ANY_READING : reading.id;
    const query = { ...call.query, page, page_size: pageSize };
    const reply = await provider.load({ ...call, query, reading: reading.isFresh ? FRESH_READING : asked }, options);
    if (page === 1) reading.id = reply.reading;
    const isOther = reading.id !== undefined && reply.reading !== reading.id;
    return { ...decode(reply.body), asOfMs: reply.asOfMs, ...(isOther && { isOfAnotherReading: true }) };
  };

import { NoValueError } from "../../client/errors";
import { type Row, readText } from "../decode";
import { isRegistration, type Naming, toDistinct, toUnregistered } from "./naming";

/** So many companies with one number there cannot be: a search that finds them is no search by that number. */
export const MOST_FOUND = 100;

/**
 * Picks whose a number is from the whole search over all countries. The filter also takes "other ids" (§4.2): only a
 * company that has the very number counts.
 *
 * @throws RequestError (FEED_NOT_FOUND) where nobody has it; NoValueError (FEED_AMBIGUOUS) where the search is not by number
 */
export function nameBySearch(rows: readonly Row[], registrationNumber: string): Naming {
  const records = rows.filter(
    ({ id, registrationNumber: own }) => readText(id) !== null && isRegistration(own, registrationNumber),
  );
  const ids = toDistinct(records.map(({ id }) => String(id)));
  if (ids.length <= 1 && rows.length >= MOST_FOUND) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      `the search for "${registrationNumber}" gives ${MOST_FOUND} companies or more, too many to tell; use the company's id`,
    );
  }
  if (ids.length === 0) throw toUnregistered(registrationNumber);
  return { ids, count: ids.length, records };
}

import { NoValueError } from "../../client/errors";

/**
 * The refusal of a query that would take too many requests.
 *
 * @param requests how many; null when nobody knows
 * @param sent how many of them a build that is under way has sent
 */
export function toNotReady(country: string, requests: number | null, sent?: number): NoValueError {
  const index = `the index of names for ${country}`;
  const many = requests === null ? "many requests" : `about ${requests} requests`;
  return new NoValueError(
    "FEED_INDEX_NOT_READY",
    sent === undefined
      ? `${index} is not built: ${many}; build it in the FEED pane`
      : `${index} is being built: ${sent} of ${many}; this shows when it is built`,
  );
}

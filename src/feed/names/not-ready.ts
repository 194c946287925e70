import { NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";

/** Makes the error of a stored index that is gone, as after the browser has evicted it. */
export const toLost = (): NoValueError =>
  new NoValueError("FEED_INDEX_NOT_READY", msg`the index of names is lost; build it again in the FEED pane`);

/**
 * Makes the error of a query whose index would take too many requests.
 *
 * @param requests of the whole build; null when unknown
 * @param sent requests that a build under way has sent; absent without one
 */
export function toNotReady(country: string, requests: number | null, sent?: number): NoValueError {
  const many = requests === null ? msg`many requests` : msg`about ${requests} requests`;
  return new NoValueError(
    "FEED_INDEX_NOT_READY",
    sent === undefined
      ? msg`the index of names for ${country} is not built: ${many}; build it in the FEED pane`
      : msg`the index of names for ${country} is being built: ${sent} of ${many}; this shows when it is built`,
  );
}

import { RequestError } from "../client/errors";
import { msg } from "../client/messages";

/**
 * Loads a script that most pages do not need, or not at once.
 *
 * @param load imports it; after a failure the next import requests it again
 * @throws RequestError (FEED_NETWORK_FAILED)
 */
export async function loadScript<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    throw toUnreached();
  }
}

/** Makes the error of a script that did not come. */
export const toUnreached = (): RequestError =>
  new RequestError(
    "FEED_NETWORK_FAILED",
    msg`a script of this add-in was not reached; check the network and that the companion runs, then refresh`,
  );

import { RequestError } from "../client/errors";

/**
 * Loads a script that most pages do not need, or not at once.
 *
 * @param load imports it; after a failure the next import requests it again
 * @param work its task for the error text, as in "searches names"
 * @throws RequestError (FEED_NETWORK_FAILED)
 */
export async function loadScript<T>(load: () => Promise<T>, work: string): Promise<T> {
  try {
    return await load();
  } catch {
    throw new RequestError(
      "FEED_NETWORK_FAILED",
      `the script that ${work} was not reached; check the network and that the companion runs, then refresh`,
    );
  }
}

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Provider } from "../provider";

const HEADERS = "undici:request:headers";
const ERROR = "undici:request:error";

/** What the HTTP client tells of a request. */
interface Told {
  request: { origin?: string | URL; path: string };
  response?: { statusCode: number };
}

/**
 * Counts every request to the provider, exchanges of tokens among them: the HTTP client tells of all that leave.
 * @param count Gets "2xx", "3xx", "4xx" or "5xx", "429" for one that came too soon, or "failed" where no answer came.
 * @returns What ends it.
 */
export function watchProviderRequests(provider: () => Provider, count: (outcome: string) => void): () => void {
  const answered = new WeakSet<object>();
  const isOwn = ({ request: { origin, path } }: Told) => `${origin}${path}`.startsWith(`${provider().baseUrl()}/`);
  const noteAnswer = (message: unknown) => {
    const told = message as Told;
    if (!isOwn(told) || told.response === undefined) return;
    answered.add(told.request);
    count(toOutcome(told.response.statusCode));
  };
  const noteFailure = (message: unknown) => {
    const told = message as Told;
    // One that breaks off behind its headers has been counted.
    if (isOwn(told) && !answered.has(told.request)) count("failed");
  };
  subscribe(HEADERS, noteAnswer);
  subscribe(ERROR, noteFailure);
  return () => {
    unsubscribe(HEADERS, noteAnswer);
    unsubscribe(ERROR, noteFailure);
  };
}

const toOutcome = (status: number): string => (status === 429 ? "429" : `${Math.floor(status / 100)}xx`);

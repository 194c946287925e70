import { type ErrorFacts, type FeedError, InternalError, RequestError, SignerError } from "../errors";

/** What the companion says in the provider's place: these it answers for a request that it did not get through. */
const OF_REQUESTS = [
  "FEED_REQUEST_INVALID",
  "FEED_SCOPE_MISSING",
  "FEED_RATE_LIMITED",
  "FEED_SERVER_FAILED",
  "FEED_NETWORK_FAILED",
  "FEED_TIMED_OUT",
] as const;

/**
 * Converts a refusal of the companion itself to the error that it names; a code that is not known is a refusal all the same.
 *
 * @param code what its header says: by that header, which the relay takes from no provider, it is told from an answer
 */
export function toRefusal(code: string, status: number, facts: ErrorFacts): FeedError {
  const told: ErrorFacts = { ...facts, refusal: code };
  if (status === 401) return new SignerError("FEED_SIGNER_REFUSED", NOT_PAIRED, told);
  if (code === "FEED_INTERNAL") return new InternalError("the companion failed, and its log says why", told);
  const said = facts.said === undefined ? ` with ${status}` : `: ${facts.said.replace(/\.$/, "")}`;
  const known = OF_REQUESTS.find((each) => each === code);
  if (known !== undefined) return new RequestError(known, `the companion answered${said}`, told);
  const verb = status >= 500 ? "could not answer" : "refused"; // what failed has refused nothing
  return new SignerError("FEED_SIGNER_REFUSED", `the companion ${verb}${said}`, told);
}

const NOT_PAIRED = "this page is not paired with the companion; enter the pairing code in the FEED pane";

import { COMPANION_DOWN, FeedError, SignerError } from "./errors";
import type { Http } from "./http";
import { msg } from "./messages";

/**
 * Calls the companion and reads its JSON answer.
 *
 * @param said body of a POST or PUT; default empty
 * @param isSecret whether errors must not repeat the body, as a pairing code; default true
 * @throws SignerError (FEED_SIGNER_UNREACHABLE when it cannot be reached, FEED_SIGNER_REFUSED when it refuses),
 *   RequestError (FEED_RATE_LIMITED, FEED_SERVER_FAILED when it answers so itself)
 */
export async function callCompanion(
  http: Http,
  url: string,
  method: "GET" | "POST" | "PUT" | "DELETE",
  said: Record<string, string> = {},
  isSecret = true,
): Promise<Record<string, unknown>> {
  const json = { "content-type": "application/json" };
  const rest = method === "POST" || method === "PUT" ? { headers: json, body: JSON.stringify(said) } : { headers: {} };
  const request = { method, url, isToCompanion: true, secrets: isSecret ? Object.values(said) : [], ...rest };
  try {
    const { body } = await http.send(async () => request, { timeoutMs: COMPANION_MS });
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  } catch (error) {
    throw toSignerError(error);
  }
}

/** The companion is near: without an answer in this time it is down. */
const COMPANION_MS = 10_000;

function toSignerError(error: unknown): unknown {
  if (!(error instanceof FeedError) || error instanceof SignerError) return error;
  const { status, refusal } = error.facts;
  if (refusal !== undefined) return error;
  if (status !== undefined && status >= 400 && status < 500) {
    return new SignerError("FEED_SIGNER_REFUSED", msg`the companion refused: ${error.text}`, { status });
  }
  return new SignerError("FEED_SIGNER_UNREACHABLE", COMPANION_DOWN);
}

import { signAssertion } from "../../assertion";
import { type Client, isKeyRefusal } from "../../client";
import { mayBeRefused, toClockSentence, toSpan } from "../../clock";
import { type Exchange, exchangeAssertion } from "../../exchange";
import { toThumbprint } from "../../key";
import type { Signer } from "../../signer";
import { type Finding, fail, note, pass } from "./finding";

/** Checks with the provider itself that each key is exchanged for a token, and that the clocks agree. */
export async function checkProvider(client: Client, tokenUrl: string, nowMs: () => number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, signer] of client.signers.entries()) {
    const exchange = await load(client, signer, tokenUrl, nowMs);
    if (exchange === undefined) continue;
    const clock = index === 0 ? [checkClock(exchange)] : [];
    const finding = await toFinding(exchange, signer, tokenUrl, index);
    // A clock that is off is why the key is refused.
    findings.push(...(clock[0]?.verdict === "FAIL" ? [...clock, finding] : [finding, ...clock]));
    if (!exchange.ok && exchange.status === 0) break;
  }
  return findings;
}

/** A signer that fails has its own line among the keys. */
async function load(
  { clientId }: Client,
  signer: Signer,
  tokenUrl: string,
  nowMs: () => number,
): Promise<Exchange | undefined> {
  const signed = await signAssertion(clientId, signer, tokenUrl, nowMs()).catch(() => undefined);
  return signed && exchangeAssertion(tokenUrl, clientId, signed.assertion, { nowMs });
}

async function toFinding(exchange: Exchange, signer: Signer, tokenUrl: string, index: number): Promise<Finding> {
  const { keyId } = signer;
  if (exchange.ok)
    return pass(`The provider gives a token for key "${keyId}", of ${exchange.expiresInSeconds} seconds.`);
  const cure = index === 0 ? await toCure(exchange.status, signer, tokenUrl) : CURE_OF_PREVIOUS;
  return fail(`Key "${keyId}": the provider ${exchange.reason}. ${cure}`);
}

const CURE_OF_PREVIOUS = "If it no longer knows that key, unset both FEED_PREVIOUS_ settings.";

async function toCure(status: number, { publicKey }: Signer, tokenUrl: string): Promise<string> {
  if (isKeyRefusal(status)) {
    const thumbprint = await toThumbprint(publicKey);
    return `Check FEED_CLIENT_ID and FEED_KEY_ID, and that the provider has the public key of thumbprint ${thumbprint}.`;
  }
  if (status === 429 || status >= 500) return "Try again later.";
  const network = status === 0 ? ", the network, and what filters it" : "";
  return `Check FEED_BASE_URL${network}: the token endpoint is taken to be ${tokenUrl}.`;
}

function checkClock({ skewMs }: Exchange): Finding {
  if (skewMs === undefined) return note("The clock cannot be compared: no answer of the provider tells its time.");
  if (!mayBeRefused(skewMs)) return pass(`This computer's clock is the provider's (${toSpan(skewMs)} apart).`);
  return fail(`${toClockSentence(skewMs)} Set it by network time: assertions live for 60 s.`);
}

import { OPERATIONS } from "../../../contract/constants";
import { signAssertion } from "../../assertion";
import { type Client, isKeyRefusal } from "../../client";
import { mayBeRefused, toClockSentence, toSpan } from "../../clock";
import { type Exchange, exchangeAssertion } from "../../exchange";
import { toThumbprint } from "../../key";
import type { Signer } from "../../signer";
import { checkFamilies } from "./families";
import { type Finding, fail, note, pass } from "./finding";

const TOKEN_PATH = OPERATIONS.createToken.path;

/** Checks with the provider itself that each key is exchanged for a token, that the clocks agree, and what may be read. */
export async function checkProvider(client: Client, baseUrl: string, nowMs: () => number): Promise<Finding[]> {
  const findings: Finding[] = [];
  let token: string | undefined;
  for (const [index, signer] of client.signers.entries()) {
    const exchange = await load(client, signer, baseUrl + TOKEN_PATH, nowMs);
    if (exchange === undefined) continue;
    if (exchange.ok) token ??= exchange.token;
    const clock = index === 0 ? [checkClock(exchange)] : [];
    const rightUrl = index === 0 && !exchange.ok ? await findBaseUrl(client, signer, baseUrl, nowMs) : undefined;
    if (rightUrl !== undefined) return [fail(toPathSentence(rightUrl)), ...clock];
    const finding = await toFinding(exchange, signer, baseUrl, index);
    // A clock that is off is why the key is refused.
    findings.push(...(clock[0]?.verdict === "FAIL" ? [...clock, finding] : [finding, ...clock]));
    if (!exchange.ok && exchange.status === 0) break;
  }
  return token === undefined ? findings : [...findings, ...(await checkFamilies(baseUrl, token, nowMs()))];
}

/** Finds whether a base URL gives a token once words at the end of its path are left out, as many as must be. */
async function findBaseUrl(
  client: Client,
  signer: Signer,
  baseUrl: string,
  nowMs: () => number,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(baseUrl);
  const words = pathname.split("/").filter((word) => word !== "");
  for (let count = words.length - 1; count >= 0; count -= 1) {
    const shorter = [origin, ...words.slice(0, count)].join("/");
    const exchange = await load(client, signer, shorter + TOKEN_PATH, nowMs);
    if (exchange?.ok) return shorter;
    if (exchange === undefined || exchange.status === 0) return undefined;
  }
  return undefined;
}

const toPathSentence = (rightUrl: string): string =>
  `FEED_BASE_URL has a path that does not belong there: the provider gives a token at ${rightUrl}${TOKEN_PATH}. Set FEED_BASE_URL to ${rightUrl}`;

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

async function toFinding(exchange: Exchange, signer: Signer, baseUrl: string, index: number): Promise<Finding> {
  const { keyId } = signer;
  if (exchange.ok)
    return pass(`The provider gives a token for key "${keyId}", of ${exchange.expiresInSeconds} seconds.`);
  const cure = index === 0 ? await toCure(exchange.status, signer, baseUrl) : CURE_OF_PREVIOUS;
  return fail(`Key "${keyId}": the provider ${exchange.reason}. ${cure}`);
}

const CURE_OF_PREVIOUS = "If it no longer knows that key, unset both FEED_PREVIOUS_ settings.";

async function toCure(status: number, { publicKey }: Signer, baseUrl: string): Promise<string> {
  if (isKeyRefusal(status)) {
    const thumbprint = await toThumbprint(publicKey);
    const { pathname } = new URL(baseUrl);
    const url = pathname === "/" ? "" : `FEED_BASE_URL, whose path ${pathname} is rarely right, `;
    return `Check ${url}FEED_CLIENT_ID and FEED_KEY_ID, and that the provider has the public key of thumbprint ${thumbprint}.`;
  }
  if (status === 429 || status >= 500) return "Try again later.";
  const network = status === 0 ? ", the network, and what filters it" : "";
  return `Check FEED_BASE_URL${network}: the token endpoint is taken to be ${baseUrl}${TOKEN_PATH}.`;
}

function checkClock({ skewMs }: Exchange): Finding {
  if (skewMs === undefined) return note("The clock cannot be compared: no answer of the provider tells its time.");
  if (!mayBeRefused(skewMs)) return pass(`This computer's clock is the provider's (${toSpan(skewMs)} apart).`);
  return fail(`${toClockSentence(skewMs)} Set it by network time: assertions live for 60 s.`);
}

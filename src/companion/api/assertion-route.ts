import type { FastifyInstance, FastifyRequest } from "fastify";
import { HELD } from "../../contract/companion-api";
import { type Signer, signAssertion } from "../assertion";
import { pickSigner, toKeyWarning } from "../client";
import { loadSkewMs, type ProviderClock } from "../clock";
import type { Mode } from "../configuration";
import { toCallerId, toLogFields } from "../log";
import { DIRECT } from "../network";
import { type Provider, toTokenUrl } from "../provider";
import { Refusal } from "../refusal";

const BODY_LIMIT_BYTES = 1024;

/**
 * Adds POST /assertion. All claims come from the companion's settings: the caller only requests an assertion, and may
 * name the key that the provider has just refused.
 */
export function addAssertion(
  scope: FastifyInstance,
  provider: () => Provider,
  mode: Mode,
  clock: ProviderClock,
  network = DIRECT,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("application/json", { parseAs: "string" }, refuseClaims);
  const route = {
    bodyLimit: BODY_LIMIT_BYTES,
    config: { contentType: "application/json", limit: "assertion" },
  } as const;
  scope.post<{ Querystring: { refused?: string } }>("/assertion", route, async (request) => {
    const current = provider();
    const { clientId } = current.client;
    const { refused } = request.query;
    // A refusal may come from a wrong clock; then the key was not the reason.
    const isMeasured = mode === "sign" && refused !== undefined;
    const skewMs = isMeasured ? await loadSkewMs(toTokenUrl(current), clock.nowMs, network) : undefined;
    const { isOther, news } = clock.correct(current, skewMs);
    if (news !== null) request.log[news.level](news.text);
    const signer = pickSigner(current.client, isOther ? undefined : refused);
    const answer = { clientId, keyId: signer.keyId, clockSkewMs: clock.skewMs(current) || undefined };
    // In relay mode the companion signs for its own exchange: the pane takes the same steps and gets a placeholder.
    if (mode === "relay") return { ...answer, assertion: HELD };
    return { ...answer, assertion: await sign(current, signer, clock.signingMs(current), request) };
  });
}

async function refuseClaims(_request: FastifyRequest, text: string): Promise<void> {
  if (!/^\s*(\{\s*\})?\s*$/.test(text)) {
    throw new Refusal(400, "The companion takes no claims: send an empty object.");
  }
}

async function sign(provider: Provider, signer: Signer, atMs: number, request: FastifyRequest): Promise<string> {
  const { clientId, signers } = provider.client;
  const { log } = request;
  const callerId = toCallerId(request);
  const [newest] = signers;
  if (signer !== newest)
    log.warn(toLogFields(callerId, newest), toKeyWarning("The pane reports that the provider refuses", newest, signer));
  try {
    const signed = await signAssertion(clientId, signer, toTokenUrl(provider), atMs);
    log.info({ ...toLogFields(callerId, signed), outcome: "signed" }, "assertion");
    return signed.assertion;
  } catch (error) {
    log.info({ ...toLogFields(callerId, signer), outcome: "failed" }, "assertion");
    throw error;
  }
}

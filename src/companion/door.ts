import type { FastifyInstance, FastifyRequest } from "fastify";
import pkg from "../../package.json";
import type { Address } from "./address";
import { signAssertion } from "./assertion";
import type { Transport } from "./configuration";
import { guardScope } from "./guards";
import { toThumbprint } from "./key";
import { type Provider, toTokenUrl } from "./provider";
import { answerRefusals, Refusal } from "./refusal";
import { addRelay, type RelayOptions } from "./relay";

const BODY_LIMIT_BYTES = 1024;

/** What the door needs to know. */
export interface DoorOptions {
  address: Address;
  provider: Provider;
  transport: Transport;
  /** How the relay reaches the provider, beside its address. */
  relay: Omit<RelayOptions, "baseUrl">;
}

/** Adds the companion's own door, to be registered under /companion: what it signs for, the assertion and the relay. */
export async function addDoor(scope: FastifyInstance, options: DoorOptions): Promise<void> {
  const { address, provider, transport, relay } = options;
  guardScope(scope, address);
  answerRefusals(scope);
  await addConfig(scope, provider, transport);
  scope.register(async (own) => addAssertion(own, provider));
  if (transport === "proxy") {
    scope.register(addRelay, { ...relay, baseUrl: provider.baseUrl, prefix: "/relay" });
  }
}

async function addConfig(scope: FastifyInstance, provider: Provider, transport: Transport): Promise<void> {
  const { clientId, keyId, privateKey } = provider.signer;
  const thumbprint = await toThumbprint(privateKey);
  scope.get("/config", { exposeHeadRoute: false }, async () => ({
    sample: provider.sample,
    transport,
    baseUrl: provider.baseUrl(),
    tokenUrl: toTokenUrl(provider),
    clientId,
    keyId,
    thumbprint,
    version: pkg.version,
  }));
}

/** Every claim comes from the companion's settings: the caller says only that an assertion is wanted. */
function addAssertion(scope: FastifyInstance, provider: Provider): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_request: FastifyRequest, text: string) => {
      if (!/^\s*(\{\s*\})?\s*$/.test(text)) {
        throw new Refusal(400, "The companion takes no claims: send an empty object.");
      }
    },
  );
  const route = { bodyLimit: BODY_LIMIT_BYTES, config: { contentType: "application/json" } };
  scope.post("/assertion", route, async () => ({
    clientId: provider.signer.clientId,
    assertion: await signAssertion(provider.signer, toTokenUrl(provider), Date.now()),
  }));
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import pkg from "../../package.json";
import { HELD } from "../contract/door";
import type { Address } from "./address";
import { signAssertion } from "./assertion";
import { pickSigner } from "./client";
import type { Mode, Transport } from "./configuration";
import { guardScope } from "./door/guards";
import type { Pairings } from "./door/pairing";
import { addPairing } from "./door/pairing-routes";
import type { SetUp } from "./door/set-up";
import { addSetUp } from "./door/set-up-routes";
import { toThumbprint } from "./key";
import { type Provider, toTokenUrl } from "./provider";
import { answerRefusals, Refusal } from "./refusal";
import { addRelay, type RelayOptions } from "./relay";

const BODY_LIMIT_BYTES = 1024;

/** What the door needs to know. */
export interface DoorOptions {
  address: Address;
  /** Whom it signs to at this moment: the pane may set up another. */
  provider: () => Provider;
  mode: Mode;
  transport: Transport;
  pairings: Pairings;
  /** Absent where the pane may change nothing. */
  setUp?: SetUp;
  /** How the relay reaches the provider, beside its address. */
  relay: Omit<RelayOptions, "provider" | "mode">;
}

/** Adds the companion's own door, to be registered under /companion: what it signs for, the assertion and the relay. */
export async function addDoor(scope: FastifyInstance, options: DoorOptions): Promise<void> {
  const { address, provider, mode, transport, pairings, setUp, relay } = options;
  await guardScope(scope, options);
  answerRefusals(scope);
  const readConfig = () => toConfig(options);
  scope.get("/config", { exposeHeadRoute: false }, readConfig);
  addSetUp(scope, setUp, readConfig);
  addPairing(scope, pairings, address);
  scope.register(async (own) => addAssertion(own, provider, mode));
  if (transport === "proxy") {
    scope.register(addRelay, { ...relay, provider, mode, prefix: "/relay" });
  }
}

async function toConfig({ provider, mode, transport, setUp }: DoorOptions): Promise<object> {
  const current = provider();
  const [{ keyId, publicKey }, previous] = current.client.signers;
  return {
    sample: current.sample,
    mode,
    transport,
    baseUrl: current.baseUrl(),
    tokenUrl: toTokenUrl(current),
    clientId: current.client.clientId,
    keyId,
    thumbprint: await toThumbprint(publicKey),
    previousKeyId: previous?.keyId,
    settable: setUp?.settable ?? [],
    version: pkg.version,
  };
}

/**
 * Every claim comes from the companion's settings: the caller says only that an assertion is wanted, and which key, if
 * any, the provider has just refused.
 */
function addAssertion(scope: FastifyInstance, provider: () => Provider, mode: Mode): void {
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
  const route = {
    bodyLimit: BODY_LIMIT_BYTES,
    config: { contentType: "application/json", limit: "assertion" },
  } as const;
  scope.post<{ Querystring: { refused?: string } }>("/assertion", route, async (request) => {
    const current = provider();
    const { clientId } = current.client;
    const signer = pickSigner(current.client, request.query.refused);
    // The companion signs at its own exchange then; the pane takes the same steps and holds nothing.
    if (mode === "relay") return { clientId, keyId: signer.keyId, assertion: HELD };
    const { assertion, keyId } = await signAssertion(clientId, signer, toTokenUrl(current), Date.now());
    return { clientId, keyId, assertion };
  });
}

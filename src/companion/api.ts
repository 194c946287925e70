import type { FastifyInstance } from "fastify";
import pkg from "../../package.json";
import type { SigningIn } from "../firm/sign-in";
import { addSignIn } from "../firm/sign-in/pane-routes";
import type { Address } from "./address";
import { addAssertion } from "./api/assertion-route";
import { guardScope } from "./api/guards";
import { createLimits } from "./api/limits";
import { addPairing, type PairingRoutes } from "./api/pairing-routes";
import type { SetUp } from "./api/set-up";
import { addSetUp } from "./api/set-up-routes";
import { createProviderClock } from "./clock";
import type { Mode, Transport } from "./configuration";
import { toThumbprint } from "./key";
import { type Provider, toTokenUrl } from "./provider";
import { answerRefusals } from "./refusal";
import { addRelay, type RelayOptions } from "./relay";
import type { Stores } from "./stores";

/** The parts that the companion API uses. */
interface ApiOptions {
  address: Address;
  /** The current provider; the pane may set up another one. */
  provider: () => Provider;
  mode: Mode;
  transport: Transport;
  stores: Stores;
  /** Absent where the pane may change nothing. */
  setUp?: SetUp;
  /** Called for each page that requests a pairing code; default none. */
  invite?: PairingRoutes["invite"];
  /** Absent where only terminal codes pair. */
  signingIn?: SigningIn;
  /** Options of the relay. */
  relay: Omit<RelayOptions, "provider" | "mode" | "clock" | "stores">;
}

/** Adds the companion API, to be registered under /companion: configuration, assertion, pairing and relay. */
export async function addApi(scope: FastifyInstance, options: ApiOptions): Promise<void> {
  const { address, provider, mode, transport, stores, setUp, invite, signingIn, relay } = options;
  const { pairings } = stores;
  const ownPairings = pairings.of(provider);
  const refuseExcess = createLimits(stores);
  const hasSignIn = signingIn !== undefined;
  await guardScope(scope, { address, provider, pairings: ownPairings, refuseExcess, hasSignIn });
  answerRefusals(scope);
  const readConfig = () => toConfig(options);
  scope.get("/config", { exposeHeadRoute: false }, readConfig);
  addSetUp(scope, setUp, readConfig);
  addPairing(scope, { pairings: { ...pairings, ...ownPairings }, address, refuseExcess, invite, signingIn });
  addSignIn(scope, signingIn, address);
  const clock = createProviderClock(Date.now);
  scope.register(async (own) => addAssertion(own, provider, mode, clock, relay.network));
  if (transport === "proxy") {
    scope.register(addRelay, { ...relay, provider, mode, clock, stores, prefix: "/relay" });
  }
}

async function toConfig({ provider, mode, transport, setUp }: ApiOptions): Promise<object> {
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

import type { FastifyInstance } from "fastify";
import pkg from "../../package.json";
import type { Address } from "./address";
import { addAssertion } from "./api/assertion-route";
import { guardScope } from "./api/guards";
import { createLimits } from "./api/limits";
import { addPairing, type PairingRoutes } from "./api/pairing-routes";
import type { SetUp } from "./api/set-up";
import { addSetUp } from "./api/set-up-routes";
import { createProviderClock } from "./clock";
import type { Mode, Transport } from "./configuration";
import type { SignInRoutes } from "./feature";
import { toThumbprint } from "./key";
import { toCommand } from "./program";
import { type Provider, toTokenUrl } from "./provider";
import { answerRefusals, Refusal } from "./refusal";
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
  signIn?: SignInRoutes;
  /** Options of the relay. */
  relay: Omit<RelayOptions, "provider" | "mode" | "clock">;
}

/** Adds the companion API, to be registered under /companion: configuration, assertion, pairing and relay. */
export async function addApi(scope: FastifyInstance, options: ApiOptions): Promise<void> {
  const { address, provider, mode, transport, stores, setUp, invite, signIn, relay } = options;
  const { pairings } = stores;
  const ownPairings = pairings.of(provider);
  const refuseExcess = createLimits(stores);
  const hasSignIn = signIn !== undefined;
  await guardScope(scope, { address, provider, pairings: ownPairings, refuseExcess, hasSignIn });
  answerRefusals(scope);
  const readConfig = () => toConfig(options);
  scope.get("/config", { exposeHeadRoute: false }, readConfig);
  addSetUp(scope, setUp, readConfig);
  addPairing(scope, { pairings: { ...pairings, ...ownPairings }, address, refuseExcess, invite, signIn });
  if (hasSignIn) signIn.addRoutes(scope);
  else scope.get("/sign-in", { exposeHeadRoute: false, config: { pairing: "never", limit: "signIn" } }, refuseSignIn);
  const clock = createProviderClock(Date.now);
  scope.register(async (own) => addAssertion(own, provider, mode, clock, relay.network));
  if (transport === "proxy") {
    scope.register(addRelay, { ...relay, provider, mode, clock, prefix: "/relay" });
  }
}

/** A pane learns before it is paired that people cannot sign in. */
async function refuseSignIn(): Promise<never> {
  throw new Refusal(404, `Nobody signs in here. For a code, run: ${toCommand("pair")}`);
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

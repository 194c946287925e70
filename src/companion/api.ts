import type { FastifyInstance, FastifyRequest } from "fastify";
import pkg from "../../package.json";
import { HELD } from "../contract/companion-api";
import type { Address } from "./address";
import { guardScope } from "./api/guards";
import { createLimits } from "./api/limits";
import { addPairing, type PairingRoutes } from "./api/pairing-routes";
import { addSetUp, demand, type SetUp } from "./api/set-up";
import { type Signer, signAssertion } from "./assertion";
import { createProviderClock, loadSkewMs, type ProviderClock } from "./clock";
import type { Mode, Transport } from "./configuration";
import { SETTINGS } from "./configuration/settings";
import type { SignInRoutes } from "./feature";
import { toThumbprint } from "./key";
import { toCallerId, toLogFields } from "./log";
import { DIRECT } from "./network";
import { toCommand } from "./program";
import { type Provider, pickSigner, toKeyWarning, toTokenUrl } from "./provider";
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
  addSampleWeeks(scope, options, readConfig);
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
    weeks: current.weeks,
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

/** Adds POST /sample/week, after which the sample data are of a week later, and DELETE, which sets them back. */
function addSampleWeeks(scope: FastifyInstance, { provider, setUp }: ApiOptions, readConfig: () => object): void {
  const move = (toWeeks: (weeks: number) => number) => async () => {
    demand(setUp); // others' sample data would move too
    const current = provider();
    if (current.weeks === undefined) throw new Refusal(404, "A provider answers: there is no sample data to move.");
    current.weeks = toWeeks(current.weeks);
    return readConfig();
  };
  scope.post(
    "/sample/week",
    move((weeks) => Math.min(weeks + 1, MOST_WEEKS)),
  );
  scope.delete(
    "/sample/week",
    move(() => 0),
  );
}

/** More would make each company's figures slow to make. */
const [, MOST_WEEKS] = SETTINGS.counts.SAMPLE_WEEKS;

const BODY_LIMIT_BYTES = 1024;

/**
 * Adds POST /assertion. All claims come from the companion's settings: the caller only requests an assertion, and may
 * name the key that the provider has just refused.
 */
function addAssertion(
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

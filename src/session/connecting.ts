import { hasCode, needsPairing, SessionError, SignerError, TokenError } from "../client/errors";
import type { Connection } from "../client/http";
import type { Ports } from "../client/ports";
import { createFeed, type Feed, type FeedOptions } from "../feed/feed";
import { type Access, createAccess } from "./access";
import { type Configuration, loadConfiguration, toConnection } from "./configuration";
import { createJourney, type Journey, type JourneyLog, type StepName } from "./journey";
import { createOwner, type Owner, toOwner, toProvider } from "./owner";
import { createPairing, type Pairing, type PairingStatus } from "./pairing";
import type { ProviderGuard } from "./provider-guard";
import type { SetUp } from "./set-up";
import type { Settings } from "./settings";
import { createSigning, type Signing } from "./signing";

export type SessionState =
  | { status: "idle" | "disconnected"; configuration: Configuration | null }
  | { status: "connecting"; configuration: Configuration | null }
  | { status: "connected"; configuration: Configuration; connectedAtMs: number }
  | { status: "failed"; configuration: Configuration | null; error: unknown };

/** The feed, and whether there is a connection for it to ask through. */
export interface Connecting {
  feed: Feed;
  state(): SessionState;
  /** Whether cells show sample data; as it was last known where no companion has told yet. */
  isSample(): boolean;
  /** How far the companion's clock is ahead of the provider's, in milliseconds, negative where it is behind; 0 unless it is off. */
  clockSkewMs: Signing["clockSkewMs"];
  /** How far the credentials came, step by step, when a connection was last made or tried. */
  journey(): Journey;
  /** Fetches the configuration and exchanges an assertion for a token; never rejects, the state tells. */
  connect(): Promise<void>;
  /** Drops the token; what is asked from then on fails until the next `connect`. */
  disconnect(): void;
  /** Whether the companion knows this page, or wants a code. */
  pairing(): PairingStatus;
  /**
   * Pairs this page by a code of the companion's terminal, and connects; how that went, the state tells.
   *
   * @throws SignerError (FEED_SIGNER_REFUSED, FEED_SIGNER_UNREACHABLE), RequestError (FEED_RATE_LIMITED)
   */
  pair(code: string): Promise<void>;
  /**
   * Ends the pairing, and the connection with it.
   *
   * @throws SignerError (FEED_SIGNER_UNREACHABLE)
   */
  unpair(): Promise<void>;
  /** What sets the person's own companion up for a provider: hardly any page needs its script. */
  setUp(): Promise<SetUp>;
  /** What this client may read. */
  access: Access;
}

/** What a new connection can mend. */
const isMendedByConnecting = hasCode(
  "FEED_NOT_CONNECTED",
  "FEED_SIGNER_UNREACHABLE",
  "FEED_SIGNER_REFUSED",
  "FEED_TOKEN_REFUSED",
  "FEED_TOKEN_MALFORMED",
  "FEED_UNAUTHORISED",
  "FEED_INTERNAL", // the companion may have failed at signing
);

interface Context {
  ports: Ports;
  companionUrl: string;
  journey: JourneyLog;
  pairing: Pairing;
  owner: Owner;
  state: SessionState;
  configuring: Promise<Configuration> | null;
  /** Whose what is kept is, as long as that is being found out. */
  finding: Promise<string> | null;
  /** Counts connects and disconnects: whoever waited finds out whether it is still the last one. */
  attempts: number;
  /** Goes by what is known of what a client may read. */
  enterAccess: Access["enter"];
  left: () => void;
  notify: () => void;
}

interface ConnectingOptions {
  ports: Ports;
  companionUrl: string;
  createWorker?: (() => Worker) | undefined;
  settings: () => Pick<Settings, "country" | "requestLimit">;
  guard: Pick<ProviderGuard, "own" | "check">;
  /** As the feed has it. */
  isMoreToCome: FeedOptions["isMoreToCome"];
  /** Is told of queries that were answered by what was kept, and of when that is. */
  foundPersisted: FeedOptions["foundPersisted"];
  /** Is called when the client is another one, of whom nothing is known yet. */
  left: () => void;
  /** Is called after each change of state, journey or access. */
  notify: () => void;
}

export function createConnecting(options: ConnectingOptions): Connecting {
  const { ports, companionUrl, settings, notify } = options;
  const context = createContext(options);
  const signing = createSigning({ companionUrl, journey: context.journey, state: () => context.state, notify });
  const feed = createFeedOf(context, signing, options);
  const access = createAccess(ports, feed.probes, () => settings().country, notify);
  context.enterAccess = access.enter;
  const { pairing } = context;
  const reconnect = async () => {
    disconnect(context, feed); // all steps are taken anew, though a token of before may be left
    await connect(context, feed);
  };
  return {
    feed,
    access,
    async setUp() {
      const { createSetUp } = await import(/* webpackChunkName: "set-up" */ "./set-up");
      return createSetUp(feed.http, companionUrl, reconnect);
    },
    state: () => context.state,
    isSample: () => context.state.configuration?.sample ?? context.owner.isSample(),
    clockSkewMs: signing.clockSkewMs,
    journey: context.journey.current,
    connect() {
      const ended = connect(context, feed);
      feed.families.tryNow(); // a person does not wait for what kept failing
      return ended;
    },
    disconnect: () => disconnect(context, feed),
    pairing: pairing.status,
    async pair(code) {
      await pairing.pair(feed.http, companionUrl, code);
      await reconnect();
    },
    async unpair() {
      await pairing.unpair(feed.http, companionUrl);
      disconnect(context, feed);
    },
  };
}

function createContext({ ports, companionUrl, left, notify }: ConnectingOptions): Context {
  return {
    ports,
    companionUrl,
    journey: createJourney(ports.nowMs, notify),
    pairing: createPairing(ports),
    owner: createOwner(ports),
    state: { status: "idle", configuration: null },
    configuring: null,
    finding: null,
    attempts: 0,
    enterAccess: () => {},
    left,
    notify,
  };
}

function createFeedOf(context: Context, signing: Signing, options: ConnectingOptions): Feed {
  const { ports, foundPersisted, isMoreToCome, createWorker, guard, settings } = options;
  const feed: Feed = createFeed({
    ports,
    sign: signing.sign,
    connection: () => toFeedConnection(context, feed),
    owner: () => findOwner(context, feed),
    pairing: { bearer: context.pairing.bearer, refused: (error, bearer) => suspend(context, error, bearer) },
    failed: (error, sinceMs) => follow(context, feed, error, sinceMs),
    foundPersisted,
    isMoreToCome,
    requestLimit: () => settings().requestLimit,
    check: () => checkProvider(context, feed, guard),
    createWorker,
  });
  return feed;
}

function disconnect(context: Context, feed: Feed): void {
  context.attempts++;
  feed.token.forget();
  context.journey.reset();
  move(context, { status: "disconnected", configuration: context.state.configuration });
}

/** The companion does not know this page (any more): without a new code nothing will come through. */
function suspend(context: Context, error: SignerError, bearer: string | null): void {
  const { pairing, state } = context;
  if (bearer !== pairing.bearer()) return; // paired anew since, in this window or another
  pairing.want(true);
  // With sample data only the set-up wants a code; data goes on without.
  if (state.status !== "connected" || state.configuration.sample) {
    context.notify();
    return;
  }
  lose(context, "companion", error);
}

/** A read that found no companion or no token tells that the connection is gone, unless there is a newer one since. */
function follow(context: Context, feed: Feed, error: unknown, sinceMs: number): void {
  const { state } = context;
  if (state.status !== "connected" || state.connectedAtMs > sinceMs) return;
  const isTokenLost = error instanceof TokenError;
  if (!isTokenLost && (!(error instanceof SignerError) || needsPairing(error))) return;
  feed.token.forget(); // to connect again is to take all steps anew
  lose(context, isTokenLost ? "token" : "companion", error);
}

function lose(context: Context, step: StepName, error: unknown): void {
  const { journey, state } = context;
  journey.enter(step);
  journey.fail(error);
  move(context, { status: "failed", configuration: state.configuration, error });
}

function move(context: Context, state: SessionState): void {
  context.state = state;
  context.notify();
}

/** The first query of a session connects it, and so does any after a failure. */
async function toFeedConnection(context: Context, feed: Feed): Promise<Connection> {
  const { status } = context.state;
  if (status === "disconnected") throw new SessionError("not connected; connect in the FEED pane");
  if (status === "idle" || status === "failed") void connect(context, feed);
  return toConnection(await configure(context, feed), context.companionUrl);
}

/** What is kept on this machine needs no token, but the companion's word for whose it is. */
async function findOwner(context: Context, feed: Feed): Promise<string> {
  const { status } = context.state;
  if (status === "idle" || status === "failed") void connect(context, feed);
  return context.owner.find(configure(context, feed));
}

/** Nothing is waited for where the workbook has no provider of its own, or it is known to be this one. */
function checkProvider(context: Context, feed: Feed, guard: ConnectingOptions["guard"]): Promise<void> | null {
  const own = guard.own();
  const { configuration } = context.state;
  if (own === null || (configuration !== null && own === toProvider(toOwner(configuration)))) return null;
  context.finding ??= findOwner(context, feed).finally(() => {
    context.finding = null;
  });
  return context.finding.then((owner) => guard.check(toProvider(owner)));
}

function configure(context: Context, feed: Feed): Promise<Configuration> {
  context.configuring ??= loadConfiguration(feed.http, context.companionUrl);
  return context.configuring;
}

function leave({ left }: Context, feed: Feed): void {
  feed.reset();
  left();
}

async function connect(context: Context, feed: Feed): Promise<void> {
  const { state: before, journey } = context;
  if (before.status === "connecting") return;
  if (before.status === "connected") feed.token.forget(); // to connect again is to exchange again
  const attempt = ++context.attempts;
  // Asked anew after each wait: the user may have disconnected meanwhile, and even connected again.
  const isCurrent = () => attempt === context.attempts;
  move(context, { status: "connecting", configuration: before.configuration });
  context.configuring = null;
  journey.enter("companion");
  try {
    const configuration = await configure(context, feed);
    if (!isCurrent()) return;
    context.pairing.want(false);
    journey.leave();
    if (context.owner.remember(configuration)) leave(context, feed);
    move(context, { status: "connecting", configuration });
    await feed.token.bearer();
    if (!isCurrent()) return;
    journey.leave();
    context.enterAccess(toOwner(configuration));
    move(context, { status: "connected", configuration, connectedAtMs: context.ports.nowMs() });
    void feed.queryCache.retryFailed(isMendedByConnecting);
  } catch (error) {
    if (!isCurrent()) return;
    journey.fail(error);
    move(context, { status: "failed", configuration: context.state.configuration, error });
  }
}

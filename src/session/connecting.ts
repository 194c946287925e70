import type { SigningEvent } from "../client/auth/assertion";
import { type Configuration, loadConfiguration, toConnection } from "../client/configuration";
import { hasCode, needsPairing, SessionError, SignerError, TokenError } from "../client/errors";
import { toOwner } from "../client/owner";
import type { Ports } from "../client/ports";
import type { Feed, FeedEvent } from "../feed/feed";
import { type Access, createAccess } from "./access";
import { createJourney, type Journey, type JourneyLog, type StepName } from "./journey";
import { createOwner, type Owner } from "./owner";
import { createPairing, type Pairing, type PairingStatus } from "./pairing";
import type { SetUp } from "./set-up";

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
  clockSkewMs(): number;
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

interface Context extends ConnectingOptions {
  journey: JourneyLog;
  pairing: Pairing;
  owner: Owner;
  access: Access;
  state: SessionState;
  configuring: Promise<Configuration> | null;
  /** Whether it is being found out whose persisted answers serve. */
  isFindingOwner: boolean;
  /** Counts connects and disconnects: whoever waited finds out whether it is still the last one. */
  attempts: number;
  clockSkewMs: number;
}

interface ConnectingOptions {
  ports: Ports;
  companionUrl: string;
  feed: Feed;
  /** Whose data the access is tried with. */
  country: () => string;
  /** Is called when the client is another one, of whom nothing is known yet. */
  left: () => void;
  /** Is called after each change of state, journey or access. */
  notify: () => void;
}

/** @returns what follows the feed's events, too */
export function createConnecting(options: ConnectingOptions): Connecting & { follow(event: FeedEvent): void } {
  const { companionUrl, feed } = options;
  const context = createContext(options);
  const { access, journey, owner, pairing } = context;
  const reconnect = async () => {
    disconnect(context); // all steps are taken anew, though a token of before may be left
    await connect(context);
  };
  return {
    feed,
    access,
    follow: (event) => follow(context, event),
    async setUp() {
      const { createSetUp } = await import(/* webpackChunkName: "set-up" */ "./set-up");
      return createSetUp(feed.http, companionUrl, reconnect);
    },
    state: () => context.state,
    isSample: () => context.state.configuration?.sample ?? owner.isSample(),
    clockSkewMs: () => context.clockSkewMs,
    journey: journey.current,
    connect() {
      const ended = connect(context);
      feed.families.tryNow(); // a person does not wait for what kept failing
      return ended;
    },
    disconnect: () => disconnect(context),
    pairing: pairing.status,
    async pair(code) {
      await pairing.pair(feed.http, companionUrl, code);
      await reconnect();
    },
    async unpair() {
      await pairing.unpair(feed.http, companionUrl);
      disconnect(context);
    },
  };
}

function createContext(options: ConnectingOptions): Context {
  const { ports, feed, country, notify } = options;
  return {
    ...options,
    journey: createJourney(ports.nowMs, notify),
    pairing: createPairing(feed.pairing),
    owner: createOwner(ports),
    access: createAccess(ports, feed.probes, country, notify),
    state: { status: "idle", configuration: null },
    configuring: null,
    isFindingOwner: false,
    attempts: 0,
    clockSkewMs: 0,
  };
}

function follow(context: Context, event: FeedEvent): void {
  switch (event.type) {
    case "connection-wanted":
      if (context.state.status === "disconnected") context.feed.disconnect(toNotConnected());
      connectIfDown(context);
      break;
    case "owner-wanted":
      findOwner(context);
      break;
    case "signing":
      followSigning(context, event);
      break;
    case "unpaired":
      suspend(context, event.error, event.bearer);
      break;
    case "read-failed":
      followFailure(context, event.error, event.sinceMs);
  }
}

function disconnect(context: Context): void {
  context.attempts++;
  context.feed.token.forget();
  context.feed.disconnect(toNotConnected());
  context.journey.reset();
  move(context, { status: "disconnected", configuration: context.state.configuration });
}

const toNotConnected = () => new SessionError("not connected; connect in the FEED pane");

/** The first query of a session connects it, and so does any after a failure. */
function connectIfDown(context: Context): void {
  const { status } = context.state;
  if (status === "idle" || status === "failed") void connect(context);
}

/** A renewal in the background is no part of the connection that the user watches. */
function followSigning(context: Context, { isRenewal, clockSkewMs }: SigningEvent): void {
  const { state, journey } = context;
  if (clockSkewMs !== undefined && clockSkewMs !== context.clockSkewMs) {
    context.clockSkewMs = clockSkewMs;
    context.notify();
  }
  if (state.status === "connecting" && !isRenewal) journey.enter(clockSkewMs === undefined ? "assertion" : "token");
}

/** The companion does not know this page (any more): without a new code nothing will come through. */
function suspend(context: Context, error: SignerError, bearer: string | null): void {
  const { feed, pairing, state } = context;
  if (bearer !== feed.pairing.read()) return; // paired anew since, in this window or another
  pairing.want(true);
  // With sample data only the set-up wants a code; data goes on without.
  if (state.status !== "connected" || state.configuration.sample) {
    context.notify();
    return;
  }
  lose(context, "companion", error);
}

/** A read that found no companion or no token tells that the connection is gone, unless there is a newer one since. */
function followFailure(context: Context, error: unknown, sinceMs: number): void {
  const { state, feed } = context;
  if (state.status !== "connected" || state.connectedAtMs > sinceMs) return;
  const isTokenLost = error instanceof TokenError;
  if (!isTokenLost && (!(error instanceof SignerError) || needsPairing(error))) return;
  feed.token.forget(); // to connect again is to take all steps anew
  lose(context, isTokenLost ? "token" : "companion", error);
}

function lose(context: Context, step: StepName, error: unknown): void {
  const { feed, journey, state } = context;
  feed.disconnect(); // the next request connects again, and waits for that
  journey.enter(step);
  journey.fail(error);
  move(context, { status: "failed", configuration: state.configuration, error });
}

function move(context: Context, state: SessionState): void {
  context.state = state;
  context.notify();
}

/** What is kept on this machine needs no token, but the companion's word for whose it is. */
function findOwner(context: Context): void {
  const { feed, owner } = context;
  connectIfDown(context);
  if (context.isFindingOwner) return;
  context.isFindingOwner = true;
  const end = (serve: () => void) => {
    context.isFindingOwner = false;
    serve();
  };
  owner.find(configure(context)).then(
    (found) => end(() => feed.owner.serve(found)),
    (error) => end(() => feed.owner.clear(error)),
  );
}

function configure(context: Context): Promise<Configuration> {
  context.configuring ??= loadConfiguration(context.feed.http, context.companionUrl);
  return context.configuring;
}

function leave({ feed, left }: Context): void {
  feed.reset();
  left();
}

async function connect(context: Context): Promise<void> {
  const { state: before, feed, journey } = context;
  if (before.status === "connecting") return;
  if (before.status === "connected") feed.token.forget(); // to connect again is to exchange again
  const attempt = ++context.attempts;
  // Asked anew after each wait: the user may have disconnected meanwhile, and even connected again.
  const isCurrent = () => attempt === context.attempts;
  feed.disconnect(); // who asks now waits for the new connection and owner
  feed.owner.clear();
  move(context, { status: "connecting", configuration: before.configuration });
  context.configuring = null;
  journey.enter("companion");
  try {
    const configuration = await configure(context);
    if (!isCurrent()) return;
    context.pairing.want(false);
    journey.leave();
    const owner = toOwner(configuration);
    const connection = toConnection(configuration, context.companionUrl);
    feed.owner.set(owner);
    if (context.owner.remember(configuration)) leave(context);
    move(context, { status: "connecting", configuration });
    feed.connect(connection);
    await feed.token.bearer();
    if (!isCurrent()) return;
    feed.connect({ ...connection, owner });
    journey.leave();
    context.access.enter(owner);
    move(context, { status: "connected", configuration, connectedAtMs: context.ports.nowMs() });
    void feed.queryCache.retryFailed(isMendedByConnecting);
  } catch (error) {
    if (!isCurrent()) return;
    feed.disconnect(error);
    journey.fail(error);
    move(context, { status: "failed", configuration: context.state.configuration, error });
  }
}

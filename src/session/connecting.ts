import type { SigningEvent } from "../client/auth/assertion";
import { type Configuration, loadConfiguration, toConnection } from "../client/configuration";
import { hasCode, needsPairing, SessionError, SignerError, TokenError } from "../client/errors";
import { msg } from "../client/messages";
import { SAMPLE, toOwner, toProvider } from "../client/owner";
import type { Ports } from "../client/ports";
import { createStoredText } from "../client/stored-text";
import type { Feed, FeedEvent } from "../feed/feed";
import { createPairing, type Pairing, type PairingStatus } from "./pairing";
import type { SetUp } from "./set-up";

export type SessionState =
  | { status: "idle" | "disconnected"; configuration: Configuration | null }
  | { status: "connecting"; configuration: Configuration | null }
  | { status: "connected"; configuration: Configuration; connectedAtMs: number }
  | { status: "failed"; configuration: Configuration | null; error: unknown };

/** The feed and its connection. */
export interface Connecting {
  feed: Feed;
  state(): SessionState;
  /** Whether cells show sample data; before the first connection, as last known. */
  isSample(): boolean;
  /** Offset of the companion's clock from the provider's in milliseconds, positive if ahead; 0 while it is right. */
  clockSkewMs(): number;
  /** The steps of the last attempt to connect. */
  journey(): Journey;
  /** Fetches the configuration and exchanges an assertion for a token; never rejects, the error is in `state`. */
  connect(): Promise<void>;
  /** Drops the token; queries fail until the next `connect`. */
  disconnect(): void;
  /** Whether the companion knows this page, or requires a code. */
  pairing(): PairingStatus;
  /**
   * Pairs this page by a code of the companion's terminal, and connects; an error of that is in `state`.
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
  /** Loads the set-up of the person's own companion; hardly any page needs its script. */
  setUp(): Promise<SetUp>;
}

/** Errors that a new connection can repair. */
const isMendedByConnecting = hasCode(
  "FEED_NOT_CONNECTED",
  "FEED_SIGNER_UNREACHABLE",
  "FEED_SIGNER_REFUSED",
  "FEED_TOKEN_REFUSED",
  "FEED_TOKEN_MALFORMED",
  "FEED_UNAUTHORISED",
  "FEED_INTERNAL", // the companion may have failed at signing
);

interface ConnectingState extends ConnectingOptions {
  journey: ReturnType<typeof createJourney>;
  pairing: Pairing;
  owner: ReturnType<typeof createOwner>;
  state: SessionState;
  configuring: Promise<Configuration> | null;
  /** Whether a search for the owner of persisted answers is under way. */
  isFindingOwner: boolean;
  /** Counts connects and disconnects, so that an attempt can see that a later one replaced it. */
  attempts: number;
  clockSkewMs: number;
}

interface ConnectingOptions {
  ports: Ports;
  companionUrl: string;
  feed: Feed;
  /** Called when the client has changed. */
  left: () => void;
  /** Called after each change of state or journey. */
  notify: () => void;
}

/** @returns also the handler of the feed's events */
export function createConnecting(options: ConnectingOptions): Connecting & { follow(event: FeedEvent): void } {
  const { companionUrl, feed } = options;
  const context = createContext(options);
  const { journey, owner, pairing } = context;
  const reconnect = async () => {
    disconnect(context); // repeats all steps, though there may be a valid token
    await connect(context);
  };
  return {
    feed,
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
      feed.families.tryNow(); // a person does not wait for a probe
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

function createContext(options: ConnectingOptions): ConnectingState {
  const { ports, feed, notify } = options;
  return {
    ...options,
    journey: createJourney(ports.nowMs, notify),
    pairing: createPairing(feed.pairing),
    owner: createOwner(ports),
    state: { status: "idle", configuration: null },
    configuring: null,
    isFindingOwner: false,
    attempts: 0,
    clockSkewMs: 0,
  };
}

function follow(context: ConnectingState, event: FeedEvent): void {
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

function disconnect(context: ConnectingState): void {
  context.attempts++;
  context.feed.token.forget();
  context.feed.disconnect(toNotConnected());
  context.journey.reset();
  move(context, { status: "disconnected", configuration: context.state.configuration });
}

const toNotConnected = () => new SessionError(msg`not connected; connect in the FEED pane`);

/** Connects at the first query, and at any query after a failure. */
function connectIfDown(context: ConnectingState): void {
  const { status } = context.state;
  if (status === "idle" || status === "failed") void connect(context);
}

/** Shows the steps of a connection, but not a renewal in the background. */
function followSigning(context: ConnectingState, { isRenewal, clockSkewMs }: SigningEvent): void {
  const { state, journey } = context;
  if (clockSkewMs !== undefined && clockSkewMs !== context.clockSkewMs) {
    context.clockSkewMs = clockSkewMs;
    context.notify();
  }
  if (state.status === "connecting" && !isRenewal) journey.enter(clockSkewMs === undefined ? "assertion" : "token");
}

/** Ends the connection of a page that the companion does not know: it needs a new code. */
function suspend(context: ConnectingState, error: SignerError, bearer: string | null): void {
  const { feed, pairing, state } = context;
  if (bearer !== feed.pairing.read()) return; // paired anew since, in this window or another
  pairing.want(true);
  // With sample data only the set-up needs a code.
  if (state.status !== "connected" || state.configuration.sample) {
    context.notify();
    return;
  }
  lose(context, "companion", error);
}

/** Ends the connection after a read without companion or token, unless a newer connection exists. */
function followFailure(context: ConnectingState, error: unknown, sinceMs: number): void {
  const { state, feed } = context;
  if (state.status !== "connected" || state.connectedAtMs > sinceMs) return;
  const isTokenLost = error instanceof TokenError;
  if (!isTokenLost && (!(error instanceof SignerError) || needsPairing(error))) return;
  feed.token.forget(); // the next connection repeats all steps
  lose(context, isTokenLost ? "token" : "companion", error);
}

function lose(context: ConnectingState, step: StepName, error: unknown): void {
  const { feed, journey, state } = context;
  feed.disconnect(); // the next request reconnects, and waits
  journey.enter(step);
  journey.fail(error);
  move(context, { status: "failed", configuration: state.configuration, error });
}

function move(context: ConnectingState, state: SessionState): void {
  context.state = state;
  context.notify();
}

/** Finds the owner of persisted answers, which need the companion's configuration but no token. */
function findOwner(context: ConnectingState): void {
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

function configure(context: ConnectingState): Promise<Configuration> {
  context.configuring ??= loadConfiguration(context.feed.http, context.companionUrl);
  return context.configuring;
}

function leave({ feed, left }: ConnectingState): void {
  feed.reset();
  left();
}

async function connect(context: ConnectingState): Promise<void> {
  const { state: before, feed, journey } = context;
  if (before.status === "connecting") return;
  if (before.status === "connected") feed.token.forget(); // reconnecting exchanges an assertion again
  const attempt = ++context.attempts;
  // Checked after each wait: the user may have disconnected meanwhile, and even connected again.
  const isCurrent = () => attempt === context.attempts;
  feed.disconnect(); // queries wait for the new connection and owner
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
    move(context, { status: "connected", configuration, connectedAtMs: context.ports.nowMs() });
    void feed.queryCache.retryFailed(isMendedByConnecting);
  } catch (error) {
    if (!isCurrent()) return;
    feed.disconnect(error);
    journey.fail(error);
    move(context, { status: "failed", configuration: context.state.configuration, error });
  }
}

/** The steps to a token: the companion's configuration, its signed assertion, and the provider's token. */
export const STEPS = ["companion", "assertion", "token"] as const;

type StepName = (typeof STEPS)[number];

export interface Step {
  status: "waiting" | "running" | "done" | "failed";
  /** Duration in milliseconds; null before its end. */
  tookMs: number | null;
  error: unknown;
}

export type Journey = Readonly<Record<StepName, Step>>;

const WAITING: Step = { status: "waiting", tookMs: null, error: null };
const START: Journey = { companion: WAITING, assertion: WAITING, token: WAITING };

/** @param notify called after each change */
function createJourney(nowMs: () => number, notify: () => void) {
  let journey = START;
  let running: { name: StepName; sinceMs: number } | null = null;

  const end = (status: "done" | "failed", error: unknown) => {
    if (running === null) return;
    journey = { ...journey, [running.name]: { status, tookMs: nowMs() - running.sinceMs, error } };
    running = null;
  };
  return {
    current: () => journey,
    /** Begins a step: the former one is done, and later ones wait, as when a refused assertion is signed anew. */
    enter(name: StepName) {
      end("done", null);
      const later = STEPS.slice(STEPS.indexOf(name) + 1).map((step) => [step, WAITING]);
      journey = { ...journey, ...Object.fromEntries(later), [name]: { ...WAITING, status: "running" } };
      running = { name, sinceMs: nowMs() };
      notify();
    },
    /** Marks the running step as done. */
    leave() {
      end("done", null);
      notify();
    },
    /** Marks the running step, if any, as failed. */
    fail(error: unknown) {
      end("failed", error);
      notify();
    },
    reset() {
      journey = START;
      running = null;
      notify();
    },
  };
}

const STORAGE_KEY = "feed.owner";

/** A running companion on this machine answers within this time. */
const PATIENCE_MS = 1_500;

/** Makes the record of the owner of persisted answers: a provider's address and a client's id, neither of them secret. */
function createOwner({ storage, after }: Pick<Ports, "storage" | "after">) {
  const stored = createStoredText(storage, STORAGE_KEY);
  let known: string | null | undefined;
  const recall = () => {
    if (known === undefined) known = stored.read();
    return known;
  };
  return {
    /**
     * Gives the owner by the companion's configuration, or the last known owner where that fails or takes long, so that
     * persisted answers show at once.
     *
     * @throws SignerError where no owner is known either
     */
    find(configured: Promise<Configuration>): Promise<string> {
      const last = recall();
      if (last === null) return configured.then(toOwner);
      return new Promise((resolve) => {
        const callOff = after(PATIENCE_MS, () => resolve(last));
        configured
          .then(toOwner)
          .then(resolve, () => resolve(last))
          .finally(callOff);
      });
    },
    /** Stores the owner of a configuration; gives whether it has changed. */
    remember(configuration: Configuration): boolean {
      const owner = toOwner(configuration);
      const last = recall();
      const isOther = last !== null && last !== owner;
      if (last !== owner) stored.write(owner);
      known = owner;
      return isOther;
    },
    /** Whether the last known client reads sample data. */
    isSample(): boolean {
      const last = recall();
      return last !== null && toProvider(last) === SAMPLE;
    },
  };
}

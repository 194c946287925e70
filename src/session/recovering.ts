import { type FeedError, hasCode } from "../client/errors";
import type { Failing, Families, Pause, Server } from "../client/http/families";
import { isFailure, spread } from "../client/http/retry";
import type { Ports } from "../client/ports";
import { createStoredText } from "../client/stored-text";
import type { Failed, QueryCache } from "../feed/query-cache";
import type { Connecting } from "./connecting";

interface RecoveringOptions {
  ports: Pick<Ports, "nowMs" | "after" | "random">;
  families: Pick<Families, "list" | "listFailing" | "settle" | "findCause">;
  queryCache: Pick<QueryCache, "failed" | "retryFailed" | "size">;
  /** Whether a request can go out. */
  mayRequest: () => boolean;
  /** Called when the time of the next probe has changed. */
  notify: () => void;
}

const FIRST_PROBE_MS = 4_000;
const LONGEST_PROBE_MS = 60_000;

/** The backoff of a family's probes. */
interface Wait {
  /** Time of the next probe; infinite while one is under way. */
  atMs: number;
  /** Probes since the family last recovered. */
  probes: number;
}

interface RecoveringState extends RecoveringOptions {
  waits: Map<Server, Wait>;
  /** Hashes of the queries that are being retried. */
  underWay: Map<Server, ReadonlySet<string>>;
  /** Errors of queries that failed again beside others' successes: no outage is their cause. */
  spent: WeakSet<object>;
  dueAtMs: number | null;
  callOff: () => void;
}

/**
 * Retries the queries that failed in an outage, once, as soon as their family answers again. Without other traffic, one
 * failed query is the probe, with backoff; a family with an open circuit breaker has its own probe.
 */
export function createRecovering(options: RecoveringOptions) {
  const known = { waits: new Map(), underWay: new Map(), spent: new WeakSet() };
  const context: RecoveringState = { ...options, ...known, dueAtMs: null, callOff: () => {} };
  const { ports, families } = context;
  return {
    /** Follows a change of families, connection or queries. */
    follow: () => follow(context),
    /** Families without an open breaker that have failed queries, with the time of the next probe. */
    list: (): readonly Pause[] =>
      listWaiting(context)
        .filter(({ family, isBroken }) => !isBroken && findPause(context, family) === undefined)
        .map(({ family, code }) => {
          const { atMs } = waitOf(context, family);
          return { family, code, untilMs: Number.isFinite(atMs) ? atMs : ports.nowMs() };
        }),
    /** Sends the next probes at once. */
    tryNow(): void {
      for (const { family } of families.listFailing()) {
        const wait = waitOf(context, family);
        wait.atMs = Math.min(wait.atMs, ports.nowMs());
      }
      follow(context);
    },
  };
}

/** Gives the family of a failure; one without a family, such as a timeout while waiting for a token, belongs to tokens. */
const familyOf = ({ families }: RecoveringState, error: FeedError): Server | null =>
  families.findCause(error)?.family ?? (isFailure(error) ? "credentials" : null);

function* listFailed(context: RecoveringState, family: Server): Iterable<Failed> {
  for (const failed of context.queryCache.failed()) if (familyOf(context, failed.error) === family) yield failed;
}

/** Lists the failing families with a failed query. It stops at the first query, since there may be thousands. */
function listWaiting(context: RecoveringState): Failing[] {
  const { families, queryCache, mayRequest } = context;
  const failing = families.listFailing();
  if (failing.length === 0 || queryCache.size() === 0 || !mayRequest()) return [];
  return failing.filter(({ family }) => {
    for (const _ of listFailed(context, family)) return true;
    return false;
  });
}

const findPause = ({ families, ports }: RecoveringState, family: Server): Pause | undefined =>
  families.list().find((pause) => pause.family === family && ports.nowMs() < pause.untilMs);

function waitOf({ waits, ports }: RecoveringState, family: Server): Wait {
  const wait = waits.get(family) ?? { atMs: ports.nowMs() + spread(FIRST_PROBE_MS, ports.random()), probes: 0 };
  waits.set(family, wait);
  return wait;
}

function toDueMs(context: RecoveringState, { family, isBroken, hasAnswered }: Failing): number {
  const pause = findPause(context, family);
  if (pause !== undefined) return pause.untilMs;
  const { atMs, probes } = waitOf(context, family);
  return isBroken || (hasAnswered && probes > 0) ? 0 : atMs;
}

function follow(context: RecoveringState): void {
  const { ports, waits } = context;
  const dues = listWaiting(context).map((each) => ({ ...each, dueMs: toDueMs(context, each) }));
  for (const [family, { atMs }] of waits) {
    if (Number.isFinite(atMs) && !dues.some((each) => each.family === family)) waits.delete(family);
  }
  const nextMs = Math.min(...dues.map(({ dueMs }) => dueMs));
  const nextAtMs = Number.isFinite(nextMs) ? nextMs : null;
  if (nextAtMs === context.dueAtMs) return;
  context.callOff();
  context.dueAtMs = nextAtMs;
  if (nextAtMs !== null) {
    const due = dues.filter(({ dueMs }) => dueMs === nextAtMs).map(({ family }) => family);
    context.callOff = ports.after(Math.max(0, nextAtMs - ports.nowMs()), () => recover(context, due));
  }
  context.notify();
}

function recover(context: RecoveringState, due: readonly Server[]): void {
  context.dueAtMs = null;
  for (const failing of listWaiting(context)) {
    const { family, isBroken, hasAnswered } = failing;
    if (!due.includes(family) || findPause(context, family) !== undefined) continue;
    if (isBroken || hasAnswered) void retryAll(context, failing);
    else void sendProbe(context, family);
  }
  follow(context);
}

function settle({ families, waits }: RecoveringState, family: Server): void {
  families.settle(family);
  waits.delete(family);
}

async function retryAll(context: RecoveringState, { family, isBroken }: Failing): Promise<void> {
  const { families, underWay, spent, queryCache } = context;
  const hashes = new Set([...listFailed(context, family)].map(({ hash }) => hash));
  const isNew = findNew(context, family) !== undefined;
  settle(context, family);
  if (!isBroken && !isNew) return;
  underWay.set(family, hashes);
  const isMeant = (wasSent: boolean) => (error: FeedError, hash: string) =>
    hashes.has(hash) && (families.findCause(error)?.wasSent ?? false) === wasSent;
  // Unsent queries go first: the first query decides on the family, and must not always be one that fails.
  const again = await Promise.all([false, true].map((wasSent) => queryCache.retryFailed(isMeant(wasSent))));
  for (const error of again.flat()) spent.add(error as object);
  if (underWay.get(family) === hashes) underWay.delete(family);
  follow(context);
}

/** Finds a query that has not been retried yet. */
function findNew(context: RecoveringState, family: Server): Failed | undefined {
  const { underWay, spent } = context;
  for (const failed of listFailed(context, family)) {
    if (!spent.has(failed.error) && !underWay.get(family)?.has(failed.hash)) return failed;
  }
  return undefined;
}

/** Retries the queries of one failed request. */
async function sendProbe(context: RecoveringState, family: Server): Promise<void> {
  const { ports, queryCache } = context;
  const first = findNew(context, family);
  if (first === undefined) {
    settle(context, family);
    return;
  }
  const wait = waitOf(context, family);
  wait.atMs = Number.POSITIVE_INFINITY;
  wait.probes++;
  await queryCache.retryFailed((error) => error === first.error);
  const fullMs = Math.min(LONGEST_PROBE_MS, FIRST_PROBE_MS * 2 ** wait.probes);
  wait.atMs = ports.nowMs() + spread(fullMs, ports.random());
  follow(context);
}

interface ConnectivityOptions {
  ports: Pick<Ports, "network" | "nowMs" | "storage">;
  connecting: Pick<Connecting, "state" | "connect">;
  queryCache: Pick<QueryCache, "retryFailed">;
  /** Probes failing families at once. */
  tryNow: () => void;
  /** Called after each change. */
  notify: () => void;
}

const STORAGE_KEY = "feed.offline-since";

/** Errors that a missing network may have caused. */
const isForWantOfNetwork = hasCode("FEED_NETWORK_FAILED", "FEED_TIMED_OUT", "FEED_SIGNER_UNREACHABLE");

export type Connectivity = ReturnType<typeof createConnectivity>;

/** Watches the network; when it returns, retries the queries that failed without it, once. */
export function createConnectivity({ ports, connecting, queryCache, tryNow, notify }: ConnectivityOptions) {
  const persisted = createPersistedTime(ports);
  let outage = ports.network.isThere() ? null : persisted.resume();
  let isStored = false;
  let isBack = false;
  const look = () => {
    const isOffline = !ports.network.isThere();
    if (isOffline === (outage !== null)) return;
    outage = isOffline ? persisted.begin() : null;
    isBack = !isOffline;
    if (isBack) persisted.end();
    notify();
    void follow();
  };
  /** Stores what the page found as it started: storage must not be used then. */
  const store = () => {
    isStored = true;
    if (outage === null) persisted.end();
    else outage();
  };
  const follow = async () => {
    const { status } = connecting.state();
    if (!isStored && (status === "connected" || status === "failed")) store();
    if (!isBack || status === "connecting") return;
    isBack = false;
    if (status === "failed") await connecting.connect();
    if (connecting.state().status !== "connected") return;
    tryNow(); // the missing network may be why families kept failing
    void queryCache.retryFailed(isForWantOfNetwork);
  };
  ports.network.watch(look);
  return {
    /** Begin of the present outage, also across openings of the page; null while there is a network. */
    offlineSinceMs(): number | null {
      const state = connecting.state();
      const sinceMs = outage?.() ?? null;
      // A later connection shows that the provider is reachable, as on the person's own machine.
      return state.status === "connected" && sinceMs !== null && state.connectedAtMs > sinceMs ? null : sinceMs;
    },
    /** Follows a change of the connection: one under way delays the retries. */
    follow: () => void follow(),
  };
}

/** Stores the begin of an outage for the page's next opening; without storage, each opening has its own. */
function createPersistedTime({ nowMs, storage }: ConnectivityOptions["ports"]) {
  const stored = createStoredText(storage, STORAGE_KEY);
  return {
    /** Gives the begin of an outage that the page found: the stored one, else now. It is read when it is needed. */
    resume(): () => number {
      const foundMs = nowMs();
      let beganMs: number | null = null;
      return () => {
        if (beganMs !== null) return beganMs;
        const persistedMs = Number(stored.read());
        beganMs = persistedMs > 0 && persistedMs <= foundMs ? persistedMs : foundMs;
        if (beganMs === foundMs) stored.write(String(foundMs));
        return beganMs;
      };
    },
    begin(): () => number {
      const ms = nowMs();
      stored.write(String(ms));
      return () => ms;
    },
    end: stored.remove,
  };
}

import { type FeedError, hasCode } from "../client/errors";
import type { Failing, Families, Pause, Server } from "../client/http/families";
import { isFailure, spread } from "../client/http/retry";
import type { Ports } from "../client/ports";
import { createStoredText } from "../client/stored-text";
import type { Failed, QueryCache } from "../feed/query-cache";
import type { Connecting } from "./connecting";

/**
 * Asks again what failed in an outage, once, as soon as its family answers again, and nothing else. Where nothing is asked
 * meanwhile, one failed query goes first as a probe, at growing intervals; a family that pauses has its own probe.
 */
interface Recovering {
  /** Goes on after a change of families, connection or queries. */
  follow(): void;
  /** Families without a pause of which something failed, with the time of the next probe. */
  list(): readonly Pause[];
  /** Sends the next probes at once. */
  tryNow(): void;
}

interface RecoveringOptions {
  ports: Pick<Ports, "nowMs" | "after" | "random">;
  families: Pick<Families, "list" | "listFailing" | "settle" | "findCause">;
  queryCache: Pick<QueryCache, "failed" | "retryFailed" | "size">;
  /** Whether there is a connection to ask through. */
  mayRequest: () => boolean;
  /** Is called when the time of the next probe has changed. */
  notify: () => void;
}

const FIRST_PROBE_MS = 4_000;
const LONGEST_PROBE_MS = 60_000;

/** When a family is looked at again. */
interface Wait {
  /** Infinite while its probe is under way. */
  atMs: number;
  /** How many probes went out since the family was found well. */
  probes: number;
}

interface Context extends RecoveringOptions {
  waits: Map<Server, Wait>;
  /** What is being asked again, by its hashes. */
  underWay: Map<Server, ReadonlySet<string>>;
  /** Errors of queries that failed again: where others are answered, no outage is the cause. */
  spent: WeakSet<object>;
  dueAtMs: number | null;
  callOff: () => void;
}

export function createRecovering(options: RecoveringOptions): Recovering {
  const known = { waits: new Map(), underWay: new Map(), spent: new WeakSet() };
  const context: Context = { ...options, ...known, dueAtMs: null, callOff: () => {} };
  const { ports, families } = context;
  return {
    follow: () => follow(context),
    list: () =>
      listWaiting(context)
        .filter(({ family, isBroken }) => !isBroken && findPause(context, family) === undefined)
        .map(({ family, code }) => {
          const { atMs } = waitOf(context, family);
          return { family, code, untilMs: Number.isFinite(atMs) ? atMs : ports.nowMs() };
        }),
    tryNow() {
      for (const { family } of families.listFailing()) {
        const wait = waitOf(context, family);
        wait.atMs = Math.min(wait.atMs, ports.nowMs());
      }
      follow(context);
    },
  };
}

/** What is no family's own failure, as a time that ran out while a token was awaited, goes on with the tokens. */
const familyOf = ({ families }: Context, error: FeedError): Server | null =>
  families.findCause(error)?.family ?? (isFailure(error) ? "credentials" : null);

function* listFailed(context: Context, family: Server): Iterable<Failed> {
  for (const failed of context.queryCache.failed()) if (familyOf(context, failed.error) === family) yield failed;
}

/** Those of which a query waits: cells come and go by thousands, and so one is enough to know. */
function listWaiting(context: Context): Failing[] {
  const { families, queryCache, mayRequest } = context;
  const failing = families.listFailing();
  if (failing.length === 0 || queryCache.size() === 0 || !mayRequest()) return [];
  return failing.filter(({ family }) => {
    for (const _ of listFailed(context, family)) return true;
    return false;
  });
}

const findPause = ({ families, ports }: Context, family: Server): Pause | undefined =>
  families.list().find((pause) => pause.family === family && ports.nowMs() < pause.untilMs);

function waitOf({ waits, ports }: Context, family: Server): Wait {
  const wait = waits.get(family) ?? { atMs: ports.nowMs() + spread(FIRST_PROBE_MS, ports.random()), probes: 0 };
  waits.set(family, wait);
  return wait;
}

function toDueMs(context: Context, { family, isBroken, hasAnswered }: Failing): number {
  const pause = findPause(context, family);
  if (pause !== undefined) return pause.untilMs;
  const { atMs, probes } = waitOf(context, family);
  return isBroken || (hasAnswered && probes > 0) ? 0 : atMs;
}

function follow(context: Context): void {
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

function recover(context: Context, due: readonly Server[]): void {
  context.dueAtMs = null;
  for (const failing of listWaiting(context)) {
    const { family, isBroken, hasAnswered } = failing;
    if (!due.includes(family) || findPause(context, family) !== undefined) continue;
    if (isBroken || hasAnswered) void retryAll(context, failing);
    else void sendProbe(context, family);
  }
  follow(context);
}

function settle({ families, waits }: Context, family: Server): void {
  families.settle(family);
  waits.delete(family);
}

async function retryAll(context: Context, { family, isBroken }: Failing): Promise<void> {
  const { families, underWay, spent, queryCache } = context;
  const hashes = new Set([...listFailed(context, family)].map(({ hash }) => hash));
  const isNew = findNew(context, family) !== undefined;
  settle(context, family);
  if (!isBroken && !isNew) return;
  underWay.set(family, hashes);
  const isMeant = (wasSent: boolean) => (error: FeedError, hash: string) =>
    hashes.has(hash) && (families.findCause(error)?.wasSent ?? false) === wasSent;
  // One that always fails must not be the first each time, which alone tries whether the family is well.
  const again = await Promise.all([false, true].map((wasSent) => queryCache.retryFailed(isMeant(wasSent))));
  for (const error of again.flat()) spent.add(error as object);
  if (underWay.get(family) === hashes) underWay.delete(family);
  follow(context);
}

/** Finds a query that has not been asked again yet. */
function findNew(context: Context, family: Server): Failed | undefined {
  const { underWay, spent } = context;
  for (const failed of listFailed(context, family)) {
    if (!spent.has(failed.error) && !underWay.get(family)?.has(failed.hash)) return failed;
  }
  return undefined;
}

/** Asks for what one request failed for. */
async function sendProbe(context: Context, family: Server): Promise<void> {
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

/** Whether the browser says that there is no network. */
export interface Connectivity {
  /** Since when there is none, also across openings of the page; null while there is one. */
  offlineSinceMs(): number | null;
  /** Goes on where the network's return found a connection under way, after the state of that has changed. */
  follow(): void;
}

interface ConnectivityOptions {
  ports: Pick<Ports, "network" | "nowMs" | "storage">;
  connecting: Pick<Connecting, "state" | "connect">;
  queryCache: Pick<QueryCache, "retryFailed">;
  /** Has data be tried at once that kept failing. */
  tryNow: () => void;
  /** Is called after each change. */
  notify: () => void;
}

const STORAGE_KEY = "feed.offline-since";

/** What may have failed because there was no network. */
const isForWantOfNetwork = hasCode("FEED_NETWORK_FAILED", "FEED_TIMED_OUT", "FEED_SIGNER_UNREACHABLE");

/** Watches the network; once it is back, what failed for want of it is asked again, once, and nothing else. */
export function createConnectivity({
  ports,
  connecting,
  queryCache,
  tryNow,
  notify,
}: ConnectivityOptions): Connectivity {
  const persisted = createPersistedTime(ports);
  let sinceMs: number | null = null;
  let isBack = false;
  const look = () => {
    const isOffline = !ports.network.isThere();
    if (isOffline === (sinceMs !== null)) return;
    sinceMs = isOffline ? persisted.begin() : null;
    isBack = !isOffline;
    if (isBack) persisted.end();
    notify();
    void follow();
  };
  const follow = async () => {
    if (!isBack || connecting.state().status === "connecting") return;
    isBack = false;
    if (connecting.state().status === "failed") await connecting.connect();
    if (connecting.state().status !== "connected") return;
    tryNow(); // what kept failing did so for want of the network
    void queryCache.retryFailed(isForWantOfNetwork);
  };
  ports.network.watch(look);
  if (ports.network.isThere()) persisted.end();
  else sinceMs = persisted.begin();
  return {
    offlineSinceMs() {
      const state = connecting.state();
      // A connection made since shows that whom we ask is reached, as on the person's own machine.
      return state.status === "connected" && sinceMs !== null && state.connectedAtMs > sinceMs ? null : sinceMs;
    },
    follow: () => void follow(),
  };
}

/** When the network went, also for the page's next opening; where nothing can be stored, each opening counts from itself. */
function createPersistedTime({ nowMs, storage }: ConnectivityOptions["ports"]) {
  const stored = createStoredText(storage, STORAGE_KEY);
  return {
    begin(): number {
      const ms = nowMs();
      const persistedMs = Number(stored.read());
      if (persistedMs > 0 && persistedMs <= ms) return persistedMs;
      stored.write(String(ms));
      return ms;
    },
    end: stored.remove,
  };
}

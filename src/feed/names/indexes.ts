import { NoValueError } from "../errors";
import { createListeners, type Listeners } from "../listeners";
import type { PageLimits } from "../pages";
import type { Ports } from "../ports";
import type { Provider } from "../provider";
import { loadScript } from "../script";
import type { Watch } from "../watch";
import type { IndexFacts, NameEngine } from "./engine";
import type { BuildProgress } from "./gate";
import { toNotReady } from "./not-ready";

/** What is known of the index of a country's names. */
export interface NamesState {
  /** "unknown" until what is kept has been looked at. */
  readonly status: "unknown" | "none" | "building" | "built";
  /** The index that serves, also while another one is being built. */
  readonly facts: IndexFacts | null;
  /** How far the last build came; null when there was none. */
  readonly progress: BuildProgress | null;
  /** Why the last build ended early; null when it did not, or was cancelled. */
  readonly error: unknown;
}

export interface NameIndexesOptions {
  ports: Ports;
  provider: Provider;
  limits: PageLimits;
  watch: Watch;
  engine: NameEngine;
  /** Who the client is, and of which provider: what is kept serves nobody else. */
  owner: () => Promise<string>;
}

/** What a formula may send without being asked. */
const MOST_REQUESTS_OF_A_FORMULA = 20;

/** The indexes of this page: each opened once, and built by one build at a time. */
export interface NameIndexes {
  /** Looks at whether an index is kept, which `state` then tells. */
  open(country: string): void;
  /**
   * Gives the index of a country: the one there is, or one that takes few requests.
   *
   * @throws NoValueError (FEED_INDEX_NOT_READY); what a build throws
   */
  need(country: string): Promise<{ key: string; facts: IndexFacts }>;
  /** Builds a country's index, or goes on where the last build ended; never rejects, the state tells. */
  build(country: string): Promise<void>;
  /** Ends a build; what came is kept for the next. */
  cancel(country: string): void;
  state(country: string): NamesState;
  /** Is told of each change of a state. */
  subscribe(listener: () => void): () => void;
  /** Leaves the indexes of a client and ends the builds, as when the client changed. */
  reset(): void;
}

/** A country's index in this page. */
interface Entry {
  readonly country: string;
  state: NamesState;
  opening: Promise<string> | null;
  building: Building | null;
}

interface Building {
  promise: Promise<IndexFacts>;
  abort: AbortController;
  /** By the user, not by a formula. */
  isAsked: boolean;
}

interface Context extends NameIndexesOptions {
  entries: Map<string, Entry>;
  listeners: Listeners;
}

/** Makes the indexes of a page, none of which is opened yet. */
export function createNameIndexes(options: NameIndexesOptions): NameIndexes {
  const context: Context = { ...options, entries: new Map(), listeners: createListeners() };
  return {
    open: (country) => void open(context, country).catch(() => {}), // a question will tell why
    need: (country) => need(context, country),
    build: (country) => build(context, country),
    cancel(country) {
      const { building, state } = find(context, country);
      building?.abort.abort(toNotReady(country, state.progress?.expectedRequests ?? null));
    },
    state: (country) => find(context, country).state,
    subscribe: context.listeners.add,
    reset() {
      for (const { building } of context.entries.values()) building?.abort.abort();
      context.entries.clear();
      void options.engine.forget();
      context.listeners.tell();
    },
  };
}

const UNKNOWN: NamesState = { status: "unknown", facts: null, progress: null, error: null };

function find({ entries }: Context, country: string): Entry {
  const known = entries.get(country) ?? { country, state: UNKNOWN, opening: null, building: null };
  entries.set(country, known);
  return known;
}

function move(context: Context, entry: Entry, change: Partial<NamesState>): void {
  entry.state = { ...entry.state, ...change };
  const { facts } = entry.state;
  const status = entry.building !== null ? "building" : facts === null ? "none" : "built";
  entry.state = { ...entry.state, status };
  if (context.entries.get(entry.country) === entry) context.listeners.tell();
}

/** Looks for a kept index; gives its key in the engine. @throws SignerError when nobody tells who the client is */
function open(context: Context, country: string): Promise<string> {
  const entry = find(context, country);
  const look = async () => {
    const key = `${await context.owner()} ${country}`;
    const facts = await context.engine.open(key);
    move(context, entry, { facts });
    return key;
  };
  entry.opening ??= look().catch((error) => {
    entry.opening = null; // the companion may answer the next time
    throw error;
  });
  return entry.opening;
}

async function need(context: Context, country: string): Promise<{ key: string; facts: IndexFacts }> {
  const key = await open(context, country);
  const entry = find(context, country);
  const { facts, progress, error } = entry.state;
  if (facts !== null) return { key, facts };
  if (entry.building?.isAsked) throw toNotReady(country, progress?.expectedRequests ?? null, progress?.requests);
  // Once it turned out to be a long way, other cells need not find that out again.
  if (error instanceof NoValueError) throw error;
  const known = progress?.expectedRequests ?? 0;
  if (entry.building === null && known > MOST_REQUESTS_OF_A_FORMULA) throw toNotReady(country, known);
  return { key, facts: await (entry.building?.promise ?? start(context, entry, MOST_REQUESTS_OF_A_FORMULA)) };
}

/** A build of a formula is gone on with: it ends well, or by being too long for a formula. */
async function build(context: Context, country: string): Promise<void> {
  const entry = find(context, country);
  const isDone = await entry.building?.promise.then(
    () => true,
    () => false,
  );
  if (isDone || entry.building !== null) return;
  try {
    await start(context, entry, Number.POSITIVE_INFINITY);
  } catch {
    // The state tells.
  }
  context.watch.renew(["findNames", country]); // also where it ended early: cells said that it is being built
}

function start(context: Context, entry: Entry, mostRequests: number): Promise<IndexFacts> {
  const abort = new AbortController();
  const promise = run(context, entry, mostRequests, abort.signal);
  entry.building = { promise, abort, isAsked: mostRequests !== MOST_REQUESTS_OF_A_FORMULA };
  move(context, entry, { progress: null, error: null });
  return promise;
}

async function run(context: Context, entry: Entry, mostRequests: number, signal: AbortSignal): Promise<IndexFacts> {
  const { country } = entry;
  const { engine, provider, limits, ports } = context;
  try {
    const key = await open(context, country);
    const script = await loadScript(() => import(/* webpackChunkName: "lists" */ "./build"), "reads names");
    const facts = await script.buildNames({
      provider,
      limits,
      engine,
      key,
      country,
      mostRequests,
      signal,
      nowMs: ports.nowMs,
      tell: (progress) => move(context, entry, { progress }),
    });
    entry.building = null;
    move(context, entry, { facts });
    return facts;
  } catch (error) {
    entry.building = null;
    move(context, entry, { error: signal.aborted ? null : error });
    throw signal.aborted ? signal.reason : error;
  }
}

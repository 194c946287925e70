import type { Ports } from "../../client/ports";
import type { Provider } from "../../client/provider";
import type { Subscribers } from "../../client/subscribers";
import type { PageLimits } from "../pages";
import type { QueryCache } from "../query-cache";
import type { IndexFacts, NameEngine } from "./engine";

export interface BuildProgress {
  /** Names read so far, of both families. */
  rows: number;
  expected: number;
  /** Requests sent so far. */
  requests: number;
  /** Requests of the whole build, about; null until the first pages have come. */
  expectedRequests: number | null;
}

/** State of the index of a country's names. */
export interface NamesState {
  /** "unknown" until the store has been read. */
  readonly status: "unknown" | "none" | "building" | "built";
  /** The index that serves, also during a new build. */
  readonly facts: IndexFacts | null;
  /** Of the last build; null when there was none. */
  readonly progress: BuildProgress | null;
  /** Error of the last build; null when it succeeded or was cancelled. */
  readonly error: unknown;
}

export interface NameIndexesOptions {
  ports: Ports;
  provider: Provider;
  limits: PageLimits;
  queryCache: QueryCache;
  engine: NameEngine;
  /** The client and its provider: stored indexes serve no other. */
  owner: () => Promise<string>;
}

/** A country's index in this page. */
export interface Entry {
  readonly country: string;
  state: NamesState;
  opening: Promise<string> | null;
  building: Building | null;
}

interface Building {
  promise: Promise<IndexFacts>;
  abort: AbortController;
  /** Not by a formula. */
  isRequestedByUser: boolean;
}

/** The indexes of a page. */
export interface IndexesContext extends NameIndexesOptions {
  entries: Map<string, Entry>;
  listeners: Subscribers;
}

const UNKNOWN: NamesState = { status: "unknown", facts: null, progress: null, error: null };

/** Gives the entry of a country, whose state is unknown at first. */
export function find({ entries }: IndexesContext, country: string): Entry {
  const known = entries.get(country) ?? { country, state: UNKNOWN, opening: null, building: null };
  entries.set(country, known);
  return known;
}

/** Changes the state of an index, and notifies listeners. */
export function move(context: IndexesContext, entry: Entry, change: Partial<NamesState>): void {
  entry.state = { ...entry.state, ...change };
  const { facts } = entry.state;
  const status = entry.building !== null ? "building" : facts === null ? "none" : "built";
  entry.state = { ...entry.state, status };
  if (context.entries.get(entry.country) === entry) context.listeners.notify();
}

/** Opens a stored index; gives its key in the engine. @throws SignerError when the client is unknown */
export function open(context: IndexesContext, country: string): Promise<string> {
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

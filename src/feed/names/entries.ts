import { NoValueError } from "../../client/errors";
import type { Ports } from "../../client/ports";
import type { Provider } from "../../client/provider";
import type { Subscribers } from "../../client/subscribers";
import type { PageLimits } from "../pages";
import type { QueryCache } from "../query-cache";
import type { IndexFacts, NameEngine } from "./engine";

/** How far a build is. */
export interface BuildProgress {
  /** Names that have come, of both families. */
  rows: number;
  expected: number;
  /** Requests that this index has taken so far. */
  requests: number;
  /** Requests it will take in all, about; null while the first pages do not tell. */
  expectedRequests: number | null;
}

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
  queryCache: QueryCache;
  engine: NameEngine;
  /** Who the client is, and of which provider: what is kept serves nobody else. */
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
  /** By the user, not by a formula. */
  isRequestedByUser: boolean;
}

/** The indexes of a page. */
export interface IndexesContext extends NameIndexesOptions {
  entries: Map<string, Entry>;
  listeners: Subscribers;
}

const UNKNOWN: NamesState = { status: "unknown", facts: null, progress: null, error: null };

/** Finds the entry of a country, whose state is unknown at first. */
export function find({ entries }: IndexesContext, country: string): Entry {
  const known = entries.get(country) ?? { country, state: UNKNOWN, opening: null, building: null };
  entries.set(country, known);
  return known;
}

/** Changes what is known of an index, and tells of it. */
export function move(context: IndexesContext, entry: Entry, change: Partial<NamesState>): void {
  entry.state = { ...entry.state, ...change };
  const { facts } = entry.state;
  const status = entry.building !== null ? "building" : facts === null ? "none" : "built";
  entry.state = { ...entry.state, status };
  if (context.entries.get(entry.country) === entry) context.listeners.notify();
}

/** Looks for a kept index; gives its key in the engine. @throws SignerError when nobody tells who the client is */
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

/**
 * The refusal of a query that would take too many requests.
 *
 * @param requests how many; null when nobody knows
 * @param sent how many of them a build that is under way has sent
 */
export function toNotReady(country: string, requests: number | null, sent?: number): NoValueError {
  const index = `the index of names for ${country}`;
  const many = requests === null ? "many requests" : `about ${requests} requests`;
  return new NoValueError(
    "FEED_INDEX_NOT_READY",
    sent === undefined
      ? `${index} is not built: ${many}; build it in the FEED pane`
      : `${index} is being built: ${sent} of ${many}; this shows when it is built`,
  );
}

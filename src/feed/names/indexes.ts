import { createSubscribers } from "../../client/subscribers";
import { loadScript } from "../script";
import type { IndexFacts } from "./engine";
import { find, type IndexesContext, move, type NameIndexesOptions, type NamesState, open } from "./entries";
import { toNotReady } from "./not-ready";

/** The indexes of this page; each has one build at a time. */
export interface NameIndexes {
  /** Gives the index of a country in memory or in the store; null where there is none. */
  find(country: string): Promise<{ key: string; facts: IndexFacts } | null>;
  /**
   * Gives the index of a country; builds one that takes few requests.
   *
   * @throws NoValueError (FEED_INDEX_NOT_READY); the errors of a build
   */
  need(country: string): Promise<{ key: string; facts: IndexFacts }>;
  /** Builds a country's index, or resumes its last build; never rejects, the error is in `state`. */
  build(country: string): Promise<void>;
  /** Ends a build; the next one resumes it. */
  cancel(country: string): void;
  state(country: string): NamesState;
  /** Calls `listener` after each change of a state. */
  subscribe(listener: () => void): () => void;
  /** Forgets all indexes and ends the builds: the client has changed. */
  reset(): void;
}

/** Makes the indexes of a page, which are opened on demand. */
export function createNameIndexes(options: NameIndexesOptions): NameIndexes {
  const context: IndexesContext = { ...options, entries: new Map(), listeners: createSubscribers() };
  return {
    async find(country) {
      const key = await open(context, country);
      const { facts } = find(context, country).state;
      return facts && { key, facts };
    },
    need: async (country) => (await loadBuilding()).need(context, country),
    async build(country) {
      try {
        await (await loadBuilding()).build(context, country);
      } catch (error) {
        move(context, find(context, country), { error });
      }
    },
    cancel(country) {
      const { building, state } = find(context, country);
      building?.abort.abort(toNotReady(country, state.progress?.expectedRequests ?? null));
    },
    state: (country) => find(context, country).state,
    subscribe: context.listeners.subscribe,
    reset() {
      for (const { building } of context.entries.values()) building?.abort.abort();
      context.entries.clear();
      void options.engine.forget();
      context.listeners.notify();
    },
  };
}

const loadBuilding = () => loadScript(() => import(/* webpackChunkName: "lists" */ "./build"));

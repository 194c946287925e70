import { createSubscribers } from "../../client/subscribers";
import { loadScript } from "../script";
import type { IndexFacts } from "./engine";
import { find, type IndexesContext, move, type NameIndexesOptions, type NamesState, open, toNotReady } from "./entries";

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

/** Makes the indexes of a page, none of which is opened yet. */
export function createNameIndexes(options: NameIndexesOptions): NameIndexes {
  const context: IndexesContext = { ...options, entries: new Map(), listeners: createSubscribers() };
  return {
    open: (country) => void open(context, country).catch(() => {}), // a query will say why
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

const loadBuilding = () => loadScript(() => import(/* webpackChunkName: "lists" */ "./single-build"), "reads names");

import type { NameEngine } from "./names/engine";
import type { Hindrance, PersistedCache } from "./persisted-cache/types";

/** What outlives the page on this computer: answers and indexes of names. */
export interface PersistedData {
  /** About how much it is, in bytes. */
  size(): Promise<number>;
  /** Drops all of it; whether it is gone. What this page knows, it goes on knowing. */
  forget(): Promise<boolean>;
  /** Why this page keeps no answers; null while it does. */
  hindrance(): Hindrance | null;
}

export function createPersistedData(
  answers: Pick<PersistedCache, "size" | "forget" | "hindrance">,
  engine: Pick<NameEngine, "size" | "drop">,
): PersistedData {
  return {
    async size() {
      const [ofAnswers, ofNames] = await Promise.all([answers.size(), engine.size()]);
      return ofAnswers + ofNames;
    },
    async forget() {
      const gone = await Promise.all([answers.forget(), engine.drop()]);
      return gone.every((each) => each);
    },
    hindrance: answers.hindrance,
  };
}

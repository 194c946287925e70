import type { Configuration } from "../client/configuration";
import { SAMPLE, toOwner, toProvider } from "../client/owner";
import type { Ports } from "../client/ports";
import { createStoredText } from "../client/stored-text";

/** The owner of persisted answers: a provider's address and a client's id, neither of them secret. */
export interface Owner {
  /**
   * Gives the owner by the companion's configuration, or the last known owner where that fails or takes long, so that
   * persisted answers show at once.
   *
   * @throws SignerError where no owner is known either
   */
  find(configured: Promise<Configuration>): Promise<string>;
  /** Stores the owner of a configuration; gives whether it has changed. */
  remember(configuration: Configuration): boolean;
  /** Whether the last known client reads sample data. */
  isSample(): boolean;
}

const STORAGE_KEY = "feed.owner";

/** A running companion on this machine answers within this time. */
const PATIENCE_MS = 1_500;

export function createOwner({ storage, after }: Pick<Ports, "storage" | "after">): Owner {
  const stored = createStoredText(storage, STORAGE_KEY);
  let known: string | null | undefined;
  const recall = () => {
    if (known === undefined) known = stored.read();
    return known;
  };
  return {
    find(configured) {
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
    remember(configuration) {
      const owner = toOwner(configuration);
      const last = recall();
      const isOther = last !== null && last !== owner;
      if (last !== owner) stored.write(owner);
      known = owner;
      return isOther;
    },
    isSample() {
      const last = recall();
      return last !== null && toProvider(last) === SAMPLE;
    },
  };
}

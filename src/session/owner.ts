import type { Configuration } from "../client/configuration";
import { SAMPLE, toOwner, toProvider } from "../client/owner";
import type { Ports } from "../client/ports";
import { createStoredText } from "../client/stored-text";

/** Whose the kept answers are: a provider's address and a client's id, which are no secret. */
export interface Owner {
  /**
   * Tells by the companion's configuration; by what was last known where there is none, as without a network, or
   * where it takes long, so that what is kept shows at once.
   *
   * @throws SignerError where nothing is known either
   */
  find(configured: Promise<Configuration>): Promise<string>;
  /** Takes note of a configuration; whether the client is another one than before. */
  remember(configuration: Configuration): boolean;
  /** Whether the client that was last known reads sample data. */
  isSample(): boolean;
}

const STORAGE_KEY = "feed.owner";

/** A companion on this machine answers within this time, if it does at all. */
const PATIENCE_MS = 1_500;

export function createOwner({ storage, after }: Pick<Ports, "storage" | "after">): Owner {
  const stored = createStoredText(storage, STORAGE_KEY);
  let known = stored.read();
  return {
    find(configured) {
      if (known === null) return configured.then(toOwner);
      const last = known;
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
      const isOther = known !== null && known !== owner;
      if (known !== owner) stored.write(owner);
      known = owner;
      return isOther;
    },
    isSample: () => known !== null && toProvider(known) === SAMPLE,
  };
}

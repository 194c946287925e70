import type { Ports } from "../client/ports";
import type { Call, Calls } from "./calls";
import type { Settings } from "./settings";

/** Keeps a workbook from showing figures of two providers as if they were one's. */
export interface ProviderGuard {
  /** Whose figures the workbook shows; null as long as it shows none. */
  own(): string | null;
  /** Notes a provider that queries were refused for. */
  refuse(provider: string): void;
  /** The provider that was refused; null where none was. */
  refused(): string | null;
  /** Makes the refused one the workbook's own. */
  adopt(): void;
  /** Goes on after settings or connection have changed. */
  follow(): void;
}

/** Settings as the session has them. */
interface PersistedSettings {
  current(): Settings;
  /** Whether it is known what the workbook keeps. */
  isAdopted(): boolean;
  change(changed: Partial<Settings>): void;
}

interface GuardOptions {
  ports: Pick<Ports, "after">;
  settings: PersistedSettings;
  calls: Calls;
  /** The provider that is asked now; null while that is not known. */
  provider: () => string | null;
  /** Has everything asked anew. */
  reset: () => void;
  notify: () => void;
}

/** Formulas say something new thousands of times at once, and are looked through once. */
const LOOK_AFTER_MS = 250;

export function createProviderGuard(options: GuardOptions): ProviderGuard {
  const { settings, calls, provider, reset, notify } = options;
  let refused: string | null = null;
  let isForeign = false;
  const own = () => settings.current().provider;
  const remember = createMemory(options);
  calls.onChange(remember);
  return {
    own,
    refuse(provider) {
      const isNew = refused !== provider;
      refused = provider;
      if (isNew) notify();
    },
    refused: () => refused,
    adopt() {
      const adopted = refused;
      refused = null;
      settings.change({ provider: adopted });
    },
    follow() {
      remember();
      const [persisted, current] = [own(), provider()];
      const wasForeign = isForeign;
      isForeign = persisted !== null && current !== null && persisted !== current;
      if (current !== null && !isForeign) refused = null;
      if (isForeign && !wasForeign) reset(); // cells may run before it is known what the workbook keeps
    },
  };
}

/** Makes the provider of the first figures the workbook's own. */
function createMemory({ ports, settings, calls, provider }: GuardOptions): () => void {
  let isDue = false;
  return () => {
    if (isDue || !settings.isAdopted() || settings.current().provider !== null || provider() === null) return;
    isDue = true;
    ports.after(LOOK_AFTER_MS, () => {
      isDue = false;
      if (settings.current().provider === null && calls.list().some(isShown)) settings.change({ provider: provider() });
    });
  };
}

const isShown = ({ queries, shown }: Call): boolean => queries.length > 0 && Array.isArray(shown);

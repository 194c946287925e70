import type { Ports } from "../client/ports";
import { createStoredText, type StoredText } from "../client/stored-text";
import type { ProbeKind, Probes } from "../feed/probes";
import { loadScript } from "../feed/script";
import { type AccessContext, type AccessState, PROBE_KINDS, toWhose, UNKNOWN } from "./access-state";

/** The client's entitlements. */
export interface Access {
  state(): Readonly<Record<ProbeKind, AccessState>>;
  /** Time of the last `probe`; null while unknown. */
  checkedAtMs(): number | null;
  /** Probes each family with the smallest read; never rejects, the errors are in `state`. */
  probe(): Promise<void>;
  /** Probes the path of the provider's own walk-through (§4.5), which no formula needs. */
  probeWalkThrough(): Promise<void>;
  /** Sets the client, and restores its result of the last day if there is one. */
  enter(client: string): void;
}

const START = Object.fromEntries([...PROBE_KINDS, "walkThrough"].map((family) => [family, UNKNOWN])) as Record<
  ProbeKind,
  AccessState
>;

const NOTHING = { atMs: null, states: START };

/** Entitlements seldom change, and each probe costs a request. */
const LASTS_MS = 24 * 60 * 60_000;

/** @param notify called after each change */
export function createAccess(
  ports: Ports,
  probes: () => Promise<Probes>,
  country: () => string,
  notify: () => void,
): Access {
  const known = { states: START, checkedAtMs: null, client: null, round: 0 };
  const stored = createStoredText(ports.storage, "feed.access");
  const context: AccessContext = { ports, stored, probes, country, notify, ...known };
  return {
    state: () => context.states,
    checkedAtMs: () => context.checkedAtMs,
    probe: () => load(context, PROBE_KINDS, ({ probeAll }) => probeAll(context)),
    probeWalkThrough: () => load(context, ["walkThrough"], ({ probe }) => probe(context, "walkThrough")),
    enter(client) {
      const { atMs: checkedAtMs, states } = tryRead(stored, toWhose(client, country()), ports.nowMs()) ?? NOTHING;
      Object.assign(context, { client, round: context.round + 1, checkedAtMs, states });
    },
  };
}

/** Loads the probes' script on demand: most pages never probe. */
async function load(
  context: AccessContext,
  families: readonly ProbeKind[],
  run: (script: typeof import("./access-probe")) => Promise<unknown>,
): Promise<void> {
  try {
    await run(await loadScript(() => import(/* webpackChunkName: "probes" */ "./access-probe")));
  } catch (error) {
    const failed: AccessState = { ...UNKNOWN, status: "failed", error };
    context.states = { ...context.states, ...Object.fromEntries(families.map((family) => [family, failed])) };
    context.notify();
  }
}

/** Reads the stored result; null where it is malformed, too old, or of another client. */
function tryRead(stored: StoredText, whose: string, nowMs: number) {
  try {
    const persisted = JSON.parse(stored.read() ?? "null");
    const { atMs, refused }: { atMs: number; refused: unknown[] } = persisted;
    if (persisted.whose !== whose || !(atMs <= nowMs && nowMs - atMs < LASTS_MS)) return null;
    const toState = (family: ProbeKind): AccessState => {
      return { ...UNKNOWN, status: refused.includes(family) ? "refused" : "allowed" };
    };
    const states = Object.fromEntries(PROBE_KINDS.map((family) => [family, toState(family)]));
    return { atMs, states: { ...START, ...states } };
  } catch {
    return null;
  }
}

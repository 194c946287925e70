import { FeedError } from "../feed/errors";
import type { Ports } from "../feed/ports";
import type { Family, Probes } from "../feed/probes";

/** What is tried at each connection, in the order in which it is shown. */
export const FAMILIES = [
  "companies",
  "financials",
  "taxonomies",
  "rankings",
  "rankingPages",
  "rankingIndustries",
] as const satisfies readonly Family[];

/** Whether the client may read a family, as far as it has been tried. */
export interface AccessState {
  status: "unknown" | "asking" | "allowed" | "refused" | "failed";
  /** How long the try took, in milliseconds; null until it ended. */
  tookMs: number | null;
  /** Why it was refused or failed. */
  error: unknown;
}

/** What this client may read. */
export interface Access {
  state(): Readonly<Record<Family, AccessState>>;
  /** Tries each family with the smallest read; never rejects, the state tells. */
  probe(): Promise<void>;
  /** Tries the path of the provider's own walk-through (§4.5), which no formula needs. */
  probeWalkThrough(): Promise<void>;
  /** Forgets what was found, as when the client changed. */
  reset(): void;
}

const UNKNOWN: AccessState = { status: "unknown", tookMs: null, error: null };
const START = Object.fromEntries([...FAMILIES, "walkThrough"].map((family) => [family, UNKNOWN])) as Record<
  Family,
  AccessState
>;

/** @param tell is called after each change */
export function createAccess({ nowMs }: Ports, probes: Probes, country: () => string, tell: () => void): Access {
  let states = START;
  let round = 0;
  const move = (asked: number, family: Family, state: AccessState) => {
    if (asked !== round) return; // of another client
    states = { ...states, [family]: state };
    tell();
  };
  const probe = async (family: Family, companyId: string | null = null): Promise<string | null> => {
    const asked = round;
    const sinceMs = nowMs();
    move(asked, family, { ...UNKNOWN, status: "asking" });
    const end = (status: AccessState["status"], error: unknown = null) =>
      move(asked, family, { status, error, tookMs: nowMs() - sinceMs });
    try {
      const found = await probes.load(family, country(), companyId);
      end("allowed");
      return found;
    } catch (error) {
      end(isRefusal(error) ? "refused" : "failed", error);
      return null;
    }
  };
  return {
    state: () => states,
    async probe() {
      const companies = probe("companies");
      const others = FAMILIES.filter((family) => family !== "companies");
      await Promise.all(others.map(async (family) => probe(family, family === "financials" ? await companies : null)));
    },
    async probeWalkThrough() {
      await probe("walkThrough");
    },
    reset() {
      round++;
      states = START;
    },
  };
}

const isRefusal = (error: unknown): boolean => error instanceof FeedError && error.code === "FEED_SCOPE_MISSING";

import { FeedError } from "../feed/errors";
import type { Ports } from "../feed/ports";
import type { Family, Probes } from "../feed/probes";

/** What is tried, in the order in which it is shown. */
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
  /** How long the try took, in milliseconds; null until it ended, and where it was on an earlier page. */
  tookMs: number | null;
  /** Why it was refused or failed; null also where that was on an earlier page. */
  error: unknown;
}

/** What this client may read. */
export interface Access {
  state(): Readonly<Record<Family, AccessState>>;
  /** When all that is tried by `probe` was last tried; null while that is not known. */
  checkedAtMs(): number | null;
  /** Tries each family with the smallest read; never rejects, the state tells. */
  probe(): Promise<void>;
  /** Tries the path of the provider's own walk-through (§4.5), which no formula needs. */
  probeWalkThrough(): Promise<void>;
  /** Goes by what was found of a client within the last day, on this page or an earlier one, else by nothing. */
  enter(client: string): void;
}

const UNKNOWN: AccessState = { status: "unknown", tookMs: null, error: null };
const START = Object.fromEntries([...FAMILIES, "walkThrough"].map((family) => [family, UNKNOWN])) as Record<
  Family,
  AccessState
>;

const NOTHING = { atMs: null, states: START };

const STORAGE_KEY = "feed.access";

/** What a client may read seldom changes, and each try costs requests. */
const LASTS_MS = 24 * 60 * 60_000;

/** @param tell is called after each change */
export function createAccess(
  { nowMs, storage }: Ports,
  probes: () => Promise<Probes>,
  country: () => string,
  tell: () => void,
): Access {
  let states = START;
  let checkedAtMs: number | null = null;
  let client: string | null = null;
  let round = 0;
  const move = (asked: number, family: Family, state: AccessState) => {
    if (asked !== round) return; // of another client
    states = { ...states, [family]: state };
    tell();
  };
  const probe = (family: Family, companyId: string | null = null) => {
    const asked = round;
    const load = async () => (await probes()).load(family, country(), companyId);
    return tryOne(load, nowMs, (state) => move(asked, family, state));
  };
  return {
    state: () => states,
    checkedAtMs: () => checkedAtMs,
    async probe() {
      const asked = round;
      const whose = toWhose(client, country());
      await tryAll(probe);
      if (asked !== round) return;
      checkedAtMs = nowMs();
      tryKeep(storage, whose, checkedAtMs, states);
      tell();
    },
    probeWalkThrough: () => probe("walkThrough").then(() => {}),
    enter(whom) {
      round++;
      client = whom;
      ({ atMs: checkedAtMs, states } = tryRead(storage, toWhose(client, country()), nowMs()) ?? NOTHING);
    },
  };
}

/** Whose financials are read is a company that came. */
async function tryAll(probe: (family: Family, companyId?: string | null) => Promise<string | null>): Promise<void> {
  const companies = probe("companies");
  const others = FAMILIES.filter((family) => family !== "companies");
  await Promise.all(others.map(async (family) => probe(family, family === "financials" ? await companies : null)));
}

/** Gives what came, null where nothing did; `tell` hears how that goes. */
async function tryOne(
  load: () => Promise<string | null>,
  nowMs: () => number,
  tell: (state: AccessState) => void,
): Promise<string | null> {
  const sinceMs = nowMs();
  tell({ ...UNKNOWN, status: "asking" });
  const end = (status: AccessState["status"], error: unknown = null) =>
    tell({ status, error, tookMs: nowMs() - sinceMs });
  try {
    const found = await load();
    end("allowed");
    return found;
  } catch (error) {
    end(isRefusal(error) ? "refused" : "failed", error);
    return null;
  }
}

/** Some lists are of a country. */
const toWhose = (client: string | null, country: string) => `${client} ${country}`;

/** A failure tells nothing of what may be read. */
function tryKeep(storage: Ports["storage"], whose: string, atMs: number, states: typeof START): void {
  if (FAMILIES.some((family) => !["allowed", "refused"].includes(states[family].status))) return;
  const refused = FAMILIES.filter((family) => states[family].status === "refused");
  try {
    storage().setItem(STORAGE_KEY, JSON.stringify({ whose, atMs, refused }));
  } catch {
    // blocked or full: it is tried on each page
  }
}

/** What stands there may be of anybody, and is not believed unless it fits. */
function tryRead(storage: Ports["storage"], whose: string, nowMs: number) {
  try {
    const kept = JSON.parse(storage().getItem(STORAGE_KEY) ?? "null");
    const { atMs, refused }: { atMs: number; refused: unknown[] } = kept;
    if (kept.whose !== whose || !(atMs <= nowMs && nowMs - atMs < LASTS_MS)) return null;
    const toState = (family: Family): AccessState => {
      return { ...UNKNOWN, status: refused.includes(family) ? "refused" : "allowed" };
    };
    const states = Object.fromEntries(FAMILIES.map((family) => [family, toState(family)]));
    return { atMs, states: { ...START, ...states } };
  } catch {
    return null;
  }
}

const isRefusal = (error: unknown): boolean => error instanceof FeedError && error.code === "FEED_SCOPE_MISSING";

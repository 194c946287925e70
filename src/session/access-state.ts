import type { Ports } from "../client/ports";
import type { StoredText } from "../client/stored-text";
import type { ProbeKind, Probes } from "../feed/probes";

/** The probed families, in the pane's order. */
export const PROBE_KINDS = [
  "companies",
  "financials",
  "taxonomies",
  "rankings",
  "rankingPages",
  "rankingIndustries",
] as const satisfies readonly ProbeKind[];

/** Whether the client may read a family, by its last probe. */
export interface AccessState {
  status: "unknown" | "asking" | "allowed" | "refused" | "failed";
  /** Duration of the probe in milliseconds; null before its end, and for a probe of an earlier page. */
  tookMs: number | null;
  /** Error of the probe; null also for a probe of an earlier page. */
  error: unknown;
}

export const UNKNOWN: AccessState = { status: "unknown", tookMs: null, error: null };

export interface AccessContext {
  ports: Ports;
  /** Result of the last day's probes. */
  stored: StoredText;
  probes: () => Promise<Probes>;
  country: () => string;
  /** Called after each change. */
  notify: () => void;
  states: Readonly<Record<ProbeKind, AccessState>>;
  checkedAtMs: number | null;
  client: string | null;
  /** Counts clients: probes of a former one are ignored. */
  round: number;
}

/** Names the subject of a result; the country counts, since some lists have one. */
export const toWhose = (client: string | null, country: string) => `${client} ${country}`;

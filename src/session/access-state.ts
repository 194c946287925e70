import type { Ports } from "../client/ports";
import type { StoredText } from "../client/stored-text";
import type { ProbeKind, Probes } from "../feed/probes";

/** What is tried, in the order in which it is shown. */
export const PROBE_KINDS = [
  "companies",
  "financials",
  "taxonomies",
  "rankings",
  "rankingPages",
  "rankingIndustries",
] as const satisfies readonly ProbeKind[];

/** Whether the client may read a family, as far as it has been tried. */
export interface AccessState {
  status: "unknown" | "asking" | "allowed" | "refused" | "failed";
  /** How long the try took, in milliseconds; null until it ended, and where it was on an earlier page. */
  tookMs: number | null;
  /** Why it was refused or failed; null also where that was on an earlier page. */
  error: unknown;
}

/** Nothing is known of a family. */
export const UNKNOWN: AccessState = { status: "unknown", tookMs: null, error: null };

/** What access is found out with, and what is known of it. */
export interface AccessContext {
  ports: Ports;
  /** What was found within the last day. */
  stored: StoredText;
  probes: () => Promise<Probes>;
  country: () => string;
  /** Is called after each change. */
  notify: () => void;
  states: Readonly<Record<ProbeKind, AccessState>>;
  checkedAtMs: number | null;
  client: string | null;
  /** Counts clients: what is found of one of before is none of this one's. */
  round: number;
}

/** Some lists are of a country. */
export const toWhose = (client: string | null, country: string) => `${client} ${country}`;

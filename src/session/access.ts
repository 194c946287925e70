import { FeedError } from "../client/errors";
import { toOwner } from "../client/owner";
import type { Call } from "../client/provider";
import { createStoredText, type StoredText } from "../client/stored-text";
import { createSubscribers } from "../client/subscribers";
import { decodePage, readText } from "../feed/decode";
import type { SessionState } from "./connecting";
import type { Session } from "./session";

/** The probed families, in the pane's order: data with a scope of its own, as each ranking has one (§5.4). */
export const PROBE_KINDS = [
  "companies",
  "financials",
  "taxonomies",
  "rankings",
  "rankingPages",
  "rankingIndustries",
] as const;

/** A probed family, or the path of the provider's own walk-through (§4.5), which no formula needs. */
type ProbeKind = (typeof PROBE_KINDS)[number] | "walkThrough";

/** Whether the client may read a family, by its last probe. */
export interface AccessState {
  status: "unknown" | "asking" | "allowed" | "refused" | "failed";
  /** Duration of the probe in milliseconds; null before its end, and for a probe of an earlier page. */
  tookMs: number | null;
  /** Error of the probe; null also for a probe of an earlier page. */
  error: unknown;
}

type States = Readonly<Record<ProbeKind, AccessState>>;

/** The client's entitlements. */
export interface Access {
  state(): States;
  /** Time of the last `probe`; null while unknown. */
  checkedAtMs(): number | null;
  /** Probes each family with the smallest read; never rejects, the errors are in `state`. */
  probe(): Promise<void>;
  /** Probes the walk-through's path. */
  probeWalkThrough(): Promise<unknown>;
  /** Calls `listener` after each change of these. */
  subscribe(listener: () => void): () => void;
}

const UNKNOWN: AccessState = { status: "unknown", tookMs: null, error: null };

const START: States = {
  companies: UNKNOWN,
  financials: UNKNOWN,
  taxonomies: UNKNOWN,
  rankings: UNKNOWN,
  rankingPages: UNKNOWN,
  rankingIndustries: UNKNOWN,
  walkThrough: UNKNOWN,
};

const NOTHING = { checkedAtMs: null, states: START };

/** Entitlements seldom change, and each probe costs a request. */
const LASTS_MS = 24 * 60 * 60_000;

interface ProbesState {
  session: Session;
  /** Result of the last day's probes. */
  stored: StoredText;
  notify: () => void;
  states: States;
  checkedAtMs: number | null;
  /** Of the states: probes of a former connection are ignored. */
  connection: SessionState | null;
}

const opened = new WeakMap<Session, Access>();

/** Gives the entitlements of a session's client, made once; at each connection they are what the last day's probes found. */
export function openAccess(session: Session): Access {
  const access = opened.get(session) ?? createAccess(session);
  opened.set(session, access);
  return access;
}

function createAccess(session: Session): Access {
  const { subscribe, notify } = createSubscribers();
  const stored = createStoredText(session.ports.storage, "feed.access");
  const context: ProbesState = { session, stored, notify, ...NOTHING, connection: null };
  follow(context);
  session.subscribe(() => follow(context));
  return {
    state: () => context.states,
    checkedAtMs: () => context.checkedAtMs,
    probe: () => probeAll(context),
    probeWalkThrough: () => probe(context, "walkThrough"),
    subscribe,
  };
}

/** Restores the result of a new connection's client. */
function follow(context: ProbesState): void {
  const { session, stored, notify } = context;
  const connection = session.state();
  if (connection.status !== "connected" || connection === context.connection) return;
  const known = tryRead(stored, toWhose(session), session.ports.nowMs()) ?? NOTHING;
  Object.assign(context, { ...known, connection });
  notify();
}

/** Names the subject of a result; the country counts, since some lists have one. */
function toWhose(session: Session): string {
  const { configuration } = session.state();
  return `${configuration && toOwner(configuration)} ${session.settings.country}`;
}

/** Reads the stored result; null where it is malformed, too old, or of another client. */
function tryRead(stored: StoredText, whose: string, nowMs: number): Pick<ProbesState, "states" | "checkedAtMs"> | null {
  try {
    const persisted = JSON.parse(stored.read() ?? "null");
    const { atMs, refused }: { atMs: number; refused: unknown[] } = persisted;
    if (persisted.whose !== whose || !(atMs <= nowMs && nowMs - atMs < LASTS_MS)) return null;
    const toState = (family: ProbeKind): AccessState => {
      return { ...UNKNOWN, status: refused.includes(family) ? "refused" : "allowed" };
    };
    const states = Object.fromEntries(PROBE_KINDS.map((family) => [family, toState(family)]));
    return { checkedAtMs: atMs, states: { ...START, ...states } };
  } catch {
    return null;
  }
}

/** Probes all families, and stores the result for a day. The first company found serves for the financials. */
async function probeAll(context: ProbesState): Promise<void> {
  const { session, connection, notify } = context;
  const whose = toWhose(session);
  const companies = probe(context, "companies");
  const others = PROBE_KINDS.filter((family) => family !== "companies");
  await Promise.all([
    companies,
    ...others.map(async (family) => probe(context, family, family === "financials" ? await companies : null)),
  ]);
  if (connection !== context.connection) return; // the client may have changed
  context.checkedAtMs = session.ports.nowMs();
  store(context, whose, context.checkedAtMs);
  notify();
}

/** Stores the result, unless a probe failed: a failure shows no entitlement. */
function store({ stored, states }: ProbesState, whose: string, atMs: number): void {
  if (PROBE_KINDS.some((family) => !["allowed", "refused"].includes(states[family].status))) return;
  const refused = PROBE_KINDS.filter((family) => states[family].status === "refused");
  stored.write(JSON.stringify({ whose, atMs, refused }));
}

/**
 * Probes one family by the smallest read.
 *
 * @param companyId whose financials to read; default a number that nobody has, which shows as much
 * @returns the id of the company that came; null where none did
 */
async function probe(context: ProbesState, family: ProbeKind, companyId: string | null = null): Promise<string | null> {
  const { session, connection, notify } = context;
  const { nowMs } = session.ports;
  const sinceMs = nowMs();
  const move = (state: AccessState) => {
    if (connection !== context.connection) return;
    context.states = { ...context.states, [family]: state };
    notify();
  };
  const end = (status: AccessState["status"], error: unknown = null) =>
    move({ status, error, tookMs: nowMs() - sinceMs });
  move({ ...UNKNOWN, status: "asking" });
  try {
    const call = toCall(family, session.settings.country, companyId ?? NOBODY, nowMs());
    const { body } = await session.feed.provider.load(call);
    const found = family === "companies" ? readText(decodePage(body, "companies").rows[0]?.id) : null;
    end("allowed");
    return found;
  } catch (error) {
    const status = toStatus(family, error);
    end(status, status === "allowed" ? null : error);
    return null;
  }
}

/** Without the entitlement the answer is 403; 404 proves that the client may read. */
function toStatus(family: ProbeKind, error: unknown): AccessState["status"] {
  const code = error instanceof FeedError ? error.code : null;
  if (code === "FEED_SCOPE_MISSING") return "refused";
  return family === "financials" && code === "FEED_NOT_FOUND" ? "allowed" : "failed";
}

const NOBODY = "0000000000000";

const FIRST = { page: 1, page_size: 1 };

function toCall(family: ProbeKind, country: string, identifier: string, nowMs: number): Call {
  const day = { ...toRecentDay(nowMs), ...FIRST };
  const calls: Record<ProbeKind, Call> = {
    companies: { operation: "searchCompanies", query: { country, ...FIRST } },
    financials: { operation: "getFinancialsOfMany", body: { identifiers: [identifier] } },
    taxonomies: { operation: "listTaxonomyCompanies", query: { country, company_type: "ALL", ...FIRST } },
    rankings: { operation: "rankCompanies", query: day },
    rankingPages: { operation: "rankCompanyPages", query: day },
    rankingIndustries: { operation: "rankIndustries", query: day },
    walkThrough: { operation: "listCompaniesWalkThrough", query: { country } },
  };
  return calls[family];
}

/** Gives a recent day that has ended in every time zone. */
function toRecentDay(nowMs: number) {
  const day = new Date(nowMs - 3 * 86_400_000).toISOString().slice(0, 10);
  return { start_datetime: `${day}T00:00:00`, end_datetime: `${day}T23:59:59` };
}

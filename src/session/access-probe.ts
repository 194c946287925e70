import { FeedError } from "../client/errors";
import type { ProbeKind } from "../feed/probes";
import { type AccessContext, type AccessState, PROBE_KINDS, toWhose, UNKNOWN } from "./access-state";

/** Probes all families, and stores the result for a day. The first company found serves for the financials. */
export async function probeAll(context: AccessContext): Promise<void> {
  const { ports, client, country, round, notify } = context;
  const whose = toWhose(client, country());
  const companies = probe(context, "companies");
  const others = PROBE_KINDS.filter((family) => family !== "companies");
  await Promise.all([
    companies,
    ...others.map(async (family) => probe(context, family, family === "financials" ? await companies : null)),
  ]);
  if (round !== context.round) return; // the client has changed
  context.checkedAtMs = ports.nowMs();
  persist(context, whose, context.checkedAtMs);
  notify();
}

/** Probes one family; gives the company that came, null where none did. */
export function probe(
  context: AccessContext,
  family: ProbeKind,
  companyId: string | null = null,
): Promise<string | null> {
  const { ports, probes, country, round, notify } = context;
  const load = async () => (await probes()).load(family, country(), companyId);
  return tryOne(load, ports.nowMs, (state) => {
    if (round !== context.round) return;
    context.states = { ...context.states, [family]: state };
    notify();
  });
}

async function tryOne(
  load: () => Promise<string | null>,
  nowMs: () => number,
  notify: (state: AccessState) => void,
): Promise<string | null> {
  const sinceMs = nowMs();
  notify({ ...UNKNOWN, status: "asking" });
  const end = (status: AccessState["status"], error: unknown = null) =>
    notify({ status, error, tookMs: nowMs() - sinceMs });
  try {
    const found = await load();
    end("allowed");
    return found;
  } catch (error) {
    end(isRefusal(error) ? "refused" : "failed", error);
    return null;
  }
}

/** Stores the result, unless a probe failed: a failure shows no entitlement. */
function persist({ stored, states }: AccessContext, whose: string, atMs: number): void {
  if (PROBE_KINDS.some((family) => !["allowed", "refused"].includes(states[family].status))) return;
  const refused = PROBE_KINDS.filter((family) => states[family].status === "refused");
  stored.write(JSON.stringify({ whose, atMs, refused }));
}

const isRefusal = (error: unknown): boolean => error instanceof FeedError && error.code === "FEED_SCOPE_MISSING";

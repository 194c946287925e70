import { createRequestLog, type LoggedRequest, type RequestLog } from "../client/http/request-log";
import { createSubscribers } from "../client/subscribers";
import { type Financials, readText } from "./decode";
import type { Live } from "./query-cache";

/** What goes on in the client, and how current it is. */
export interface Activity {
  /** Queries of live formulas without a whole answer, and without a failure that ended the wait for it. */
  pending(): number;
  /** Queries of live formulas whose last refresh failed, so that the answer of before is shown. */
  stale(): number;
  /** When the oldest answer came that a live formula shows, milliseconds since the Unix epoch; null when there is none. */
  oldestAsOfMs(): number | null;
  /** Currencies of all years in the financials of live formulas, each once, in alphabetical order. */
  currencies(): string[];
  /** Requests for data that went out since the page opened, each try counted; credentials are not data. */
  requests(): number;
  /** The last requests of any kind, oldest first. */
  log(): readonly LoggedRequest[];
  /** Is told after each change of any of these, as often as they change. */
  onChange(listener: () => void): () => void;
}

/** What the parts of the feed tell of. */
export interface ActivityLog {
  requests: RequestLog;
  /** Queries come, go or hear something. */
  notify(): void;
  /** Reads the log together with the queries that are live. */
  toActivity(live: () => readonly Live[]): Activity;
}

export function createActivityLog(nowMs: () => number): ActivityLog {
  const { subscribe: onChange, notify } = createSubscribers();
  const requests = createRequestLog(nowMs, notify);
  return {
    notify,
    requests,
    toActivity: (live) => ({
      pending: () => live().filter(isPending).length,
      stale: () => live().filter(({ state }) => state.status === "answered" && state.error !== null).length,
      oldestAsOfMs: () =>
        live().reduce((oldest: number | null, { state }) => {
          return state.status === "answered" ? Math.min(oldest ?? state.answer.asOfMs, state.answer.asOfMs) : oldest;
        }, null),
      currencies() {
        const found = new Set<string>();
        for (const each of live()) for (const currency of toCurrencies(each)) found.add(currency);
        return [...found].sort();
      },
      requests: () => requests.count("data"),
      log: requests.list,
      onChange,
    }),
  };
}

/** A list of which only some pages have come is no answer yet. */
function isPending({ state }: Live): boolean {
  return state.status === "pending" || (state.status === "answered" && !state.answer.isComplete);
}

/** An answer holds many years and is looked at again at each change of any other. */
const known = new WeakMap<Financials, readonly string[]>();

function toCurrencies({ key, state }: Live): readonly string[] {
  if (key[0] !== "financials" || state.status !== "answered") return [];
  const financials = state.answer.value as Financials;
  const before = known.get(financials);
  if (before !== undefined) return before;
  const currencies = readCurrencies(financials);
  known.set(financials, currencies);
  return currencies;
}

function readCurrencies({ years }: Financials): readonly string[] {
  return [...new Set(years.flatMap(({ fields }) => readText(fields.currency) ?? []))];
}

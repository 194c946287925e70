import { createRequestLog, type LoggedRequest, type RequestLog } from "../client/http/request-log";
import { createSubscribers } from "../client/subscribers";
import { type Financials, readText } from "./decode";
import type { Live } from "./query-cache";

/** The state of the live queries and the request log. */
export interface Activity {
  /** Number of live queries without an answer or a failure. */
  pending(): number;
  /** Number of live queries whose last refresh failed, so that the former answer is shown. */
  stale(): number;
  /** Time of the oldest answer of a live query, milliseconds since the Unix epoch; null when there is none. */
  oldestAsOfMs(): number | null;
  /** Currencies of all years in the live financials, each once, in alphabetical order. */
  currencies(): string[];
  /** Number of requests for data since the page opened, retries included, without those for credentials. */
  requests(): number;
  /** The last requests of any kind, oldest first. */
  log(): readonly LoggedRequest[];
  /** Calls `listener` after each change of any of these. */
  onChange(listener: () => void): () => void;
}

export interface ActivityLog {
  requests: RequestLog;
  /** Reports a change of the queries. */
  notify(): void;
  /** Joins the log with the live queries. */
  toActivity(live: () => readonly Live[]): Activity;
}

export function createActivityLog(nowMs: () => number): ActivityLog {
  const { subscribe: onChange, notify } = createSubscribers();
  const requests = createRequestLog(nowMs, notify);
  return {
    notify,
    requests,
    toActivity: (live) => ({
      pending: () => live().filter(({ state }) => state.status === "pending").length,
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

/** Currencies by answer, since each change of any answer reads all of them. */
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

import type { Query } from "../../feed/query-cache";
import type { Call, Shown } from "../../session/calls";
import type { Session } from "../../session/session";
import type { MadeSheet } from "../../session/settings";
import { unread } from "../unread";
import { type AlertRule, toSheetKey } from "./alert";
import { type Compared, isRows, toCompared, toMessage } from "./compared";
import { judge, withAlerts } from "./judge";
import { type MovedSheet, moveSheets } from "./moved-sheets";
import { type AlertStore, readAlertStore } from "./store";
import { unjudged } from "./unjudged";

export interface WatchOptions {
  session: Session;
  /** The live formulas of a sheet; null where it is not there, or not read yet. */
  listCalls: (made: MadeSheet) => readonly Call[] | null;
  store?: AlertStore;
}

/** Outputs reach the cells a little after a refresh has ended. */
const JUDGED_AFTER_MS = 500;

/** A ranking that is followed for a sheet's rules. */
interface Followed extends Compared {
  made: MadeSheet;
  rules: readonly AlertRule[];
  /** What it was begun with; another value begins it anew. */
  key: string;
  /** Its last output; null before the first. */
  shown: Shown | null;
  end: () => void;
}

interface Context extends WatchOptions {
  store: AlertStore;
  followed: Map<string, Followed>;
  /** Whether a refresh has ended since the sheets were last looked at. */
  isRefreshed: boolean;
}

/**
 * Judges the rules of sheets after each refresh. The whole ranking of both periods is read by FEED.RANKING.MOVERS without
 * a cell, since what has left a sheet's rows counts too; a refresh of everything refreshes it with the cells.
 *
 * @returns a function that moves rules and alerts with sheets that have another key
 */
export function watchAlerts({
  store = readAlertStore(),
  ...options
}: WatchOptions): (moved: readonly MovedSheet[]) => void {
  const { session } = options;
  const context: Context = { ...options, store, followed: new Map(), isRefreshed: false };
  let last = session.refreshing.state().last;
  let isDue = false;
  const lookSoon = () => {
    if (isDue) return;
    isDue = true;
    session.ports.after(JUDGED_AFTER_MS, () => {
      isDue = false;
      follow(context);
    });
  };
  session.subscribe(() => {
    if (unjudged.list().length > 0) lookSoon(); // an outage may be over
    const { running, last: present } = session.refreshing.state();
    if (running !== null || present === last) return;
    last = present;
    for (const { end } of context.followed.values()) end();
    context.followed.clear(); // dates relative to today are read again
    context.isRefreshed = true;
    lookSoon();
  });
  session.calls.onChange(lookSoon);
  const count = () => unread.set(store.state().alerts.filter(({ isRead }) => !isRead).length);
  store.subscribe(count);
  store.subscribe(lookSoon);
  count();
  lookSoon();
  return (moved) => {
    const state = moveSheets(store.state(), moved);
    if (state !== null) store.note(state);
  };
}

function follow(context: Context): void {
  const { session, store, followed, listCalls } = context;
  const { rules } = store.state();
  const wanted = session.settings.sheets.flatMap((made) => {
    const calls = rules[toSheetKey(made)]?.length ? listCalls(made) : null;
    return calls === null ? [] : { made, calls };
  });
  const keys = new Set(wanted.map(({ made }) => toSheetKey(made)));
  for (const [key, { end }] of followed) {
    if (keys.has(key)) continue;
    end();
    followed.delete(key);
  }
  unjudged.remove((sheet) => !keys.has(sheet));
  for (const { made, calls } of wanted) followSheet(context, made, calls);
  context.isRefreshed = false;
}

function followSheet(context: Context, made: MadeSheet, calls: readonly Call[]): void {
  const { session, store, followed, isRefreshed } = context;
  const sheet = toSheetKey(made);
  const compared = findCompared(calls);
  if (compared === null || "reason" in compared) {
    // Formulas come one by one as a workbook opens.
    const isMissing = isRefreshed && !calls.some(({ name }) => name.startsWith("RANKING."));
    if (compared !== null || isMissing) unjudged.add({ sheet, sheetName: made.name, reason: compared?.reason ?? null });
    return;
  }
  const rules = store.state().rules[sheet] ?? [];
  const key = JSON.stringify([compared, rules]);
  const before = followed.get(sheet);
  if (before?.key === key) {
    if (unjudged.has(sheet)) void judgeShown(context, before);
    return;
  }
  before?.end();
  const own: Followed = { ...compared, made, rules, key, shown: null, end: () => {} };
  followed.set(sheet, own);
  own.end = session.formulas.run("RANKING.MOVERS", compared.given, (shown) => {
    own.shown = shown;
    void judgeShown(context, own);
  });
  if (isRefreshed) void renewOpen(context, own, calls);
}

/** What the formulas of a sheet compare, else the reason why they do not; null where none does. */
function findCompared(calls: readonly Call[]): ReturnType<typeof toCompared> {
  const all = calls.map(toCompared).filter((each) => each !== null);
  return all.find((each) => "given" in each) ?? all[0] ?? null;
}

/** A refresh of a sheet reads the rows that it shows: of a period that still changes, the whole ranking is read as well. */
async function renewOpen({ session }: Context, { given }: Followed, calls: readonly Call[]): Promise<void> {
  const { queryCache } = session.feed;
  const toMoment = (query: Query<unknown>) => {
    const state = queryCache.peek(query);
    return state.status === "answered" ? state.answer.asOfMs : null;
  };
  for (const query of await session.formulas.listQueries("RANKING.MOVERS", given)) {
    const asOfMs = toMoment(query);
    if (asOfMs === null || query.persistence?.isClosed?.(session.ports.nowMs())) continue;
    const shown = calls.flatMap(({ queries }) => queries.filter((each) => isSameRange(each, query)));
    if (shown.some((each) => (toMoment(each) ?? 0) > asOfMs)) queryCache.renew(query.key);
  }
}

/** Whether two read the same ranking of the same days, with any number of rows. */
const isSameRange = ({ key }: Query<unknown>, other: Query<unknown>): boolean =>
  key.length === other.key.length && key.slice(0, -1).every((part, index) => part === other.key[index]);

async function judgeShown({ session, store, followed }: Context, own: Followed): Promise<void> {
  const { given, made, rules, ranking, within } = own;
  const sheet = toSheetKey(made);
  const queries = await session.formulas.listQueries("RANKING.MOVERS", given);
  const { shown } = own;
  if (shown === null || followed.get(sheet) !== own) return; // its rules or periods are others by now
  const reason = isRows(shown) ? findFailure(session, queries) : toMessage(shown);
  if (reason !== null || !isRows(shown)) {
    unjudged.add({ sheet, sheetName: made.name, reason });
    return;
  }
  unjudged.remove((each) => each === sheet);
  const [period, former] = queries.map(toPeriod);
  if (period === undefined || former === undefined) return;
  const { alerts } = store.state();
  const judgement = judge(shown, { sheet, sheetName: made.name, ranking, rules, within, period, former }, alerts);
  const isNews = judgement.found.length > 0 || [...judgement.over].some(({ isOver }) => !isOver);
  if (isNews) store.note({ alerts: withAlerts(alerts, judgement) });
}

/** The error of a refresh that has left an older answer; null for none. */
function findFailure({ feed }: Session, queries: readonly Query<unknown>[]): unknown {
  for (const query of queries) {
    const state = feed.queryCache.find(query)?.state;
    if (state !== undefined && state.status !== "pending" && state.error !== null) return state.error;
  }
  return null;
}

const toPeriod = ({ key: [, first, last] }: Query<unknown>) => ({
  first: String(first).slice(0, 10),
  last: String(last).slice(0, 10),
});

import type { Call, Shown } from "../../session/calls";
import type { Session } from "../../session/session";
import type { MadeSheet } from "../../session/settings";
import { unread } from "../unread";
import type { AlertRule } from "./alert";
import { judge, toJudgedFields, withAlerts } from "./judge";
import { type AlertStore, readAlertStore } from "./store";

interface WatchOptions {
  session: Session;
  /** The live formulas of a sheet. */
  listCalls: (made: MadeSheet) => readonly Call[];
  store?: AlertStore;
}

/** Outputs reach the cells a little after a refresh has ended. */
const JUDGED_AFTER_MS = 500;

/** A ranking that is followed for a sheet's rules. */
interface Followed {
  /** What it was begun with; another value begins it anew. */
  key: string;
  end: () => void;
}

interface Context extends WatchOptions {
  store: AlertStore;
  followed: Map<string, Followed>;
}

export const toSheetKey = ({ id, name }: MadeSheet): string => id ?? name;

/**
 * Judges the rules of sheets after each refresh. The whole ranking of both periods is read by FEED.RANKING.MOVERS without
 * a cell, since what has left a sheet's rows counts too; a refresh of everything refreshes it with the cells.
 */
export function watchAlerts({ store = readAlertStore(), ...options }: WatchOptions): void {
  const { session } = options;
  const context: Context = { ...options, store, followed: new Map() };
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
    const { running, last: present } = session.refreshing.state();
    if (running !== null || present === last) return;
    last = present;
    for (const { end } of context.followed.values()) end();
    context.followed.clear(); // dates relative to today are read again
    lookSoon();
  });
  session.calls.onChange(lookSoon);
  const count = () => unread.set(store.state().alerts.filter(({ isRead }) => !isRead).length);
  store.subscribe(count);
  store.subscribe(lookSoon);
  count();
  lookSoon();
}

function follow(context: Context): void {
  const { session, store, followed, listCalls } = context;
  const { rules } = store.state();
  const wanted = session.settings.sheets.filter((made) => rules[toSheetKey(made)]?.length);
  const keys = new Set(wanted.map(toSheetKey));
  for (const [key, { end }] of followed) {
    if (keys.has(key)) continue;
    end();
    followed.delete(key);
  }
  for (const made of wanted) followSheet(context, made, listCalls(made));
}

function followSheet(context: Context, made: MadeSheet, calls: readonly Call[]): void {
  const { session, store, followed } = context;
  const compared = calls.map(toCompared).find((each) => each !== null);
  const sheet = toSheetKey(made);
  const rules = store.state().rules[sheet] ?? [];
  if (compared === undefined || compared === null) return;
  const key = JSON.stringify([compared, rules]);
  const before = followed.get(sheet);
  if (before?.key === key) return;
  before?.end();
  const end = session.formulas.run("RANKING.MOVERS", compared.given, (shown) => {
    void judgeShown(context, made, { ...compared, rules, shown });
  });
  followed.set(sheet, { key, end });
}

/** What a sheet compares. */
interface Compared {
  /** The arguments of FEED.RANKING.MOVERS for the whole ranking. */
  given: readonly unknown[];
  within: number;
}

/** What a formula compares: a sheet of movers its own periods, a trend its last period with the one before. */
function toCompared({ name, given, shown }: Call): Compared | null {
  const toGiven = (period: unknown, previous: unknown, ranking: unknown) => {
    const isOfIndustries = String(ranking).trim().toLowerCase() === "industries";
    const [named, code] = isOfIndustries ? ["industryName", "industryId"] : ["companyName", "tickerSymbol"];
    const fields = [[toJudgedFields(String(named), String(code)).join(",")]];
    return [period, previous, "all", ranking, null, fields, false];
  };
  if (name === "RANKING.MOVERS") {
    const { period, previous, ranking, top } = given;
    return { given: toGiven(period, previous, ranking), within: toWithin(top) };
  }
  if (name !== "RANKING.TREND" || !Array.isArray(shown)) return null;
  const rows = shown as readonly (readonly unknown[])[];
  const period = rows[0]?.at(-1);
  if (typeof period !== "string") return null;
  return { given: toGiven(period.replace(" – ", ":"), null, given.ranking), within: toWithin(given.names) };
}

/** The rows that a sheet asks for: a number, or a text such as "top 25" or "all". */
function toWithin(given: unknown): number {
  const digits = /\d+/.exec(String(given));
  if (digits !== null) return Number(digits[0]);
  return given === null || given === undefined || given === "" ? DEFAULT_TOP : Number.POSITIVE_INFINITY;
}

const DEFAULT_TOP = 100;

interface JudgedShown extends Compared {
  rules: readonly AlertRule[];
  shown: Shown;
}

async function judgeShown({ session, store }: Context, made: MadeSheet, judged: JudgedShown): Promise<void> {
  const { given, within, rules, shown } = judged;
  if (!Array.isArray(shown)) return; // an error, which the sheet's own cells show
  const [query] = await session.formulas.listQueries("RANKING.MOVERS", given);
  const [, first, last] = query?.key ?? [];
  const period = { first: String(first).slice(0, 10), last: String(last).slice(0, 10) };
  const { alerts } = store.state();
  const found = judge(shown, { sheet: toSheetKey(made), sheetName: made.name, rules, within, period }, alerts);
  // Without storage, only this page knows that they were told.
  if (found.length > 0) await store.change({ alerts: withAlerts(alerts, found) }).catch(() => {});
}

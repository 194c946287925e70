import { readStored, store, storeLater } from "../file-store";
import { ALERT_KINDS, type Alert, type AlertRule, type StoredAlerts } from "./alert";

/** One name for rules and alerts, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-alerts";

export interface AlertStore {
  state(): StoredAlerts;
  /** Changes and stores what a person decides; rejects in Office's words where storing fails. */
  change(changed: Partial<StoredAlerts>): Promise<void>;
  /** Changes what can be found again, which is stored with the next decision. */
  note(changed: Partial<StoredAlerts>): void;
  subscribe(listener: () => void): () => void;
}

export function createAlertStore(): AlertStore {
  const listeners = new Set<() => void>();
  let state = toAlerts(readStored(STORED_AS));
  const set = (changed: Partial<StoredAlerts>) => {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    async change(changed) {
      set(changed);
      await store([STORED_AS, () => state]);
    },
    note(changed) {
      set(changed);
      storeLater(STORED_AS, () => state);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

let own: AlertStore | undefined;

/** The rules and alerts of this page's workbook. */
export function readAlertStore(): AlertStore {
  own ??= createAlertStore();
  return own;
}

/** Reads what a workbook stores, and skips anything else. */
function toAlerts(stored: unknown): StoredAlerts {
  const { rules, alerts } = Object(stored) as { [member in keyof StoredAlerts]?: unknown };
  const listed = Object.entries(Object(rules) as object).filter((each): each is [string, unknown[]] =>
    Array.isArray(each[1]),
  );
  return {
    rules: Object.fromEntries(listed.map(([sheet, all]) => [sheet, all.filter(isRule)])),
    alerts: Array.isArray(alerts) ? alerts.filter(isAlert) : [],
  };
}

function isRule(stored: unknown): stored is AlertRule {
  const { kind, amount } = Object(stored) as Partial<AlertRule>;
  return ALERT_KINDS.some((each) => each === kind) && typeof amount === "number" && amount > 0;
}

const TEXTS = ["sheet", "sheetName", "ranking", "code", "name", "first", "last"] as const;

function isAlert(stored: unknown): stored is Alert {
  const alert = Object(stored) as Partial<Alert>;
  const isPlace = (value: unknown) => value === null || typeof value === "number";
  return (
    isRule(stored) &&
    TEXTS.every((each) => typeof alert[each] === "string") &&
    [alert.former?.first, alert.former?.last].every((each) => typeof each === "string") &&
    [alert.before, alert.after].every(isPlace)
  );
}

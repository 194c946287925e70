import type { MadeSheet } from "../../session/settings";

/** What rules and alerts know a sheet by: the host's id, or its name while no id is known. */
export const toSheetKey = ({ id, name }: MadeSheet): string => id ?? name;

/** What a person wants to know of a ranking's companies or industries. */
export interface AlertRule {
  kind: "enters" | "grows" | "falls";
  /** The last place that counts as entered, growth of page views in percent, or places lost. */
  amount: number;
}

export const ALERT_KINDS: readonly AlertRule["kind"][] = ["enters", "grows", "falls"];

/** A period in days, such as "2024-03-04", both inclusive. */
export interface AlertPeriod {
  first: string;
  last: string;
}

/** A change that a rule has found; told once. */
export interface Alert extends AlertRule, AlertPeriod {
  /** See {@link toSheetKey}. */
  sheet: string;
  sheetName: string;
  /** "companies", "industries" or a page type, in lower case. */
  ranking: string;
  /** The period that it was compared with. */
  former: AlertPeriod;
  /** The ticker, or the industry's id. */
  code: string;
  name: string;
  /** Ranks, or page views of "grows"; null where it was or is not ranked. */
  before: number | null;
  after: number | null;
  isRead: boolean;
  /** Whether a later reading of these days no longer had it: then it may be told anew. */
  isOver: boolean;
}

/** What the workbook stores. */
export interface StoredAlerts {
  /** The rules of each sheet. */
  rules: Readonly<Record<string, readonly AlertRule[]>>;
  /** The latest first. */
  alerts: readonly Alert[];
}

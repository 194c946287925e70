import type { Family } from "../../../contract/constants";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How answers of a family are kept. */
export interface Freshness {
  /** How long an answer serves without the provider being asked. */
  freshMs: number;
  /** How long it stands in where the provider is out. */
  cachedMs: number;
  /** Whether it holds contact data of persons, and so stays in this process's memory. */
  isPersonal: boolean;
}

/**
 * The companion asks more often than a pane does by itself, so that nobody gets an answer there that is old for a pane:
 * rankings change through the day, statements when one is filed, classifications seldom.
 */
export const FRESHNESS: Readonly<Record<Family, Freshness>> = {
  financials: { freshMs: HOUR_MS, cachedMs: 7 * DAY_MS, isPersonal: false },
  companies: { freshMs: HOUR_MS, cachedMs: DAY_MS, isPersonal: true },
  taxonomies: { freshMs: DAY_MS, cachedMs: 30 * DAY_MS, isPersonal: false },
  rankings: { freshMs: 10 * MINUTE_MS, cachedMs: DAY_MS, isPersonal: false },
};

/** How long it is cached that the provider does not have something: it may be there a moment later. */
export const ABSENT_MS = 5_000;

import { SAMPLE } from "../client/owner";
import { FAMILIES } from "../contract/constants";

// What the pane alone reads: the settings as somebody wrote them, and as the workbook kept them.
import {
  DEFAULT_SETTINGS,
  type MadeSheet,
  REFRESH_POLICIES,
  type RefreshPolicies,
  TEMPLATES,
  toPolicies,
} from "./settings";

/** More than that in one go would keep a provider busy for hours. */
const HIGHEST_REQUEST_LIMIT = 10_000;

/** Reads a limit of requests as somebody wrote it: a whole number from 1 to 10,000; null when it is none. */
export function toRequestLimit(written: string): number | null {
  const digits = written.normalize("NFKC").replaceAll(",", "").trim();
  const limit = /^\d+$/.test(digits) ? Number(digits) : 0;
  return limit >= 1 && limit <= HIGHEST_REQUEST_LIMIT ? limit : null;
}

/** Reads a provider of the settings as it was kept; null when it is none. */
export const toPersistedProvider = (persisted: unknown): string | null =>
  persisted === SAMPLE || (typeof persisted === "string" && URL.canParse(persisted)) ? String(persisted) : null;

/** Reads a time zone of the settings as somebody wrote it: an IANA name that this engine knows; null when it is none. */
export function toTimeZone(written: string): string | null {
  const name = written.trim();
  // Newer engines take offsets such as "+09:00", which the next one to open the workbook may not know.
  if (!/^[a-z]/i.test(name)) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name;
  } catch {
    return null;
  }
}

/**
 * Reads the policies of the settings as they were kept, the usual one for a family that has none; null where nothing
 * was kept.
 *
 * @param minutes of a workbook that was kept when all families had the same minutes
 */
export function toPersistedPolicies(persisted: unknown, minutes: unknown): RefreshPolicies | null {
  if (typeof persisted !== "object" || persisted === null) {
    const policy = REFRESH_POLICIES.find((each) => each === `every-${minutes}`);
    return policy === undefined ? null : toPolicies(policy);
  }
  const read = (family: string) =>
    REFRESH_POLICIES.find((each) => each === (persisted as Record<string, unknown>)[family]);
  const policies = FAMILIES.map((family) => [family, read(family) ?? DEFAULT_SETTINGS.refresh[family]]);
  return Object.fromEntries(policies) as RefreshPolicies;
}

/** Reads the sheets of the settings as they were kept; what is none is left out. */
export function toMadeSheets(persisted: unknown): MadeSheet[] {
  if (!Array.isArray(persisted)) return [];
  return persisted.flatMap((each: unknown): MadeSheet[] => {
    if (typeof each !== "object" || each === null) return [];
    const { name, template }: { name?: unknown; template?: unknown } = each;
    const known = TEMPLATES.find((one) => one === template);
    return typeof name === "string" && known !== undefined ? [{ name, template: known }] : [];
  });
}

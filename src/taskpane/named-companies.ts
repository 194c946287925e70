import type { Resolution, Resolutions } from "../feed/resolutions";
import { readStored, storeLater } from "./file-store";
import { merge } from "./merging";

/** One name for all of them, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-companies";

/** Excel stores 2 MB of an add-in in a workbook; the oldest give way. */
const MOST_STORED = 5_000;

const FIELDS = ["name", "country", "companyId", "companyName"] as const;

/** Reads what the names in the workbook's formulas mean; an invalid entry is ignored. */
export const readPersistedResolutions = (): Resolution[] => toResolutions(readStored(STORED_AS));

function toResolutions(stored: unknown): Resolution[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter((each): each is Resolution => FIELDS.every((field) => typeof each?.[field] === "string"));
}

/** Adopts what other people have decided on names, beside what this page has found since. */
export function adoptOthers(resolutions: Resolutions, before: (name: string) => unknown): void {
  const own = resolutions.list().map(toStored);
  resolutions.adopt(toResolutions(merge(before(STORED_AS), own, readStored(STORED_AS))));
}

/** Stores what names mean in the workbook, with the next decision: until then the index gives their companies again. */
export function persistResolutions({ onChange, list }: Resolutions): void {
  onChange(() => storeLater(STORED_AS, () => list().slice(-MOST_STORED).map(toStored)));
}

const toStored = (resolution: Resolution) => Object.fromEntries(FIELDS.map((field) => [field, resolution[field]]));

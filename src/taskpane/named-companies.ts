import type { Resolution, Resolutions } from "../feed/resolutions";
import { readStored, storeLater } from "./file-store";

/** One name for all of them, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-companies";

/** Excel stores 2 MB of an add-in in a workbook; the oldest give way. */
const MOST_STORED = 5_000;

const FIELDS = ["name", "country", "companyId", "companyName"] as const;

/** Reads what the names in the workbook's formulas mean; an invalid entry is ignored. */
export function readPersistedResolutions(): Resolution[] {
  const stored = readStored(STORED_AS);
  if (!Array.isArray(stored)) return [];
  return stored.filter((each): each is Resolution => FIELDS.every((field) => typeof each?.[field] === "string"));
}

/** Stores what names mean in the workbook, with the next decision: until then the index gives their companies again. */
export function persistResolutions({ onChange, list }: Resolutions): void {
  onChange(() => storeLater(STORED_AS, () => list().slice(-MOST_STORED).map(toStored)));
}

const toStored = (resolution: Resolution) => Object.fromEntries(FIELDS.map((field) => [field, resolution[field]]));

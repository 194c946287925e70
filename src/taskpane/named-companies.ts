import type { Resolution } from "../feed/resolutions";
import type { Session } from "../session/session";

/** One name for all of them, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-companies";

/** Excel stores 2 MB of an add-in in a workbook; the oldest give way. */
const MOST_STORED = 5_000;

/** Names of a filling sheet are stored together. */
const STORED_AFTER_MS = 1_000;

const FIELDS = ["name", "country", "companyId", "companyName"] as const;

/** Reads what the names in the workbook's formulas mean; an invalid entry is ignored. */
export function readPersistedResolutions(): Resolution[] {
  const stored: unknown = Office.context.document.settings.get(STORED_AS);
  if (!Array.isArray(stored)) return [];
  return stored.filter((each): each is Resolution => FIELDS.every((field) => typeof each?.[field] === "string"));
}

/** Makes the listener that stores what names mean in the workbook, some time after the first change. */
export function persistResolutions({ feed, ports }: Pick<Session, "feed" | "ports">): () => void {
  let isDue = false;
  const store = () => {
    isDue = false;
    const { settings } = Office.context.document;
    settings.set(STORED_AS, feed.resolutions.list().slice(-MOST_STORED).map(toStored));
    settings.saveAsync(() => {}); // without storage, the index gives the names' companies the next time
  };
  return () => {
    if (isDue) return;
    isDue = true;
    ports.after(STORED_AFTER_MS, store);
  };
}

const toStored = (resolution: Resolution) => Object.fromEntries(FIELDS.map((field) => [field, resolution[field]]));

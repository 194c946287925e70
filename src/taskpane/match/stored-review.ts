import type { NamedCompany } from "../../feed/resolutions";
import type { ReadSheet } from "./sheet";

/** The cells whose names are being matched. */
export interface StoredReview extends ReadSheet {
  /** As of the last reading, such as "A2:C51". */
  address: string;
  /** Where the names are looked up: an ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
}

/** What the workbook stores of the matching of names, beside what names mean. */
interface Stored {
  review: StoredReview | null;
  /** Names that have no company by a person's word. */
  none: readonly NamedCompany[];
}

/** One name for all of it, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-match";

/** Reads what the workbook stores; an invalid entry is ignored. */
export function readStored(): Stored {
  const stored: Partial<Record<keyof Stored, unknown>> = Object(Office.context.document.settings.get(STORED_AS));
  const none = Array.isArray(stored.none) ? stored.none : [];
  return { review: isReview(stored.review) ? stored.review : null, none: none.filter(isNamed) };
}

/** Stores it in the workbook; it reaches the file with the next save. */
export function store(stored: Stored): void {
  const { settings } = Office.context.document;
  settings.set(STORED_AS, stored);
  settings.saveAsync(() => {}); // without storage, the names are reviewed again the next time
}

const hasTexts = (value: unknown, ...fields: string[]): boolean =>
  typeof value === "object" &&
  value !== null &&
  fields.every((field) => typeof (value as Record<string, unknown>)[field] === "string");

const isNamed = (value: unknown): value is NamedCompany => hasTexts(value, "name", "country");

const isReview = (value: unknown): value is StoredReview =>
  hasTexts(value, "sheet", "address", "country") && /^[A-Z]+\d+(:[A-Z]+\d+)?$/.test((value as StoredReview).address);

import { readStored, tryToStore } from "../../taskpane/file-store";
import type { ReadSheet } from "../../taskpane/read-sheet";

/** The cells whose names are being matched. */
export interface StoredReview extends ReadSheet {
  /** As of the last reading, such as "A2:C51". */
  address: string;
  /** Where the names are looked up: an ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
}

/** One name for all of it, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-match";

/** Reads the review that the workbook stores; an invalid one is ignored. */
export function readReview(): StoredReview | null {
  const { review }: { review?: unknown } = Object(readStored(STORED_AS));
  return isReview(review) ? review : null;
}

/** Stores the review in the workbook; without storage, the names are selected again the next time. */
export const storeReview = (review: StoredReview | null): void => void tryToStore([STORED_AS, () => ({ review })]);

const hasTexts = (value: unknown, ...fields: string[]): boolean =>
  typeof value === "object" &&
  value !== null &&
  fields.every((field) => typeof (value as Record<string, unknown>)[field] === "string");

const isReview = (value: unknown): value is StoredReview =>
  hasTexts(value, "sheet", "address", "country") && /^[A-Z]+\d+(:[A-Z]+\d+)?$/.test((value as StoredReview).address);

import { DecodeError } from "../../client/errors";
import { toCompanyKey } from "../../client/ids";
import { decodeObjects, type Row, readText } from "../decode";

/** The classifications of a company's record (§2.4), each once. @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export function readEntries({ taxonomy }: Row): readonly Row[] {
  const entries = decodeObjects(taxonomy ?? [], "list of a company's classifications");
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}

/** The classifications that the provider marks as primary; there should be one. */
export function pickPrimaries(record: Row): readonly Row[] {
  return readEntries(record).filter(({ isPrimaryIndustry }) => isPrimaryIndustry === true);
}

/**
 * Turns records into the rows of a company table: with `primary`, the primary classification or null, and
 * `taxonomy`, the classification of the row, which is null rather than a guess. Where a record's classifications
 * cannot be read, both are the error.
 *
 * @param withAllIndustries a row per company and classification instead of one per company
 */
export function toCompanyRows(records: readonly Row[], withAllIndustries: boolean): readonly Row[] {
  return mergeCompanies(records).flatMap((record): Row[] => {
    const entries = tryEntries(record);
    if (entries instanceof DecodeError) return [{ ...record, primary: entries, taxonomy: entries }];
    const primaries = pickPrimaries(record);
    const primary = primaries.length === 1 ? primaries[0] : null;
    const own = primary ?? (entries.length === 1 ? entries[0] : null);
    const shown = withAllIndustries && entries.length > 0 ? entries : [own];
    return shown.map((taxonomy) => ({ ...record, primary, taxonomy }));
  });
}

/** Joins the rows of a company, which have one classification each. */
export function mergeCompanies(records: readonly Row[]): readonly Row[] {
  const merged = new Map<unknown, Row>();
  for (const record of records) {
    const id = readKey(record) ?? record;
    const known = merged.get(id);
    const taxonomy = known && joinEntries(known, record);
    merged.set(id, taxonomy === undefined ? record : { ...known, taxonomy });
  }
  return merged.size === records.length ? records : [...merged.values()];
}

function joinEntries(one: Row, other: Row): unknown {
  const [entries, more] = [tryEntries(one), tryEntries(other)];
  if (entries instanceof DecodeError) return one.taxonomy;
  return more instanceof DecodeError ? other.taxonomy : [...entries, ...more];
}

/** As {@link readEntries}, but gives the error: it fails its own company, not the list. */
export function tryEntries(record: Row): readonly Row[] | DecodeError {
  try {
    return readEntries(record);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

/** Whether a company stands in several rows. */
export const hasRepeats = (rows: readonly Row[]): boolean => mergeCompanies(rows).length < rows.length;

/** Whether a row is of one of the companies, letter case aside. */
export function isOneOf(row: Row, companyIds: readonly unknown[]): boolean {
  const key = readKey(row);
  return key !== null && companyIds.some((each) => readKey({ companyId: each }) === key);
}

function readKey({ companyId }: Row): string | null {
  const id = readText(companyId);
  return id === null ? null : toCompanyKey(id);
}

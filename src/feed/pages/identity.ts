import { toCompanyKey } from "../../client/ids";
import type { Row } from "../decode";

/** Identity of a row in its list. */
export interface Identity {
  key: string;
  /** No two rows of a list share an id; two rows without one may be alike. */
  isId: boolean;
}

/**
 * Identifies a row of any list: by the company's id in any letter case and its classifications in any order, since a
 * list may have a row for each; by the industry's id; a ranked company, which has none (§2.6), by its name with its
 * registration number or ticker, else with its headquarters; a row without any of these by all its fields.
 */
export function identifyRow(row: Row): Identity {
  const id = readCompany(row) ?? readCode(row.industryId);
  if (id !== null) return { key: id, isId: true };
  const { companyName, headquarters, registrationNumber, tickerSymbol } = row;
  const code = readCode(registrationNumber) ?? readCode(tickerSymbol);
  if (code !== null) return { key: JSON.stringify([code, companyName]), isId: true };
  const isRanked = companyName !== undefined && headquarters !== undefined;
  return { key: JSON.stringify(isRanked ? [companyName, headquarters] : row), isId: false };
}

function readCompany({ companyId, id, taxonomy }: Row): string | null {
  const code = readCode(companyId) ?? readCode(id);
  if (code === null) return null;
  const entries: readonly unknown[] = Array.isArray(taxonomy) ? taxonomy : [];
  return [toCompanyKey(code), ...entries.map(readNode).sort()].join(" ");
}

function readNode(entry: unknown): string {
  const { industryId, subSectorId, sectorId } = Object(entry) as Row;
  return readCode(industryId) ?? readCode(subSectorId) ?? readCode(sectorId) ?? JSON.stringify(entry);
}

/** A code comes as a number too. */
function readCode(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

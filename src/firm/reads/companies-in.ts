import { type Family, OPERATION_FAMILIES, type ReadOperation } from "../../contract/constants";

/** Where answers name companies, and the fields of their id and country (§2.2, §2.4). */
export const RECORD = {
  operation: "getCompany",
  pickId: ({ id }: Row) => id,
  pickCountry: ({ registeredAddress }: Row) => Object(registeredAddress).country,
} as const;
export const CLASSIFICATION = {
  operation: "getTaxonomyCompany",
  pickId: ({ companyId }: Row) => companyId,
  pickCountry: ({ countryCode }: Row) => countryCode,
} as const;

export type Source = typeof RECORD | typeof CLASSIFICATION;
type Row = Record<string, unknown>;

/** The families whose answers give a company's country. */
export const SOURCES: Readonly<Partial<Record<Family, Source>>> = { companies: RECORD, taxonomies: CLASSIFICATION };

/** The company that a row names; a field is absent where it is no text. */
export interface CompanyRow {
  id: string | undefined;
  country: string | undefined;
}

/** Reads the company of an object; statements name it as classifications do (§2.3). */
export function readCompanyRow(operation: ReadOperation, row: object): CompanyRow {
  const { pickId, pickCountry } = SOURCES[OPERATION_FAMILIES[operation]] ?? CLASSIFICATION;
  return { id: toText(pickId(row as Row)), country: toText(pickCountry(row as Row)) };
}

/**
 * Lists the rows of an answer: of an envelope (§2.1), or of a bare list, which the pane reads as well.
 * @returns Undefined where other fields could hold rows too: an envelope has plain values beside its list.
 */
export function listRows(answer: unknown): readonly object[] | undefined {
  const { data, ...others } = isRow(answer) ? (answer as Row) : { data: answer };
  if (!Array.isArray(data) || !data.every(isRow) || Object.values(others).some(isNested)) return undefined;
  return data;
}

/** Whether a value is an object and no list. */
export const isRow = (value: unknown): value is object => isNested(value) && !Array.isArray(value);

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
const toText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

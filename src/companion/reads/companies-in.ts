import { type Family, OPERATION_FAMILIES, type OperationId } from "../../contract/constants";

/** Where companies are told, and where their id and country stand there (§2.2, §2.4). */
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

/** The families whose answers tell a company's country. */
export const SOURCES: Readonly<Partial<Record<Family, Source>>> = { companies: RECORD, taxonomies: CLASSIFICATION };

/** What a row names of a company, as it stands there; absent where it is no text. */
export interface CompanyRow {
  id: string | undefined;
  country: string | undefined;
}

/** Reads what an object of an answer names of its company; statements name it as classifications do (§2.3). */
export function readCompanyRow(operation: Exclude<OperationId, "createToken">, row: object): CompanyRow {
  const { pickId, pickCountry } = SOURCES[OPERATION_FAMILIES[operation]] ?? CLASSIFICATION;
  return { id: toText(pickId(row as Row)), country: toText(pickCountry(row as Row)) };
}

/**
 * Lists the rows of an answer: those of an envelope (§2.1), or of the bare list that the pane reads as well.
 * @returns Nothing where rows could stand elsewhere too: beside its list, an envelope has plain values only.
 */
export function listRows(answer: unknown): readonly object[] | undefined {
  const { data, ...others } = isRow(answer) ? (answer as Row) : { data: answer };
  if (!Array.isArray(data) || !data.every(isRow) || Object.values(others).some(isNested)) return undefined;
  return data;
}

/** Whether a value is an object, and no list. */
export const isRow = (value: unknown): value is object => isNested(value) && !Array.isArray(value);

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
const toText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

import { NoValueError, RequestError } from "../../client/errors";
import { toCompanyKey } from "../company-ref";
import { type Row, readText } from "../decode";
import type { Evidence } from "./evidence";

/** The companies that an answer names for a registration number. */
export interface Naming {
  /** Each once. */
  ids: readonly string[];
  /** How many there are in all: the answer may give fewer. */
  count: number;
  /** Their records, where they came too. */
  records: readonly Row[];
}

/** Whether an answer's registration number is the one that was asked for: "0107" is not "107". */
export function isRegistration(value: unknown, registrationNumber: string): boolean {
  if (typeof value !== "string" && !Number.isSafeInteger(value)) return false;
  return fold(String(value)) === fold(registrationNumber);
}

const fold = (registrationNumber: string): string => registrationNumber.trim().toLowerCase();

/** Ids in any letter case, each once. */
export const toDistinct = (ids: readonly string[]): string[] => [
  ...new Map(ids.map((id) => [toCompanyKey(id), id])).values(),
];

const MOST_CANDIDATES = 5;

/** The failure of a number that several companies have; none of them is picked. */
export function toAmbiguous(registrationNumber: string, { ids, count, records }: Naming): NoValueError {
  const candidates = ids.slice(0, MOST_CANDIDATES).map((id) => describe(id, records));
  const more = count > candidates.length ? ` and ${count - candidates.length} more` : "";
  return new NoValueError(
    "FEED_AMBIGUOUS",
    `"${registrationNumber}" names ${count} companies: ${candidates.join("; ")}${more}; use the id of the one you mean`,
  );
}

/** What tells a company from another one: "Sakura Foods · JPN · Osaka · 3d1c…". */
function describe(companyId: string, records: readonly Row[]): string {
  const record = records.find(({ id }) => toCompanyKey(String(id)) === toCompanyKey(companyId));
  const address = record?.registeredAddress as Row | null | undefined;
  const facts = [record?.companyName, address?.country, address?.city, companyId];
  return facts.filter((fact) => readText(fact) !== null).join(" · ");
}

/** The failure of a number that names another company than before, or by another route. */
export function toChanged(registrationNumber: string, evidence: Evidence): NoValueError {
  const named = Object.values(evidence).filter((each) => each?.companyId);
  const dated = named.map(({ companyId, atMs }) => `${companyId} on ${new Date(atMs).toISOString().slice(0, 10)}`);
  return new NoValueError(
    "FEED_AMBIGUOUS",
    `"${registrationNumber}" does not always name the same company: ${[...new Set(dated)].join(", ")}; use the id of the one you mean`,
  );
}

/** The failure of a number that no company has. */
export function toUnregistered(registrationNumber: string): RequestError {
  return new RequestError(
    "FEED_NOT_FOUND",
    `no company has the id or registration number "${registrationNumber}"; check the number`,
  );
}

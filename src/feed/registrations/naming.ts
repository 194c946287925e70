import { DecodeError, NoValueError, RequestError } from "../../client/errors";
import { toCompanyKey } from "../../client/ids";
import type { LoadOptions, Provider } from "../../client/provider";
import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import { decodeFinancials, decodePage, type Financials, type Row, readText } from "../decode";
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

/** So many companies with one number there cannot be: a search that finds them is no search by that number. */
export const MOST_FOUND = 100;

/**
 * Picks whose a number is from the whole search over all countries. The filter also takes "other ids" (§4.2): only a
 * company that has the very number counts.
 *
 * @throws RequestError (FEED_NOT_FOUND) where nobody has it; NoValueError (FEED_AMBIGUOUS) where the search is not by number
 */
export function nameBySearch(rows: readonly Row[], registrationNumber: string): Naming {
  const records = rows.filter(
    ({ id, registrationNumber: own }) => readText(id) !== null && isRegistration(own, registrationNumber),
  );
  const ids = toDistinct(records.map(({ id }) => String(id)));
  if (ids.length <= 1 && rows.length >= MOST_FOUND) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      `the search for "${registrationNumber}" gives ${MOST_FOUND} companies or more, too many to tell; use the company's id`,
    );
  }
  if (ids.length === 0) throw toUnregistered(registrationNumber);
  return { ids, count: ids.length, records };
}

/** The companies with financials that a number names, and the one's financials where they are sure to have come whole. */
type NamedFinancials = Naming & { whole: Financials | null };

/**
 * Reads whose a number is from POST /financials with that single identifier (§4.2): an answer carries ids only, and
 * matching several by position would be a guess.
 *
 * @throws RequestError (FEED_NOT_FOUND) where nobody has it; DecodeError (FEED_RESPONSE_MALFORMED) where the answer
 *   leaves out what its total counts, or is not by number; what `provider.load` throws
 */
export async function nameByFinancials(
  provider: Provider,
  registrationNumber: string,
  { signal, sources }: LoadOptions,
): Promise<NamedFinancials> {
  const body = { identifiers: [registrationNumber] };
  const reply = await provider.load({ operation: "getFinancialsOfMany", body }, { signal, sources });
  const { rows, total } = decodePage(reply.body, "financials");
  const found = rows.map(decodeFinancials);
  const ids = toDistinct(found.map(({ companyId }) => companyId));
  const announced = Math.max(rows.length, total ?? 0);
  // A company may come in several elements, a year in each; one element of one company is counted by the total.
  const count = ids.length > 1 || rows.length === 1 ? Math.max(ids.length, total ?? 0) : ids.length;
  // Nobody shares a number with so many: it was not read as a filter, and none of these is known to have it.
  if (count >= DEFAULT_PAGE_SIZE) {
    throw new DecodeError(
      `the provider answers the registration number "${registrationNumber}" with ${count} companies; use the company's id`,
    );
  }
  if (count <= 1 && announced > rows.length) {
    throw new DecodeError(
      `the provider announces financials of ${announced} for the registration number "${registrationNumber}" and gives ${rows.length}; use the company's id`,
    );
  }
  const [first] = found;
  if (first === undefined) throw toUnregistered(registrationNumber);
  // In pieces, or so small that it could be one piece: only a single company's answer is sure to be whole.
  const isWhole = rows.length === 1 && total === 1 && first.years.length > 1;
  return { ids, count, records: [], whole: isWhole ? first : null };
}

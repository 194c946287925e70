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
  /** How many there are in all: the answer may list fewer. */
  count: number;
  /** Their records, if the answer has them. */
  records: readonly Row[];
}

/** Whether an answer's registration number is the requested one: "0107" is not "107". */
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

/** Makes the error of a number that several companies have. */
export function toAmbiguous(registrationNumber: string, { ids, count, records }: Naming): NoValueError {
  const candidates = ids.slice(0, MOST_CANDIDATES).map((id) => describe(id, records));
  const more = count > candidates.length ? ` and ${count - candidates.length} more` : "";
  return new NoValueError(
    "FEED_AMBIGUOUS",
    `"${registrationNumber}" names ${count} companies: ${candidates.join("; ")}${more}; use the id of the one you mean`,
  );
}

/** Describes a company for a choice: "Sakura Foods · JPN · Osaka · 3d1c…". */
function describe(companyId: string, records: readonly Row[]): string {
  const record = records.find(({ id }) => toCompanyKey(String(id)) === toCompanyKey(companyId));
  const address = record?.registeredAddress as Row | null | undefined;
  const facts = [record?.companyName, address?.country, address?.city, companyId];
  return facts.filter((fact) => readText(fact) !== null).join(" · ");
}

/** Makes the error of a number whose company changed, or differs by route. */
export function toChanged(registrationNumber: string, evidence: Evidence): NoValueError {
  const named = Object.values(evidence).filter((each) => each?.companyId);
  const dated = named.map(({ companyId, atMs }) => `${companyId} on ${new Date(atMs).toISOString().slice(0, 10)}`);
  return new NoValueError(
    "FEED_AMBIGUOUS",
    `"${registrationNumber}" does not always name the same company: ${[...new Set(dated)].join(", ")}; use the id of the one you mean`,
  );
}

/** Makes the error of a number that no company has. */
export function toUnregistered(registrationNumber: string): RequestError {
  return new RequestError(
    "FEED_NOT_FOUND",
    `no company has the id or registration number "${registrationNumber}"; check the number`,
  );
}

/** No number has so many companies: a search that finds them ignored the number. */
export const MOST_FOUND = 100;

/**
 * Picks the companies of a number from the whole search over all countries. The filter also takes "other ids" (§4.2):
 * only companies with the exact number count.
 *
 * @throws RequestError (FEED_NOT_FOUND) where no company has it; NoValueError (FEED_AMBIGUOUS) where the search is not
 *   by number
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

/** The companies with financials of a number, and the only one's financials if they are surely complete. */
type NamedFinancials = Naming & { whole: Financials | null };

/**
 * Resolves a number by POST /financials with that single identifier (§4.2): the answer has ids only, and matching
 * several by position would be a guess.
 *
 * @throws RequestError (FEED_NOT_FOUND) where no company has it; DecodeError (FEED_RESPONSE_MALFORMED) where the answer
 *   has less than its total, or is not by number; the errors of `provider.load`
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
  // A company may come in several elements, one per year: the total counts companies only beside a single element.
  const count = ids.length > 1 || rows.length === 1 ? Math.max(ids.length, total ?? 0) : ids.length;
  // So many companies show that the provider ignored the number.
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
  // Several elements, or one year, may be a part: the whole needs a read of the company alone.
  const isWhole = rows.length === 1 && total === 1 && first.years.length > 1;
  return { ids, count, records: [], whole: isWhole ? first : null };
}

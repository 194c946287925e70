import type { ReadRequest } from "../../companion/feature";
import { Refusal } from "../../companion/refusal";
import { type Family, OPERATION_FAMILIES } from "../../contract/constants";
import type { Entitlements } from "./entitlements";
import { readJsonObject } from "./json";

/** Gives the country of each company, in order; absent where it is unknown. */
type FindCompanyCountries = (
  companyIds: readonly string[],
  readable: ReadonlySet<string>,
) => Promise<readonly (string | undefined)[]>;

/** All rankings are of Japanese companies (§4.4). */
const RANKED = "JPN";

/**
 * Checks that a reader is entitled to a read. Call it before anything shared is looked up. A forbidden company and one
 * that does not exist get the same refusal.
 * @param findCompanyCountries Called only for companies by id, and only where not all countries may be read.
 * @throws Refusal (FEED_SCOPE_MISSING; FEED_REQUEST_INVALID of a body that cannot be checked); what
 *   `findCompanyCountries` throws.
 */
export async function authorise(
  entitlements: Entitlements,
  request: ReadRequest,
  findCompanyCountries: FindCompanyCountries,
): Promise<void> {
  const family = OPERATION_FAMILIES[request.operation];
  const countries = entitlements.countries.get(family);
  if (countries === undefined) throw refuse(`Your role reads no ${family}: ask your administrator for more.`);
  if (countries === "ALL" || request.operation === "getTaxonomyTree") return;
  const find = (companyIds: readonly string[]) => findCompanyCountries(companyIds, countries);
  const requested = await findCountries(family, request, find);
  if (requested.every((country) => country !== undefined && countries.has(country))) return;
  throw refuseOthers(family, countries);
}

async function findCountries(
  family: Family,
  request: ReadRequest,
  find: (companyIds: readonly string[]) => ReturnType<FindCompanyCountries>,
) {
  const { operation, ids, query } = request;
  if (family === "rankings") return [RANKED];
  if (operation === "getFinancialsOfMany") return find(readCompanyIds(query.body));
  if (ids.companyId !== undefined) return find([ids.companyId]);
  const [, parameters] = query.path.split("?", 2);
  return [new URLSearchParams(parameters).get("country") ?? undefined];
}

/**
 * Reads the company ids of a body. Only a body with a single reading passes: a provider may treat duplicate or oddly
 * written names in another way.
 * @throws Refusal (FEED_SCOPE_MISSING of registration numbers; FEED_REQUEST_INVALID)
 */
export function readCompanyIds(body: Buffer | undefined): readonly string[] {
  const text = body?.toString() ?? "";
  const { companyIds, year, ...others } = readJsonObject(text);
  if ("identifiers" in others) {
    throw refuse("Your role reads some countries only, and a registration number names none: ask by company id.");
  }
  const isPlain =
    isIds(companyIds) &&
    (year === undefined || Number.isInteger(year)) &&
    Object.keys(others).length === 0 &&
    [JSON.stringify({ companyIds, year }), JSON.stringify({ year, companyIds })].includes(text);
  if (isPlain) return companyIds;
  const sentence = 'The body must be JSON without blanks, of "companyIds" and "year" alone.';
  throw new Refusal(400, sentence, "FEED_REQUEST_INVALID");
}

const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === "string");

/** Gives the refusal of data of other countries. */
export const refuseOthers = (family: Family, countries: ReadonlySet<string>): Refusal =>
  refuse(`Your role reads ${family} of ${[...countries].join(", ")} only: ask your administrator for more.`);
export const refuse = (sentence: string): Refusal => new Refusal(403, sentence, "FEED_SCOPE_MISSING");

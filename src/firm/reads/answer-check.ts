import type { ReadRequest } from "../../companion/feature";
import { Refusal } from "../../companion/refusal";
import type { ProviderAnswer } from "../../companion/relay/answer";
import { OPERATION_FAMILIES } from "../../contract/constants";
import { readCompanyIds, refuse, refuseOthers } from "./authorisation";
import { isRow, listRows, readCompanyRow } from "./companies-in";
import type { Entitlements } from "./entitlements";
import { eachMember, eachObject, readUnambiguousJson } from "./json";
import { toPathKey } from "./shared/shared-cache";

/** Names under which an answer gives countries and companies (§2). An exchange's country is no company's. */
const COUNTRY = /^country[ _-]?(code)?$/i;
const COMPANY_ID = /^company[ _-]?id$/i;
/** An id beside one of these names is a company's; persons and industries have ids of their own. */
const COMPANY_NAME = /^(company\w*[ _-]?name|registration[ _-]?number)$/i;

/** Reasons to withhold an answer, in the words that a person reads. */
const FAULTS = {
  "a name twice": "one of its objects has a name twice",
  form: "its rows stand elsewhere than in a list or an envelope",
  "no country": "one of its rows names no country",
  "not asked for": "it has, or may have, a company that was not asked for",
};
type Fault = keyof typeof FAULTS | "another country";

/**
 * Checks an answer against the reader's entitlements: a provider may ignore part of a query, and a company may have
 * moved. A reader of some countries gets only answers that can be checked, and only the sentences of an error.
 * @returns The part of the answer that the reader may have.
 * @throws Refusal (FEED_SCOPE_MISSING) of an answer that is or may be of others; (FEED_SERVER_FAILED) of invalid JSON.
 */
export function checkAnswer<A extends ProviderAnswer>(entitlements: Entitlements, request: ReadRequest, answer: A): A {
  const family = OPERATION_FAMILIES[request.operation];
  const countries = entitlements.countries.get(family) ?? new Set<string>();
  if (countries === "ALL") return answer;
  if (answer.status < 200 || answer.status >= 300) return toErrorOnly(answer);
  const fault = findFault(request, answer.body, countries);
  if (fault === undefined) return answer;
  if (fault === "another country") throw refuseOthers(family, countries);
  throw refuse(
    `The provider's answer cannot be checked against your role: ${FAULTS[fault]}. Tell your administrator, who can report it to the provider.`,
  );
}

function findFault(request: ReadRequest, body: Buffer, countries: ReadonlySet<string>): Fault | undefined {
  const reading = readUnambiguousJson(body);
  if (reading === "no JSON") {
    const sentence = "The provider's answer is no JSON, and cannot be checked against your role: try again later.";
    throw new Refusal(502, sentence, "FEED_SERVER_FAILED");
  }
  if (reading === "a name twice") return reading;
  const { value } = reading;
  const wanted = listWanted(request);
  for (const [name, member] of eachMember(value)) {
    if (member === null) continue; // names nothing
    if (COUNTRY.test(name) && !isOneOf(countries, member)) return "another country";
    if (COMPANY_ID.test(name) && wanted !== undefined && !isWanted(wanted, member)) return "not asked for";
  }
  return findFaultOfRows(request, value, wanted);
}

/** Checks that each row names a country or company; those that are named have been checked already. */
function findFaultOfRows(
  { operation, ids }: ReadRequest,
  value: unknown,
  wanted: ReadonlySet<string> | undefined,
): Fault | undefined {
  // The tree names no company, and rankings are of one country.
  if (operation === "getTaxonomyTree" || OPERATION_FAMILIES[operation] === "rankings") return undefined;
  const rows = ids.companyId === undefined ? listRows(value) : isRow(value) && [value];
  if (!rows) return "form";
  const named = rows.map((row) => readCompanyRow(operation, row));
  const own = wanted ?? new Set(named.flatMap(({ id }) => (id === undefined ? [] : [toPathKey(id)])));
  const top = new Set(rows);
  const others = [...eachObject(rows)].filter((each) => !top.has(each) && namesOther(own, each));
  if (wanted !== undefined) {
    return others.length === 0 && named.every(({ id }) => isWanted(wanted, id)) ? undefined : "not asked for";
  }
  const countries = [...named, ...others.map((each) => readCompanyRow(operation, each))];
  return countries.every(({ country }) => country !== undefined) ? undefined : "no country";
}

/** Whether an object within a row names a company that no row is of. */
function namesOther(own: ReadonlySet<string>, each: object): boolean {
  const isNamed = Object.keys(each).some((name) => COMPANY_NAME.test(name));
  const isId = (name: string) => COMPANY_ID.test(name) || (isNamed && /^id$/i.test(name));
  return Object.entries(each).some(([name, id]) => isId(name) && id !== null && !isWanted(own, id));
}

/** Lists the companies that are requested by id; absent where a list is requested. */
function listWanted({ operation, ids, query }: ReadRequest): ReadonlySet<string> | undefined {
  const { companyId } = ids;
  if (companyId !== undefined) return new Set([toPathKey(companyId)]);
  return operation === "getFinancialsOfMany" ? new Set(readCompanyIds(query.body).map(toPathKey)) : undefined;
}

const isOneOf = (names: ReadonlySet<string>, value: unknown): boolean => typeof value === "string" && names.has(value);
const isWanted = (ids: ReadonlySet<string>, id: unknown): boolean => typeof id === "string" && ids.has(toPathKey(id));

/** As much as a cell shows of an error. */
const LONGEST_TEXT = 200;
const MOST_DETAILS = 20;
/** Fields of errors outside the shape of §7, as OAuth and others write them. */
const PLAIN_TEXTS = ["error", "error_description", "message", "detail", "title", "traceId"];

/** Reduces an error to its sentences, since its body may hold rows as well. */
function toErrorOnly<A extends ProviderAnswer>(answer: A): A {
  const reading = readUnambiguousJson(answer.body);
  const body = Buffer.from(JSON.stringify(typeof reading === "string" ? {} : pickError(reading.value)));
  return { ...answer, headers: { ...answer.headers, "content-type": "application/json" }, body };
}

function pickError(value: unknown): object {
  const { error } = Object(value);
  if (typeof error !== "object" || error === null) return pickTexts(value, PLAIN_TEXTS);
  const details = Array.isArray(error.details) ? error.details.slice(0, MOST_DETAILS) : [];
  const issues = details.map((detail: unknown) => pickTexts(detail, ["field", "issue"]));
  return {
    error: { ...pickTexts(error, ["code", "message", "traceId"]), ...(issues.length > 0 && { details: issues }) },
  };
}

function pickTexts(value: unknown, names: readonly string[]): object {
  const texts = names
    .map((name) => [name, Object(value)[name]] as const)
    .filter(([, text]) => typeof text === "string");
  return Object.fromEntries(texts.map(([name, text]) => [name, text.slice(0, LONGEST_TEXT)]));
}

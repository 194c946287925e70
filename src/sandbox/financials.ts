import type { CompanyFinancials, ErrorDetail, FinancialsRequest, FinancialYear } from "../contract/types";
import { createFinancialYears } from "./data/financials";
import { createCompanyId } from "./data/identifiers";
import { Refusal, refuseField } from "./errors";
import { createPage, type Provider } from "./provider";

/** The years of one company: a year it lacks gives an empty list, not an error. */
function createFinancials({ seed, weeks }: Provider, index: number, year: number | undefined): CompanyFinancials {
  const years = createFinancialYears(seed, index, weeks());
  return {
    companyId: createCompanyId(seed, "private", index),
    years: year === undefined ? years : years.filter((each) => each.year === year),
  };
}

/** The financials of one company (§4.2). */
export function getCompanyFinancials(
  provider: Provider,
  companyId: string,
  year: number | undefined,
): CompanyFinancials {
  const index = provider.companyIndex.pickById(companyId);
  if (index === undefined) throw new Refusal(404, "NOT_FOUND", `No company has the id ${companyId}.`);
  return createFinancials(provider, index, year);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isListOf = (value: unknown, isItem: (item: string) => boolean) =>
  value === undefined || (Array.isArray(value) && value.every((item) => typeof item === "string" && isItem(item)));

/** The body as it stands: nothing is converted, so that a year sent as text is refused. */
function readRequest(body: unknown): FinancialsRequest {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw refuseField("body", "must be an object");
  const request = body as FinancialsRequest;
  const details: ErrorDetail[] = [];
  if (!isListOf(request.companyIds, (id) => UUID.test(id))) {
    details.push({ field: "companyIds", issue: "must be a list of UUIDs" });
  }
  if (!isListOf(request.identifiers, () => true))
    details.push({ field: "identifiers", issue: "must be a list of texts" });
  if (request.year !== undefined && !Number.isInteger(request.year)) {
    details.push({ field: "year", issue: "must be an integer" });
  }
  if (details.length > 0) throw new Refusal(400, "INVALID_REQUEST", "The request body is invalid.", details);
  if (!request.companyIds?.length && !request.identifiers?.length) {
    throw refuseField("companyIds", "or identifiers must name a company");
  }
  return request;
}

/**
 * The financials of the union of both lists, each company once, in the order they were named; unknown ones are absent.
 * No page parameter is documented (§4.2), so everything comes as one page unless the controls cut it.
 */
export function getFinancialsOfMany(provider: Provider, body: unknown) {
  const { companyIndex, controls } = provider;
  const { companyIds = [], identifiers = [], year } = readRequest(body);
  const named = [...companyIds.map(companyIndex.pickById), ...identifiers.map(companyIndex.pickByRegistration)];
  const found = [...new Set(named.filter((index) => index !== undefined))];
  const served = found.slice(0, controls.postFirst ?? found.length);
  const listing = {
    total: served.length,
    create(place: number) {
      const financials = createFinancials(provider, served[place]!, year);
      return controls.postWithoutPeriods ? { ...financials, years: financials.years.map(dropPeriod) } : financials;
    },
  };
  return createPage(listing, { page: 1, page_size: Math.max(served.length, 1) }, controls);
}

function dropPeriod(year: FinancialYear): FinancialYear {
  const { periodYear: _year, financialPeriodStart: _start, financialPeriodEnd: _end, ...rest } = year;
  return rest;
}

import { assertAnswerOf, type CompanyRef, toCompanyKey, toRefKey } from "./company-ref";
import { decodePage, decodeRow, type Row, readText } from "./decode";
import { type FeedCode, FeedError, NoValueError, RequestError } from "./errors";
import type { FinancialsQuestions } from "./financials";
import { type Keeping, withoutContacts } from "./keeping";
import { type List, loadPages, type PageLimits } from "./pages";
import type { Provider } from "./provider";
import { isRegistration, type Registrations, toAmbiguous, toUnregistered } from "./registrations";
import type { Question, Watch } from "./watch";

export interface CompanySearch {
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
  /** Registration number or another id of the company; default none. */
  identifier?: string | undefined;
  /** Sort field as the provider takes it; its values are not shown (§4.2), so it is passed on as written. */
  sort?: string | undefined;
}

export interface CompaniesQuestions {
  /** Asks for one private company by its id (§4.2). */
  ask(companyId: string): Question<Row>;
  /**
   * Asks for one private company (§4.2); a registration number of which nothing is known is first resolved.
   *
   * @param withContacts whether persons' contact data are wanted, which are never kept beyond the page; default false
   * @throws RequestError (FEED_NOT_FOUND …), NoValueError (FEED_AMBIGUOUS) as the question's failure
   */
  askOf(company: CompanyRef, withContacts?: boolean): Question<Row>;
  /** Asks for the private companies of a country (§4.2). */
  askSearch(search: CompanySearch, wanted: number | "all"): Question<List>;
  /**
   * Asks for the id of a company: of a registration number what is known of it, else what its financials (§4.2)
   * say, else the one company of the search that has the very number.
   *
   * @throws RequestError (FEED_NOT_FOUND, FEED_SCOPE_MISSING …), NoValueError (FEED_AMBIGUOUS) as the question's failure
   */
  askId(company: CompanyRef): Question<string>;
}

/** What finds the company of a registration number. */
export interface Registry {
  watch: Watch;
  registrations: Registrations;
  financials: FinancialsQuestions;
  /** What is known of how the provider pages its lists. */
  limits: PageLimits;
}

export function createCompanies(provider: Provider, registry: Registry): CompaniesQuestions {
  const companies: CompaniesQuestions = {
    ask: (companyId) => ({
      key: toRowKey(companyId),
      keeping: KEPT_COMPANY,
      load: ({ signal }) => loadRow(provider, companyId, signal),
    }),
    askOf: (company, withContacts = false) =>
      withContacts
        ? askContacts({ provider, registry, companies }, company)
        : askOf({ provider, registry, companies }, company),
    askSearch: (search, wanted) => askSearch(provider, registry.limits, search, wanted),
    askId: (company) => ({
      key: ["companyId", toRefKey(company)],
      load: async ({ signal }) =>
        "companyId" in company ? company.companyId : loadId(registry, companies, company.registrationNumber, signal),
    }),
  };
  return companies;
}

interface Context {
  provider: Provider;
  registry: Registry;
  companies: CompaniesQuestions;
}

function askOf({ provider, registry, companies }: Context, company: CompanyRef): Question<Row> {
  if ("companyId" in company) return companies.ask(company.companyId);
  const { watch, registrations } = registry;
  const find = () => registrations.find(company.registrationNumber);
  const known = find();
  return {
    key: ["getCompany", company],
    ...(known !== null && { within: toRowKey(known) }),
    keeping: KEPT_COMPANY,
    async load({ signal }) {
      const companyId = find();
      if (companyId !== null) return loadRow(provider, companyId, signal);
      const resolved = await watch.wait(companies.askId(company), signal);
      return watch.wait(companies.ask(resolved), signal);
    },
  };
}

/** A question of its own, since what is kept of the other one is without contact data. */
function askContacts({ provider, registry, companies }: Context, company: CompanyRef): Question<Row> {
  return {
    key: ["getCompany", toRefKey(company), "contacts"],
    load: async ({ signal }) => loadRow(provider, await registry.watch.wait(companies.askId(company), signal), signal),
  };
}

function askSearch(
  provider: Provider,
  limits: PageLimits,
  { country, identifier, sort }: CompanySearch,
  wanted: number | "all",
): Question<List> {
  return {
    key: ["searchCompanies", { country, identifier, sort }, wanted],
    keeping: { family: "companies", toKept: (list) => toKeptList(list as List) },
    load: ({ signal, grow, expect }) =>
      loadPages({
        wanted,
        grow,
        expect,
        limit: limits.of("searchCompanies"),
        identify: identifyCompany,
        loadPage: async (page, pageSize) => {
          const query = { country, identifier, sort, page, page_size: pageSize };
          const reply = await provider.load({ operation: "searchCompanies", query }, { signal });
          return decodePage(reply.body, "list of companies");
        },
      }),
  };
}

const KEPT_COMPANY: Keeping = { family: "companies", toKept: (company) => withoutContacts(company as Row) };

const toKeptList = ({ rows, expected }: List): List => ({ rows: rows.map(withoutContacts), expected });

const toRowKey = (companyId: string) => ["getCompany", toCompanyKey(companyId)];

async function loadRow(provider: Provider, companyId: string, signal: AbortSignal): Promise<Row> {
  const reply = await provider.load({ operation: "getCompany", path: { companyId } }, { signal });
  const row = decodeRow(reply.body, "company");
  assertAnswerOf(companyId, readText(row.id));
  return row;
}

/** What keeps the financials from telling a number's company, so that the search is asked. */
const UNTOLD: readonly FeedCode[] = ["FEED_SCOPE_MISSING", "FEED_NOT_FOUND", "FEED_RESPONSE_MALFORMED"];

async function loadId(
  { watch, registrations, financials }: Registry,
  companies: CompaniesQuestions,
  registrationNumber: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await watch.wait(financials.askIdOf(registrationNumber), signal);
  } catch (untold) {
    if (!(untold instanceof FeedError && UNTOLD.includes(untold.code))) throw untold;
    const search = companies.askSearch({ country: "ALL", identifier: registrationNumber }, SEARCHED);
    const companyId = await watch.wait(search, signal).then(
      ({ rows }) => pickId(rows, registrationNumber),
      (error) => {
        throw isBarred(error) ? toHidden(registrationNumber, error) : error;
      },
    );
    registrations.learn(registrationNumber, companyId);
    return companyId;
  }
}

const isBarred = (error: unknown): error is FeedError =>
  error instanceof FeedError && error.code === "FEED_SCOPE_MISSING";

/** Where the client may not search all countries, nobody can say that a number has no company. */
function toHidden(registrationNumber: string, { facts }: FeedError): RequestError {
  const said = facts.said === undefined ? "" : ` (${facts.said})`;
  return new RequestError(
    "FEED_SCOPE_MISSING",
    `this client may not search all countries for the registration number "${registrationNumber}"${said}; use the company's id, or ask the provider`,
    facts,
  );
}

/** So many companies with one number there cannot be: a search that finds them is no search by that number. */
const SEARCHED = 100;

/** The filter also takes "other ids" (§4.2): only a company that has the very number counts. */
function pickId(rows: readonly Row[], registrationNumber: string): string {
  const having = rows.filter((row) => isRegistration(row.registrationNumber, registrationNumber));
  const ids = new Map(
    having.flatMap(({ id }) => (readText(id) === null ? [] : [[toCompanyKey(String(id)), String(id)]])),
  );
  const [first, ...others] = [...ids.values()];
  if (others.length > 0) throw toAmbiguous(registrationNumber, [...ids.values()]);
  if (rows.length >= SEARCHED) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      `the search for "${registrationNumber}" gives ${SEARCHED} companies or more, too many to tell; use the company's id`,
    );
  }
  if (first === undefined) throw toUnregistered(registrationNumber);
  return first;
}

/** A company's id, or the whole row where the provider leaves it out. */
function identifyCompany(row: Row): string {
  return readText(row.id) ?? JSON.stringify(row);
}

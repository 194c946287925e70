import { decodePage, decodeRow, type Row, readText } from "./decode";
import { createPageLimit, type List, loadPages } from "./pages";
import type { Provider } from "./provider";
import type { Question } from "./watch";

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
  /** Asks for the private companies of a country (§4.2). */
  askSearch(search: CompanySearch, wanted: number | "all"): Question<List>;
}

export function createCompanies(provider: Provider): CompaniesQuestions {
  const limit = createPageLimit();
  return {
    ask: (companyId) => ({
      key: ["getCompany", companyId.toLowerCase()],
      load: async ({ signal }) => {
        const reply = await provider.load({ operation: "getCompany", path: { companyId } }, { signal });
        return decodeRow(reply.body, "company");
      },
    }),
    askSearch: ({ country, identifier, sort }, wanted) => ({
      key: ["searchCompanies", { country, identifier, sort }, wanted],
      load: ({ signal, grow }) =>
        loadPages({
          wanted,
          grow,
          limit,
          identify: identifyCompany,
          loadPage: async (page, pageSize) => {
            const query = { country, identifier, sort, page, page_size: pageSize };
            const reply = await provider.load({ operation: "searchCompanies", query }, { signal });
            return decodePage(reply.body, "list of companies");
          },
        }),
    }),
  };
}

/** A company's id, or the whole row where the provider leaves it out. */
function identifyCompany(row: Row): string {
  return readText(row.id) ?? JSON.stringify(row);
}

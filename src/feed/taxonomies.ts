import { decodePage, decodeRow, decodeRows, type Page, type Row, readText } from "./decode";
import { DecodeError } from "./errors";
import { createPageLimit, type List, loadPages, type PageLimit } from "./pages";
import type { Call, Provider } from "./provider";
import type { Question } from "./watch";

/** The three levels of the taxonomy (§2.5). */
export type Level = "industry" | "subSector" | "sector";

export interface TaxonomyList {
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
  /** PUBLIC, PRIVATE or ALL. */
  companyType: string;
}

export interface TaxonomyQuestions {
  /** Asks for the whole tree of sectors, sub-sectors and industries (§2.5). */
  askTree(): Question<readonly Row[]>;
  /** Asks for one company's record with its classifications (§2.4). */
  ask(companyId: string): Question<Row>;
  /** Asks for the classified companies of a country (§4.3). */
  askUniverse(list: TaxonomyList, wanted: number | "all"): Question<List>;
  /**
   * Asks for the companies under a node of the tree (§4.3).
   *
   * @param withAllIndustries every classification of each company instead of what the provider shows by default
   */
  askConstituents(
    node: { level: Level; id: string },
    list: TaxonomyList,
    withAllIndustries: boolean,
    wanted: number | "all",
  ): Question<List>;
}

const GROUPINGS = {
  industry: { operation: "listIndustryCompanies", parameter: "industryId" },
  subSector: { operation: "listSubSectorCompanies", parameter: "subSectorId" },
  sector: { operation: "listSectorCompanies", parameter: "sectorId" },
} as const;

export function createTaxonomies(provider: Provider): TaxonomyQuestions {
  const universeLimit = createPageLimit();
  const constituentsLimit = createPageLimit();
  return {
    askTree: () => ({
      key: ["getTaxonomyTree"],
      load: async ({ signal }) =>
        decodeRows((await provider.load({ operation: "getTaxonomyTree" }, { signal })).body, "taxonomy"),
    }),
    ask: (companyId) => ({
      key: ["getTaxonomyCompany", companyId.toLowerCase()],
      load: async ({ signal }) => {
        const reply = await provider.load({ operation: "getTaxonomyCompany", path: { companyId } }, { signal });
        return decodeRow(reply.body, "taxonomy record");
      },
    }),
    askUniverse({ country, companyType }, wanted) {
      const query = { country, company_type: companyType };
      return askList(provider, { operation: "listTaxonomyCompanies", query }, wanted, universeLimit);
    },
    askConstituents({ level, id }, { country, companyType }, withAllIndustries, wanted) {
      const { operation, parameter } = GROUPINGS[level];
      // The default is false (§4.3), and what is the default need not be sent.
      const query = { country, company_type: companyType, show_all_industries: withAllIndustries || undefined };
      return askList(provider, { operation, path: { [parameter]: id }, query }, wanted, constituentsLimit);
    },
  };
}

function askList(provider: Provider, call: Call, wanted: number | "all", limit: PageLimit): Question<List> {
  return {
    key: [call.operation, call.path, call.query, wanted],
    load: ({ signal, grow }) =>
      loadPages({
        wanted,
        grow,
        limit,
        identify: (row) => readText(row.companyId) ?? JSON.stringify(row),
        loadPage: async (page, pageSize) => {
          const query = { ...call.query, page, page_size: pageSize };
          return decodeList((await provider.load({ ...call, query }, { signal })).body);
        },
      }),
  };
}

/** The grouping endpoints' body is not shown (§4.3): the envelope of §2.1, or a bare list, which is then all. */
function decodeList(body: unknown): Page {
  if (!Array.isArray(body)) return decodePage(body, "list of companies");
  if (body.length === 0) return { rows: [], pageSize: null, total: 0 };
  const rows = decodeRows(body, "list of companies");
  if (rows.some((row) => readText(row.companyId) === null)) {
    throw new DecodeError("the provider's list of companies names none; report it to the provider");
  }
  return { rows, pageSize: null, total: null };
}

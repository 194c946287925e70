import type { Sector, TaxonomyCompany, TaxonomyCompanyPage, TaxonomyEntry } from "../../src/contract/types";
import { toCell } from "../../src/functions/cells";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";

/** A companion with a sandbox, and direct readings of its taxonomies. */
export interface TaxonomySandbox {
  companion: RunningCompanion;
  read: Read;
  tree: Sector[];
  /** All classified companies, with all their classifications. */
  everyone: TaxonomyCompany[];
  /** Reads a list below the family's path, such as "sectors/SEC04/companies?country=ALL", without counting it. */
  list(path: string, type?: string): Promise<TaxonomyCompanyPage>;
  /** The operations since the last reset, without the token. */
  calls(): string[];
  /** The query of the last request. */
  query(): Record<string, string>;
}

const ROOT = "/asia/industry-taxonomies/v1";

export async function startTaxonomySandbox(): Promise<TaxonomySandbox> {
  const companion = await startCompanion({ companies: 400 });
  const { controls } = companion;
  const read = await createDirectReading(companion.origin);
  const list = async (path: string, type = "ALL") => {
    const page = await read<TaxonomyCompanyPage>(`${ROOT}/${path}&company_type=${type}&page_size=9999`);
    controls.reset();
    return page;
  };
  return {
    companion,
    read,
    tree: await read<Sector[]>(`${ROOT}/tree`),
    everyone: (await list("companies?country=ALL")).data,
    list,
    calls: () => controls.requests.map(({ operationId }) => operationId).filter((id) => id !== "createToken"),
    query: () => {
      const url = new URL(controls.requests.at(-1)?.url ?? "", "http://localhost");
      return Object.fromEntries(url.searchParams);
    },
  };
}

export const COMPANY_HEADER = [
  "Company id",
  "Formal name",
  "English name",
  "Ticker",
  "Country",
  "Public",
  "Sector",
  "Sub-sector",
  "Industry",
];

export const toPrimary = ({ taxonomy }: TaxonomyCompany) => taxonomy.find((entry) => entry.isPrimaryIndustry);

/** A company's row in a table without named fields. */
export const toCompanyRow = (company: TaxonomyCompany, entry: TaxonomyEntry | undefined = toPrimary(company)) => [
  company.companyId,
  toCell(company.companyFormalName),
  toCell(company.companyEnglishName),
  company.tickerSymbol ?? "",
  company.countryCode,
  company.isPublic,
  entry?.sectorName,
  entry?.subSectorName,
  entry?.industryName,
];

import type { OperationId } from "../../../contract/constants";
import { toWholeKey } from "./shared-cache";

/** The operations whose answers come page by page (§4). */
const PAGED: readonly OperationId[] = [
  "searchCompanies",
  "listTaxonomyCompanies",
  "listIndustryCompanies",
  "listSubSectorCompanies",
  "listSectorCompanies",
  "rankCompanies",
  "rankCompanyPages",
  "rankIndustries",
];

/** Which page of which list a query asks for. */
export interface ListAddress {
  /** The key of the list, whatever its page and page_size. */
  list: string;
  /** Counted from 1; NaN where that cannot be told. */
  page: number;
  /** As it was asked for; "" where it was not. */
  pageSize: string;
}

/**
 * Reads which page of which list is asked for; gives nothing of what is no list.
 * @param scope Whose it is, by `toScope`.
 */
export function readListAddress(scope: string, operation: OperationId, path: string): ListAddress | undefined {
  if (!PAGED.includes(operation)) return undefined;
  const [place = "", query = ""] = path.split("?");
  const parameters = new URLSearchParams(query);
  const page = parameters.get("page") ?? "1";
  const pageSize = parameters.get("page_size") ?? "";
  parameters.delete("page");
  parameters.delete("page_size");
  const list = toWholeKey(scope, `${place}?${parameters}`);
  return { list, page: /^[1-9]\d{0,8}$/.test(page) ? Number(page) : Number.NaN, pageSize };
}

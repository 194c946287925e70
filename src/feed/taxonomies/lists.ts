import { DecodeError, FeedError, NoValueError } from "../../client/errors";
import { type CompanyRef, isPathSegment } from "../../client/ids";
import { either, msg } from "../../client/messages";
import type { Call, Provider } from "../../client/provider";
import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import type { CompaniesQueries } from "../companies";
import { decodePage, decodeRows, type Page, type Row, readText } from "../decode";
import { createLoadPage, type List, loadPages, type PageLimits } from "../pages";
import type { LoadContext, Query, QueryCache } from "../query-cache";
import { hasRepeats, isOneOf, mergeCompanies, pickPrimaries, readEntries, tryEntries } from "./companies";
import { findNode, LEVEL_WORDS, type Level, readId, readQualified, type TreeNode } from "./tree";

export interface TaxonomyList {
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
  /** PUBLIC, PRIVATE or ALL. */
  companyType: string;
}

export interface ListContext {
  provider: Provider;
  queryCache: QueryCache;
  queryTree: () => Query<readonly Row[]>;
  query: (company: CompanyRef) => Query<Row>;
  queryId: CompaniesQueries["queryId"];
  limits: PageLimits;
}

type Loading = LoadContext;

export function loadUniverse(context: ListContext, list: TaxonomyList, wanted: number | "all", loading: Loading) {
  return loadCompanies(context.queryCache, (rows) => queryAll(context, list, rows), { wanted, pick: pickAll }, loading);
}

const pickAll = (rows: readonly Row[]) => rows;

export function loadConstituents(
  context: ListContext,
  text: string,
  list: TaxonomyList,
  withAllIndustries: boolean,
  wanted: number | "all",
  loading: Loading,
): Promise<List> {
  return loadNode(context, text, loading, (node) => {
    const queryRows = (rows: number | "all") => queryBelow(context, node, list, withAllIndustries, rows);
    return loadCompanies(context.queryCache, queryRows, { wanted, pick: pickAll }, loading);
  });
}

interface Peers {
  level: Level;
  list: TaxonomyList;
  /** Also companies whose primary classification is another node. */
  withAllMatches: boolean;
  wanted: number | "all";
}

export async function loadPeers(
  context: ListContext,
  company: CompanyRef,
  { level, list, withAllMatches, wanted }: Peers,
  loading: Loading,
): Promise<List> {
  const { queryCache, query, queryId } = context;
  const record = await queryCache.wait(query(company), loading);
  const node = pickOwnNode(record, level);
  const queryRows = (rows: number | "all") => queryBelow(context, node, list, false, rows);
  const companyId = await queryCache.wait(queryId(company, "classification"), loading); // cached: the record needed it
  const pick = (rows: readonly Row[]) =>
    rows
      .filter((row) => !isOneOf(row, [companyId]))
      .map((row) => ({ ...row, matchedBy: matchNode(row, level, node.id) }))
      .filter(({ matchedBy }) => withAllMatches || matchedBy === "primary");
  return loadCompanies(queryCache, queryRows, { wanted, pick }, loading);
}

/** Tells whether a company's primary classification is the node; one without any stands below it by the provider's word. */
function matchNode(row: Row, level: Level, id: string): "primary" | "other" {
  const entries = tryEntries(row);
  if (entries instanceof DecodeError || entries.length === 0) return "primary";
  const isOfNode = listIds(pickPrimaries(row), level).some((each) => each.toLowerCase() === id.toLowerCase());
  return isOfNode ? "primary" : "other";
}

type Node = Pick<TreeNode, "level" | "id">;

/** Loads a node with a written level at once; where it is unknown or empty, the tree corrects it. */
async function loadNode(
  context: ListContext,
  text: string,
  loading: Loading,
  load: (node: Node) => Promise<List>,
): Promise<List> {
  const loadTree = () => context.queryCache.wait(context.queryTree(), loading);
  const written = readQualified(text);
  if (written === null) return load(findNode(await loadTree(), text));
  const nothing = await load(written).catch((error) => {
    if (isUnknown(error)) return error;
    throw error;
  });
  if (!(nothing instanceof FeedError) && nothing.rows.length > 0) return nothing;
  const tree = await loadTree().catch(() => null);
  const node = tree && findNode(tree, text);
  if (node !== null && node.id !== written.id) return load(node);
  if (nothing instanceof FeedError) throw nothing;
  return nothing;
}

const isUnknown = (error: unknown): error is FeedError => error instanceof FeedError && error.code === "FEED_NOT_FOUND";

interface Companies {
  wanted: number | "all";
  /** Picks the wanted companies of a list. */
  pick: (companies: readonly Row[]) => readonly Row[];
}

/** Rows requested beyond the wanted ones, since a company may have several: a page of the provider (§8). */
const AHEAD = DEFAULT_PAGE_SIZE;

/** Reads companies from the start of a list, each once and with all its rows. */
async function loadCompanies(
  queryCache: QueryCache,
  queryRows: (rows: number | "all") => Query<List>,
  { wanted, pick }: Companies,
  loading: Loading,
): Promise<List> {
  const most = wanted === "all" ? Number.POSITIVE_INFINITY : wanted;
  const toCompanies = ({ rows, expected }: List): List => {
    const companies = pick(mergeCompanies(rows));
    // The rows of a part say how many of all are companies that are wanted.
    const all = rows.length === 0 ? 0 : Math.round((companies.length * expected) / rows.length);
    return { rows: companies.slice(0, most), expected: Math.min(most, all) };
  };
  const advance: Loading["advance"] = (part) => loading.advance?.(toCompanies(part as List));
  const requestedRows = wanted === "all" ? wanted : wanted + AHEAD;
  const list = await queryCache.wait(queryRows(requestedRows), { ...loading, advance });
  const isWhole = requestedRows === "all" || (list.rows.length < requestedRows && list.rows.length === list.expected);
  const companies = toCompanies(list);
  if (isWhole || (!hasRepeats(list.rows) && companies.rows.length === most)) return companies;
  return toCompanies(await queryCache.wait(queryRows("all"), { ...loading, advance }));
}

/** Gives the query for the classified companies of a country, as the provider lists them. */
function queryAll(
  { provider, limits }: ListContext,
  { country, companyType }: TaxonomyList,
  wanted: number | "all",
): Query<List> {
  const query = { country, company_type: companyType };
  return queryList(provider, { operation: "listTaxonomyCompanies", query }, wanted, limits);
}

const GROUPINGS = {
  industry: { operation: "listIndustryCompanies", parameter: "industryId" },
  subSector: { operation: "listSubSectorCompanies", parameter: "subSectorId" },
  sector: { operation: "listSectorCompanies", parameter: "sectorId" },
} as const;

/** Gives the query for the companies below a node, as the provider lists them. */
function queryBelow(
  { provider, limits }: ListContext,
  { level, id }: Node,
  { country, companyType }: TaxonomyList,
  withAllIndustries: boolean,
  wanted: number | "all",
): Query<List> {
  const { operation, parameter } = GROUPINGS[level];
  if (!isPathSegment(id)) {
    throw new NoValueError("FEED_NO_VALUE", msg`the id "${id}" of the provider cannot be asked for; use another`);
  }
  // The query carries show_all_industries only when it is true: the API's default is false (§4.3).
  const query = { country, company_type: companyType, show_all_industries: withAllIndustries || undefined };
  return queryList(provider, { operation, path: { [parameter]: id }, query }, wanted, limits);
}

/**
 * Gives the query for rows of a list. A partial reading stops at the first company with several rows: only the whole
 * list surely has all its rows. The result is then shorter than expected.
 */
function queryList(provider: Provider, call: Call, wanted: number | "all", limits: PageLimits): Query<List> {
  return {
    key: [call.operation, call.path, call.query, wanted],
    persistence: { family: "taxonomies" },
    async load({ expect, ...loading }) {
      let stopped: List | null = null;
      const advance = (part: List) => {
        if (wanted !== "all" && hasRepeats(part.rows)) {
          stopped = { rows: part.rows, expected: wanted };
          throw new DecodeError(msg`a company stands in several rows; ask for the whole list`);
        }
        loading.advance?.(part);
      };
      const loadPage = createLoadPage(provider, call, loading, decodeList);
      const limit = limits.of(call.operation);
      return loadPages({ wanted, advance, expect, limit, loadPage }).catch((error) => {
        if (stopped !== null) return stopped;
        throw error;
      });
    },
  };
}

/** Decodes the envelope of §2.1, or a bare list without pages: the document does not show this body (§4.3). */
function decodeList(body: unknown): Page {
  if (!Array.isArray(body)) return decodePage(body, "companies");
  if (body.length === 0) return { rows: [], pageSize: null, total: 0 };
  const rows = decodeRows(body, "companies");
  if (rows.some((row) => readText(row.companyId) === null)) {
    throw new DecodeError(msg`the provider's list of companies names none; report it to the provider`);
  }
  return { rows, pageSize: null, total: null };
}

/**
 * Picks the node of a company's primary classification.
 *
 * @throws NoValueError (FEED_NO_VALUE) without one, NoValueError (FEED_AMBIGUOUS) with several different ones
 */
export function pickOwnNode(record: Row, level: Level): { level: Level; id: string } {
  const primaries = pickPrimaries(record);
  const ids = listIds(primaries, level);
  const [id] = ids;
  if (ids.length === 1 && id !== undefined) return { level, id };
  if (ids.length > 1) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      msg`the provider puts the company in ${ids.length} primary ${LEVEL_WORDS[level].several}; use FEED.CONSTITUENTS with ${either(ids)}`,
    );
  }
  const others = listIds(readEntries(record), level);
  const way =
    others.length > 0 ? msg`use FEED.CONSTITUENTS with ${either(others)}` : msg`name a node in FEED.CONSTITUENTS`;
  throw new NoValueError(
    "FEED_NO_VALUE",
    msg`the provider names no primary ${LEVEL_WORDS[level].one} of the company; ${way}`,
  );
}

function listIds(entries: readonly Row[], level: Level): string[] {
  const ids = entries.map((entry) => readId(entry[`${level}Id`])).filter((id) => id !== null);
  return ids.filter((id, place) => ids.findIndex((each) => each.toLowerCase() === id.toLowerCase()) === place);
}

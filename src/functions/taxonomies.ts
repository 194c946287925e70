import { session } from "../session/current";
import { lazily, opensListed, stream } from "./stream";

const load = () => import(/* webpackChunkName: "views" */ "./views/taxonomies");
const loadClassification = () => import(/* webpackChunkName: "views" */ "./views/classification");
const openClassification = lazily(async () => opensListed("company", (await loadClassification()).openClassification));
const openTree = lazily(async () => (await load()).openTree);
const openConstituents = lazily(async () => (await load()).openConstituents);
const openUniverse = lazily(async () => (await load()).openUniverse);
const openPeers = lazily(async () => (await load()).openPeers);

/**
 * The taxonomy of sectors, sub-sectors and industries as a table that spills.
 * @customfunction TAXONOMY
 * @param [level] How fine: "sector", "subSector" or "industry"; industry, which shows all three, when left out
 * @param [parent] Id of a sector or sub-sector, for the branch below it alone, e.g. "SEC04"; the whole tree when left out
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function taxonomy(
  level: any,
  parent: any,
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "TAXONOMY", { level, parent, headers }, openTree);
}

/**
 * The sectors, sub-sectors and industries of a company as a table, or one field of its taxonomy record.
 * @customfunction CLASSIFICATION
 * @param company A company's name, ticker, registration number or id; with a field also a range of them, e.g. A2:A20
 * @param [field] One field, e.g. "tickerSymbol", "isPublic", "primary.industryName", or "industryName" of every classification
 * @param [headers] FALSE leaves the header row of the table out
 * @param invocation Streams the table or field
 * @streaming
 * @requiresStreamAddress
 */
export function classification(
  company: any[][],
  field: any,
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "CLASSIFICATION", { company, field, headers }, openClassification);
}

/**
 * The companies under an industry, a sub-sector or a sector, as a table that spills.
 * @customfunction CONSTITUENTS
 * @param node Id of an industry, sub-sector or sector, e.g. "IND040101"; "sector:12" where several levels share an id
 * @param country A country such as "JPN", or "ALL"
 * @param [type] PUBLIC, PRIVATE or ALL; ALL when left out
 * @param [top] Companies wanted, or "all"; all when left out
 * @param [fields] Fields wanted, e.g. "companyEnglishName,tickerSymbol,primary.industryName", or "all"
 * @param [allindustries] TRUE gives a row for each classification of a company instead of one row per company
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function constituents(
  node: any,
  country: any,
  type: any,
  top: any,
  fields: any[][],
  allindustries: any,
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(
    session,
    invocation,
    "CONSTITUENTS",
    { node, country, type, top, fields, allindustries, headers },
    openConstituents,
  );
}

/**
 * The classified companies of a country, listed and private, as a table that spills.
 * @customfunction UNIVERSE
 * @param country A country such as "JPN", or "ALL"
 * @param [type] PUBLIC, PRIVATE or ALL; ALL when left out
 * @param [top] Companies wanted, or "all"; all when left out
 * @param [fields] Fields wanted, e.g. "companyId,companyEnglishName,primary.sectorName", or "all"
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function universe(
  country: any,
  type: any,
  top: any,
  fields: any[][],
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "UNIVERSE", { country, type, top, fields, headers }, openUniverse);
}

/**
 * The companies in the same primary industry, sub-sector or sector as a company, without itself, as a table that spills.
 * @customfunction PEERS
 * @param company A company's name, ticker, registration number or id
 * @param [level] What they share: "industry", "subSector" or "sector"; industry when left out
 * @param [country] A country such as "JPN", or "ALL"; the country of the settings when left out
 * @param [type] PUBLIC, PRIVATE or ALL; ALL when left out
 * @param [top] Companies wanted, without the company itself, or "all"; all when left out
 * @param [fields] Fields wanted, e.g. "companyEnglishName,tickerSymbol", or "all"
 * @param [headers] FALSE leaves the header row out
 * @param [allmatches] TRUE adds companies of which it is another classification than the primary one, and says which
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function peers(
  company: any,
  level: any,
  country: any,
  type: any,
  top: any,
  fields: any[][],
  headers: any,
  allmatches: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  const given = { company, level, country, type, top, fields, headers, allmatches };
  stream(session, invocation, "PEERS", given, openPeers);
}

session.formulas.offer({
  TAXONOMY: taxonomy,
  CLASSIFICATION: classification,
  CONSTITUENTS: constituents,
  UNIVERSE: universe,
  PEERS: peers,
});

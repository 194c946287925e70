import { session } from "../session/current";
import { lazily, stream } from "./stream";

const load = () => import(/* webpackChunkName: "views" */ "./views/names");
const openFound = lazily(async () => (await load()).openFound);
const openId = lazily(async () => (await load()).openId);
const openMatches = lazily(async () => (await load()).openMatches);

/**
 * Companies whose names, ticker or registration number match a text, the best match first, as a table that spills.
 * @customfunction COMPANY.FIND
 * @param text Part of a name in any writing, a ticker or a registration number, e.g. "高島", "sakura foods", 4899
 * @param [country] A country's code such as "JPN", or "ALL"; the country of the settings when left out
 * @param [top] Rows wanted, or "all"; all when left out
 * @param [fields] Fields wanted, e.g. "companyId,companyEnglishName", or "all"; the most used when left out
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function companyFind(
  text: any,
  country: any,
  top: any,
  fields: any[][],
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "COMPANY.FIND", { text, country, top, fields, headers }, openFound);
}

/**
 * The company id of the one company that has a text as its whole name, ticker or registration number.
 * @customfunction COMPANY.ID
 * @param text A whole name in any writing, a ticker or a registration number, e.g. "株式会社髙島化学", "Komorebi Education Inc.", 4899
 * @param [country] A country's code such as "JPN", or "ALL"; the country of the settings when left out
 * @param invocation Streams the id
 * @streaming
 * @requiresStreamAddress
 */
export function companyId(text: any, country: any, invocation: CustomFunctions.StreamingInvocation<any[][]>): void {
  stream(session, invocation, "COMPANY.ID", { text, country }, openId);
}

/**
 * The companies that a list of names means, a row for each name: its company id and how sure it is. Typing errors count little.
 * @customfunction COMPANY.MATCH
 * @param names A column of names in any writing, e.g. A2:A500; a ticker, registration number or company id counts too
 * @param [country] A country's code such as "JPN", or "ALL"; the country of the settings when left out
 * @param [hints] What else the list knows, in as many rows: ticker, registration number, website, city or industry
 * @param [fields] Fields wanted, e.g. "companyId,state,closestName", or "all"; the most used when left out
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function companyMatch(
  names: any[][],
  country: any,
  hints: any[][],
  fields: any[][],
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "COMPANY.MATCH", { names, country, hints, fields, headers }, openMatches);
}

session.formulas.offer({ "COMPANY.FIND": companyFind, "COMPANY.ID": companyId, "COMPANY.MATCH": companyMatch });

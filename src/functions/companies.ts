import { session } from "../session/current";
import { lazily, opensListed, stream } from "./stream";

const load = () => import(/* webpackChunkName: "views" */ "./views/companies");
const openCompany = lazily(async () => opensListed("company", (await load()).openCompany));
const openCompanies = lazily(async () => (await load()).openCompanies);
const openOfficers = lazily(async () => opensListed("companies", (await load()).openOfficers));

/**
 * One field of a private company, or without a field a card of it; a column of companies and a row of fields spill the table.
 * @customfunction COMPANY
 * @param company A company's name, ticker, registration number or id, or a range of them, e.g. A2:A20; a number with leading zeros must be text
 * @param [field] A field such as "companyName", "registeredAddress.city" or "representatives", or a range; a card when left out
 * @param invocation Streams the value
 * @streaming
 * @requiresStreamAddress
 */
export function company(
  company: any[][],
  field: any[][],
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "COMPANY", { company, field }, openCompany);
}

/**
 * Private companies of a country, as a table that spills.
 * @customfunction COMPANIES
 * @param country A country's code such as "JPN", or "ALL"
 * @param [identifier] A registration number or other id to filter by, e.g. "1234567890123"
 * @param [top] Rows wanted, or "all"; all when left out
 * @param [fields] Fields wanted, e.g. "companyName,registeredAddress.city", or "all"; the most used when left out
 * @param [sort] A field to sort by, passed to the provider as written
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function companies(
  country: any,
  identifier: any,
  top: any,
  fields: any[][],
  sort: any,
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "COMPANIES", { country, identifier, top, fields, sort, headers }, openCompanies);
}

/**
 * The representatives of one company or several, a row for each; e-mail, phone and date of birth only where they are named.
 * @customfunction COMPANY.OFFICERS
 * @param companies Names, tickers, registration numbers or ids, as a range, e.g. A2:A20, or as text with commas
 * @param [fields] Fields wanted, e.g. "companyName,fullName,role", or "all"; these three when left out
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function companyOfficers(
  companies: any[][],
  fields: any[][],
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "COMPANY.OFFICERS", { companies, fields, headers }, openOfficers);
}

session.formulas.offer({ COMPANY: company, COMPANIES: companies, "COMPANY.OFFICERS": companyOfficers });

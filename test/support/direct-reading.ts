import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { ASSERTION_TYPE, GRANT_TYPE } from "../../src/contract/constants";
import type { CompanyFinancials, CompanyPage, TokenResponse } from "../../src/contract/types";

/** Reads a path below the base URL, with its query, as JSON. */
export type Read = <T>(path: string) => Promise<T>;

/** Reads the API behind a companion without the feed, as the source of a test's expectations. */
export async function createDirectReading(origin: string): Promise<Read> {
  const { baseUrl, tokenUrl, signed } = await readSigned(origin);
  const token = await exchange(tokenUrl, signed);
  return (path) => toJson(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
}

/** A token for the API behind a companion. */
export async function readToken(origin: string): Promise<string> {
  const { tokenUrl, signed } = await readSigned(origin);
  return exchange(tokenUrl, signed);
}

interface Signed {
  clientId: string;
  assertion: string;
}

async function readSigned(origin: string): Promise<{ baseUrl: string; tokenUrl: string; signed: Signed }> {
  const api = { [CLIENT_HEADER]: CLIENT_NAME };
  const { tokenUrl, baseUrl } = await toJson<{ tokenUrl: string; baseUrl: string }>(`${origin}/companion/config`, {
    headers: api,
  });
  const request = { method: "POST", headers: { ...api, "content-type": "application/json" }, body: "{}" };
  return { baseUrl, tokenUrl, signed: await toJson<Signed>(`${origin}/companion/assertion`, request) };
}

async function exchange(tokenUrl: string, signed: Signed): Promise<string> {
  const body = new URLSearchParams({
    grant_type: GRANT_TYPE,
    client_id: signed.clientId,
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: signed.assertion,
  });
  return (await toJson<TokenResponse>(tokenUrl, { method: "POST", body })).access_token;
}

async function toJson<T>(url: string, request?: RequestInit): Promise<T> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${request?.method ?? "GET"} ${url} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Reads a company's revenue that is the only one of its latest year, and the parameters of its formula. */
export async function readRevenue(origin: string): Promise<{ value: number; year: number; parameters: unknown[] }> {
  const read = await createDirectReading(origin);
  const { data } = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN");
  for (const { id } of data) {
    const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
    const [{ year, statements }] = years as [CompanyFinancials["years"][number]];
    const revenues = statements.flatMap(({ metrics }) => metrics).filter(({ name }) => name === "Revenue");
    const value = revenues[0]?.value;
    if (revenues.length === 1 && typeof value === "number")
      return { value, year, parameters: [[[id]], [[year]], [["Revenue"]], null, null] };
  }
  throw new Error("No company has just one revenue in its latest year.");
}

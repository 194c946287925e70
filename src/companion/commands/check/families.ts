import { Agent, request } from "undici";
import { FAMILIES, type Family, OPERATIONS } from "../../../contract/constants";
import { type Finding, fail, note, pass } from "./finding";

const TIMEOUT_MS = 20_000;
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;
/** Old enough to be complete whatever the provider's time zone is. */
const RANKED_DAYS_AGO = 7;
/** No company has it: a provider that lets the client read financials answers with none. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

const NEEDS: Readonly<Record<Family, { what: string; scope: string }>> = {
  companies: { what: "companies of Japan", scope: "the scope company:read and for the country" },
  financials: { what: "financials", scope: "the scope financials:read" },
  taxonomies: { what: "taxonomies", scope: "a scope such as taxonomy:*:read" },
  rankings: { what: "rankings", scope: "the scopes of rankings" },
};

/** What came of one read: data of the family, or the status and why it is none. */
interface Tried {
  family: Family;
  /** 0 when no answer came. */
  status: number;
  path: string;
  data?: unknown;
}

/**
 * Checks by one small read of each family what the client may read; of what comes nothing is shown.
 * @param token Access token, which is used for these reads alone.
 */
export async function checkFamilies(baseUrl: string, token: string, nowMs: number): Promise<Finding[]> {
  const dispatcher = new Agent({ maxResponseSize: LARGEST_ANSWER_BYTES });
  const load = (family: Family, path: string, body?: object): Promise<Tried> =>
    readOnce(baseUrl + path, { token, body, dispatcher }).then((tried) => ({ family, path, ...tried }));
  try {
    const companies = await load("companies", `${OPERATIONS.searchCompanies.path}?country=JPN&page=1&page_size=1`);
    const companyIds = [findId(companies.data) ?? NOBODY];
    const year = new Date(nowMs).getUTCFullYear() - 1;
    const tried = [
      companies,
      await load("financials", OPERATIONS.getFinancialsOfMany.path, { companyIds, year }),
      await load("taxonomies", OPERATIONS.getTaxonomyTree.path),
      await load("rankings", `${OPERATIONS.rankCompanies.path}?${toRange(nowMs)}&page=1&page_size=1`),
    ];
    return toFindings(tried);
  } finally {
    await dispatcher.destroy();
  }
}

function toRange(nowMs: number): string {
  const day = new Date(nowMs - RANKED_DAYS_AGO * DAY_MS).toISOString().slice(0, 10);
  return `start_datetime=${day}T00:00:00&end_datetime=${day}T23:59:59`;
}

function toFindings(tried: readonly Tried[]): Finding[] {
  const readable = tried.filter(({ data }) => data !== undefined).map(({ family }) => family);
  const refused = tried.filter(({ status }) => status === 401 || status === 403);
  if (refused.length === FAMILIES.length) {
    const sentence = "The client may read nothing: the provider gives it a token and refuses every family.";
    return [fail(`${sentence} Ask the provider for the scopes of your contract.`)];
  }
  const summary = readable.length === 0 ? [] : [pass(`The client may read ${toWords(readable)}.`)];
  return [...summary, ...tried.filter(({ data }) => data === undefined).map(toNote)];
}

function toNote({ family, status, path }: Tried): Finding {
  const { what, scope } = NEEDS[family];
  if (status === 401 || status === 403)
    return note(`The provider refuses ${what} (${status}). If formulas need them, ask it for ${scope}.`);
  const unknown = `Whether the client may read ${family} is not known: the provider`;
  if (status === 0) return note(`${unknown} did not answer. Try again later.`);
  if (status === 429 || status >= 500) return note(`${unknown} answered ${status}. Try again later.`);
  const without = status < 300 ? " without data" : "";
  return note(`${unknown} answered ${status}${without} at ${path.split("?", 1)[0]}. Check FEED_BASE_URL.`);
}

function toWords(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

interface Sending {
  token: string;
  /** Sent by POST; default none, and GET. */
  body?: object;
  dispatcher: Agent;
}

async function readOnce(url: string, { token, body, dispatcher }: Sending): Promise<Pick<Tried, "status" | "data">> {
  try {
    const answer = await request(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, accept: "application/json", "content-type": "application/json" },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      dispatcher,
    });
    const { statusCode: status } = answer;
    const text = await answer.body.text();
    return { status, data: status >= 200 && status < 300 ? readData(text) : undefined };
  } catch {
    return { status: 0 };
  }
}

/** What a family answers is a list, or an object with one. */
function readData(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (Array.isArray(value)) return value;
    const { data } = Object(value);
    return Array.isArray(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

const findId = (data: unknown): string | undefined => {
  const id: unknown = Array.isArray(data) ? Object(data[0]).id : undefined;
  return typeof id === "string" ? id : undefined;
};

import { type Dispatcher, request } from "undici";
import { FAMILIES, type Family, OPERATIONS } from "../../contract/constants";
import { isLoopback } from "../address";
import { type Signer, signAssertion } from "../assertion";
import { mayBeRefused, toClockSentence, toSpan } from "../clock";
import type { Configuration } from "../configuration";
import { type Exchange, exchangeAssertion } from "../exchange";
import { readKey, readTextValue } from "../installation/registry";
import { parseJson } from "../json";
import { toThumbprint } from "../key";
import { type Machine, runTool, toSystemName } from "../machine";
import { createConnections, describeProxy, EXAMPLE, type Network } from "../network";
import { isKeyRefusal } from "../provider";
import { type Finding, fail, note, pass } from "./results";

const TOKEN_PATH = OPERATIONS.createToken.path;

/** Checks at the provider that each key gets a token, that the clocks agree, and which families the client may read. */
export async function checkProvider(
  { client, baseUrl }: NonNullable<Configuration["provider"]>,
  network: Network,
  machine: Machine,
  nowMs: () => number,
): Promise<Finding[]> {
  const way = await checkWay(new URL(baseUrl), network, machine);
  const findings: Finding[] = way === undefined ? [] : [{ ...way, about: "network" }];
  const load: Load = async (signer, base) => {
    const tokenUrl = base + TOKEN_PATH;
    const signed = await signAssertion(client.clientId, signer, tokenUrl, nowMs()).catch(() => undefined);
    return signed && exchangeAssertion(tokenUrl, client.clientId, signed.assertion, { network, nowMs });
  };
  let token: string | undefined;
  for (const [index, signer] of client.signers.entries()) {
    const exchange = await load(signer, baseUrl);
    if (exchange === undefined) continue;
    if (exchange.ok) token ??= exchange.token;
    const clock = index === 0 ? [{ ...checkClock(exchange), about: "clock" }] : [];
    const rightUrl = index === 0 && !exchange.ok ? await findBaseUrl(load, signer, baseUrl) : undefined;
    if (rightUrl !== undefined) return [fail(toPathSentence(rightUrl)), ...clock];
    const finding = await toFinding(exchange, signer, baseUrl, index);
    // A wrong clock is the reason for the refusal, so it comes first.
    findings.push(...(clock[0]?.verdict === "FAIL" ? [...clock, finding] : [finding, ...clock]));
    if (!exchange.ok && exchange.status === 0) break;
  }
  if (token === undefined) return findings;
  const rights = await checkFamilies(baseUrl, token, network, nowMs());
  return [...findings, ...rights.map((finding) => ({ ...finding, about: "data rights" }))];
}

/** Exchanges once; undefined for a failing signer, which the check of keys reports. */
type Load = (signer: Signer, baseUrl: string) => Promise<Exchange | undefined>;

/** Finds the base URL that gives a token, by removing words from the end of its path. */
async function findBaseUrl(load: Load, signer: Signer, baseUrl: string): Promise<string | undefined> {
  const { origin, pathname } = new URL(baseUrl);
  const words = pathname.split("/").filter((word) => word !== "");
  for (let count = words.length - 1; count >= 0; count -= 1) {
    const shorter = [origin, ...words.slice(0, count)].join("/");
    const exchange = await load(signer, shorter);
    if (exchange?.ok) return shorter;
    if (exchange === undefined || exchange.status === 0) return undefined;
  }
  return undefined;
}

const toPathSentence = (rightUrl: string): string =>
  `FEED_BASE_URL has a path that does not belong there: the provider gives a token at ${rightUrl}${TOKEN_PATH}. Set FEED_BASE_URL to ${rightUrl}`;

async function toFinding(exchange: Exchange, signer: Signer, baseUrl: string, index: number): Promise<Finding> {
  const { keyId } = signer;
  if (exchange.ok)
    return pass(`The provider gives a token for key "${keyId}", of ${exchange.expiresInSeconds} seconds.`);
  const cure = index === 0 ? await toCure(exchange, signer, baseUrl) : CURE_OF_PREVIOUS;
  return fail(`Key "${keyId}": the provider ${exchange.reason}. ${cure}`);
}

const CURE_OF_PREVIOUS = "If it no longer knows that key, unset both FEED_PREVIOUS_ settings.";

async function toCure(
  { status, cure }: Extract<Exchange, { ok: false }>,
  { publicKey }: Signer,
  baseUrl: string,
): Promise<string> {
  if (cure !== undefined) return `${cure.charAt(0).toUpperCase()}${cure.slice(1)}.`;
  if (isKeyRefusal(status)) {
    const thumbprint = await toThumbprint(publicKey);
    const { pathname } = new URL(baseUrl);
    const url = pathname === "/" ? "" : `FEED_BASE_URL, whose path ${pathname} is rarely right, `;
    return `Check ${url}FEED_CLIENT_ID and FEED_KEY_ID, and that the provider has the public key of thumbprint ${thumbprint}.`;
  }
  if (status === 429 || status >= 500) return "Try again later.";
  const network = status === 0 ? ", the network, and what filters it" : "";
  return `Check FEED_BASE_URL${network}: the token endpoint is taken to be ${baseUrl}${TOKEN_PATH}.`;
}

function checkClock({ skewMs }: Exchange): Finding {
  if (skewMs === undefined) return note("The clock cannot be compared: no answer of the provider tells its time.");
  if (!mayBeRefused(skewMs)) return pass(`This computer's clock is the provider's (${toSpan(skewMs)} apart).`);
  return fail(`${toClockSentence(skewMs)} Set it by network time: assertions live for 60 s.`);
}

const TIMEOUT_MS = 20_000;
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;
/** Long enough ago to be complete in every time zone. */
const RANKED_DAYS_AGO = 7;
/** An id of no company: a provider that permits financials answers with none. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

const NEEDS: Readonly<Record<Family, { what: string; scope: string }>> = {
  companies: { what: "companies of Japan", scope: "the scope company:read and for the country" },
  financials: { what: "financials", scope: "the scope financials:read" },
  taxonomies: { what: "taxonomies", scope: "a scope such as taxonomy:*:read" },
  rankings: { what: "rankings", scope: "the scopes of rankings" },
};

/** The result of one read: data, or the status in its place. */
interface Tried {
  family: Family;
  /** 0 when no answer came. */
  status: number;
  path: string;
  data?: unknown;
}

/**
 * Checks by one small read of each family what the client may read; prints no data.
 * @param token Access token, which is used for these reads alone.
 */
async function checkFamilies(baseUrl: string, token: string, network: Network, nowMs: number): Promise<Finding[]> {
  const dispatcher = createConnections(network, { maxResponseSize: LARGEST_ANSWER_BYTES });
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
  const summary = readable.length === 0 ? [] : [pass(`The client may read ${WORDS.format(readable)}.`)];
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

/** As "one, another and a third". */
const WORDS = new Intl.ListFormat("en-GB");

interface Sending {
  token: string;
  /** Sent by POST; default none, and GET. */
  body?: object;
  dispatcher: Dispatcher;
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

/** Reads the list of an answer, which may stand in an object. */
function readData(text: string): unknown {
  const value = parseJson(text);
  if (Array.isArray(value)) return value;
  const { data } = Object(value);
  return Array.isArray(data) ? data : undefined;
}

const findId = (data: unknown): string | undefined => {
  const id: unknown = Array.isArray(data) ? Object(data[0]).id : undefined;
  return typeof id === "string" ? id : undefined;
};

const INTERNET_SETTINGS = "HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings";

/** Tells by which way the provider is reached, or names a proxy of this system that no setting names. */
async function checkWay(url: URL, network: Network, machine: Machine): Promise<Finding | undefined> {
  const proxy = network.pickProxy(url);
  if (proxy !== undefined) return pass(`The provider is reached by ${describeProxy(proxy)}.`);
  if (isLoopback(url.hostname)) return undefined;
  const { environment, platform } = machine;
  const system = toSystemName(platform);
  const { pac, place } = await findSystemProxy(machine);
  if (pac) {
    const what = `The proxy of ${system} comes from a PAC file (${pac.replace(/\/\/[^/]*@/, "//")}), which is not read here.`;
    return note(`${what} ${toProxyCure(`the proxy that it names, such as ${EXAMPLE}`)}`);
  }
  if (place) return note(`The proxy of ${system} is not used by itself. ${toProxyCure(`http://${place}`)}`);
  const isAll = Boolean(environment.ALL_PROXY || environment.all_proxy);
  return isAll ? note(`ALL_PROXY is not read. ${toProxyCure(`a proxy such as ${EXAMPLE}`)}`) : undefined;
}

const toProxyCure = (what: string): string => `If the provider is reached only by a proxy, set HTTPS_PROXY to ${what}.`;

/** Finds the PAC file or the proxy, a name and port, that Windows or macOS has for its own programs. */
async function findSystemProxy(machine: Machine): Promise<{ pac?: string | undefined; place?: string | undefined }> {
  if (machine.platform === "win32") {
    const values = (await readKey(INTERNET_SETTINGS, machine))?.values;
    const servers = values?.get("ProxyEnable") === "dword:00000001" ? readTextValue(values.get("ProxyServer")) : "";
    // One for all, or a list such as "http=one:80;https=other:80".
    const [, place] = /^(?:.*https=)?([^;=]+)(?:;.*)?$/.exec(servers ?? "") ?? [];
    return { pac: readTextValue(values?.get("AutoConfigURL")), place };
  }
  if (machine.platform !== "darwin") return {};
  const output = (await runTool("scutil", ["--proxy"], machine))?.output ?? "";
  const read = (name: string) => new RegExp(`\\b${name} : (\\S+)`).exec(output)?.[1];
  if (read("ProxyAutoConfigEnable") === "1") return { pac: read("ProxyAutoConfigURLString") };
  return read("HTTPSEnable") === "1" ? { place: `${read("HTTPSProxy")}:${read("HTTPSPort")}` } : {};
}

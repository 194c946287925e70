import { type IncomingHttpHeaders, request as requestPlain } from "node:http";
import { Agent as HttpsAgent, request as requestSecure } from "node:https";
import { BlockList, isIP, type Socket } from "node:net";
import type { ConnectionOptions, PeerCertificate } from "node:tls";
import tls, { type TLSSocket } from "node:tls";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { isLoopback } from "./address";

/** How other servers are reached. */
export interface Network {
  /** Picks the web proxy for an address; undefined for none, as for this machine always. */
  pickProxy(url: URL): WebProxy | undefined;
  /** Certificate authorities (PEM) that are trusted beside the public ones, as NODE_EXTRA_CA_CERTS names them. */
  extra?: string;
  /** Whether Node trusts those already, by its own environment. */
  isExtraKnown?: boolean;
  /** The companion's own server, whose authority (PEM) is trusted in place of the public ones. */
  own?: { origin: () => string; pem: string };
}

/** The network without any setting. */
export const DIRECT: Network = { pickProxy: () => undefined };

/** Makes connections to other servers, with undici's limits and timeouts. */
export function createConnections(network: Network, limits: Omit<Agent.Options, "connect"> = {}): Dispatcher {
  return new Agent({ ...limits, connect: createConnector(network) }).compose(readEndsAtOnce);
}

/**
 * Takes an answer in at once where its end may be the end of its connection, however slowly it is read on: undici 7 ends
 * the process when that end comes while its reader waits (nodejs/undici issue 5360).
 */
export const readEndsAtOnce: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let mayWait = true;
  return dispatch(options, {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart(controller, status, headers, text) {
      mayWait = staysOpen(headers);
      handler.onResponseStart?.(controller, status, headers, text);
    },
    onResponseData(controller, part) {
      handler.onResponseData?.(controller, part);
      if (!mayWait) controller.resume();
    },
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  });
};

/** Whether a connection surely outlives its answer; servers of HTTP/1.0 say so, or close it. */
function staysOpen({ connection, ...headers }: IncomingHttpHeaders): boolean {
  const hasEnd = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return hasEnd && /keep-alive/i.test(String(connection));
}

/** Makes an agent of node:https, for a library that takes no other. */
export function createHttpsAgent(network: Network): HttpsAgent {
  const connect = createConnector(network);
  const agent = new HttpsAgent({ keepAlive: true });
  agent.createConnection = ({ host, port }, done) => {
    const place = { protocol: "https:", hostname: host ?? "", host: `${host}:${port}`, port: String(port) };
    connect(place, (error, socket) => done?.(error, socket as Socket));
    return undefined;
  };
  return agent;
}

/**
 * Creates what opens each connection. Certificates are checked whatever the environment says, at a proxy too. Undici's
 * own agent of proxies reports a refusal as if the caller had left.
 */
function createConnector({ pickProxy, extra, isExtraKnown, own }: Network): buildConnector.connector {
  const isNews = extra !== undefined && !isExtraKnown;
  const trust = { rejectUnauthorized: true, ...(isNews && { secureContext: toContext(extra) }) };
  const toAny = buildConnector(trust);
  const toOwn = own && buildConnector({ rejectUnauthorized: true, ca: [own.pem, extra ?? ""].join("\n") });
  return async (target, done) => {
    const url = new URL(`${target.protocol}//${target.host}`);
    // Chosen for each connection: the pane may replace the sandbox by a provider.
    const open = toOwn && own?.origin() === url.origin ? toOwn : toAny;
    const proxy = pickProxy(url);
    try {
      const httpSocket = proxy && (await openTunnel(proxy, url, trust));
      let issuer = "";
      const socket = open({ ...target, httpSocket }, (error, connected) => {
        if (error === null) done(null, connected);
        else done(toCertificateFailure(error, issuer), null);
      }) as unknown as TLSSocket;
      // Only the handshake knows who issued a certificate that is not trusted.
      socket.prependOnceListener("secure", () => {
        issuer = toIssuerName(socket.getPeerCertificate());
      });
    } catch (error) {
      done(error as Error, null);
    }
  };
}

function toContext(extra: string): tls.SecureContext {
  const { getCACertificates } = tls as { getCACertificates?: (kind: "default") => string[] }; // newer than Node 20
  return tls.createSecureContext({ ca: [...(getCACertificates?.("default") ?? tls.rootCertificates), extra] });
}

const LONGEST_NAME = 80;
/** Node's codes for a certificate whose authority it does not know. */
const UNKNOWN_AUTHORITY = /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/;
const TRUST_CURE =
  "if a proxy or a guard of this computer inspects https, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority (PEM)";

/** A connection that failed on its way, by a proxy or by who has signed a certificate. */
class NetworkFailure extends Error {
  /**
   * @param message Words that follow "could not be reached: ", without any password.
   * @param cure Words that say what to do, without a full stop.
   */
  constructor(
    message: string,
    readonly cure: string,
  ) {
    super(message);
  }
}

/** Finds the failure of the way in an error, or in what caused it. */
export function findNetworkFailure(error: unknown): NetworkFailure | undefined {
  return [error, Object(error).cause].find((each) => each instanceof NetworkFailure);
}

/**
 * Describes a certificate that is not trusted; gives any other error as it is.
 * @param issuer The name of its issuer, where it is known.
 * @param whose Whose certificate it is.
 */
function toCertificateFailure(error: Error & { code?: string }, issuer: string, whose = "its"): Error {
  if (!UNKNOWN_AUTHORITY.test(error.code ?? "")) return error;
  const by = issuer && ` of "${issuer}"`;
  return new NetworkFailure(`${whose} certificate${by} is not trusted here (${error.code})`, TRUST_CURE);
}

/** Gives the name of a certificate's issuer, which anybody can choose, for a sentence. */
export function toIssuerName({ issuer }: Partial<PeerCertificate>): string {
  const name = String(issuer?.CN ?? issuer?.O ?? "");
  return name.replaceAll(/[\p{C}"]+/gu, " ").slice(0, LONGEST_NAME);
}

export const EXAMPLE = "http://proxy.example.com:8080";
const MALFORMED = `It is no address such as ${EXAMPLE}. Special characters of a name or password are percent-encoded (%40 for @), and an IPv6 address stands in brackets.`;

/** A web proxy, as a variable names it. */
interface WebProxy {
  /** The variable's name, for sentences. */
  name: string;
  /** The address without name and password. */
  url: URL;
  /** The header that signs in at the proxy, a secret; absent without a name or password. */
  authorization?: string;
}

/** Names a proxy in a sentence, without its password. */
export const describeProxy = ({ name, url }: WebProxy): string => `the proxy of ${name} (${url.host})`;

/**
 * Reads a proxy's address; one without a scheme is http, as with curl.
 * @throws Error with a sentence that repeats nothing of it, since it may hold a password.
 */
export function readProxy(name: string, text: string): WebProxy {
  const bare = text.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (/\.(pac|dat)([?#].*)?$/i.test(bare)) {
    throw new Error(`A PAC file is not read. Set the proxy that the file names for the provider, such as ${EXAMPLE}.`);
  }
  const [, scheme = "http"] = /^([a-z][\w+.-]*):\/\//i.exec(bare) ?? [];
  if (!/^https?$/i.test(scheme)) throw new Error(`Only a proxy of http is used, and not of ${scheme}.`);
  const address = bare.includes("://") ? bare : `http://${bare}`;
  if (/[\s\\]/.test(bare) || !URL.canParse(address)) throw new Error(MALFORMED);
  const { protocol, host, hostname, username, password, pathname, search, hash } = new URL(address);
  if (pathname + search + hash !== "/" || !/^(\[.*\]|[\w.-]+)$/.test(hostname)) throw new Error(MALFORMED);
  const secret = `${decode(username)}:${decode(password)}`;
  const authorization = secret === ":" ? undefined : `Basic ${Buffer.from(secret).toString("base64")}`;
  return { name, url: new URL(`${protocol}//${host}`), authorization };
}

/** A percent sign of a password may stand for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Reads a list of what is reached without the proxy: names with their subdomains, addresses, networks; * stands for any text.
 * This machine always is, and plain http, which leaves no firm.
 * @throws Error for a network that is none
 */
export function readBypass(text: string): (url: URL) => boolean {
  const networks = new BlockList();
  const entries = text.toLowerCase().split(/[\s,;"']+/);
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    if (isIP(address) > 0 && bits !== undefined) networks.addSubnet(address, Number(bits), toFamily(address));
  }
  return ({ protocol, hostname, port }) => {
    if (protocol !== "https:" || isLoopback(hostname)) return true;
    const host = hostname.replace(/^\[|\]$|\.$/g, "");
    return (isIP(host) > 0 && networks.check(host, toFamily(host))) || entries.some((each) => names(each, host, port));
  };
}

const toFamily = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

function names(entry: string, host: string, port: string): boolean {
  const [, name = entry, only] = isIP(entry) > 0 ? [] : (/^(?:\w+:\/\/)?(.*?)(?::(\d+))?(?:\/.*)?$/.exec(entry) ?? []);
  const bare = name.replace(/^\[|\]$|^\*?\.|\.$/g, "");
  if (bare === "" || (only !== undefined && only !== (port || "443"))) return false;
  const pattern = bare.replace(/[^\w*-]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`${bare.includes("*") ? "^" : "(?:^|\\.)"}${pattern}$`).test(host);
}

/** As long as a connection without a proxy may take. */
const TIMEOUT_MS = 10_000;
/** Answers of servers that are no proxy. */
const NO_PROXY_STATUSES = [400, 404, 405, 501];
const SCHEMES = /\b(Negotiate|NTLM|Kerberos|Digest|Bearer)\b/gi;

/**
 * Opens a connection through a proxy (RFC 9110, CONNECT), over which TLS then goes to the server itself.
 * @param trust What makes a proxy's certificate trusted.
 * @throws NetworkFailure where the proxy does not answer, or refuses
 */
function openTunnel(proxy: WebProxy, target: URL, trust: ConnectionOptions): Promise<Socket> {
  const { url, authorization } = proxy;
  const place = `${target.hostname}:${target.port || 443}`;
  const headers = { host: place, ...(authorization && { "proxy-authorization": authorization }) };
  // Otherwise the proxy's certificate would be checked against the header's name.
  const servername = isIP(url.hostname.replace(/^\[|\]$/g, "")) > 0 ? "" : url.hostname;
  const options = { method: "CONNECT", path: place, headers, agent: false, servername, ...trust } as const;
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestSecure(url, options) : requestPlain(url, options);
    const timer = setTimeout(() => request.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })), TIMEOUT_MS);
    request.once("close", () => clearTimeout(timer));
    request.once("connect", ({ statusCode: status = 0, headers: said }, socket: Socket, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      if (status >= 200 && status < 300) return resolve(socket);
      socket.on("error", () => {}).destroy();
      reject(new NetworkFailure(...explainRefusal(proxy, place, status, said)));
    });
    request.once("error", (error) => reject(explainSilence(proxy, error)));
    request.end();
  });
}

/** Gives what a status of the proxy means, and what to do; only a name with a password can be given to it. */
function explainRefusal(
  proxy: WebProxy,
  place: string,
  status: number,
  headers: IncomingHttpHeaders,
): [string, string] {
  const { name, url, authorization } = proxy;
  const who = describeProxy(proxy);
  const wanted = String(headers["proxy-authenticate"] ?? "");
  const schemes = [...new Set(wanted.match(SCHEMES))].join(" or ");
  if (status === 407 && schemes !== "" && !/\bBasic\b/i.test(wanted)) {
    const cure = `have this computer allowed without, or set ${name} to a helper here that signs in, such as Px`;
    return [`${who} wants a sign-in by ${schemes} (407), which this program has not`, cure];
  }
  if (status === 407 && authorization !== undefined)
    return [`${who} does not take the name and password (407)`, `check both, percent-encoded, in ${name}`];
  if (status === 407)
    return [`${who} wants a name and a password (407)`, `set ${name} to ${url.protocol}//NAME:PASSWORD@${url.host}`];
  if (NO_PROXY_STATUSES.includes(status))
    return [`${who} answers as no proxy does (${status})`, `check the name and port in ${name}`];
  if (status >= 500)
    return [`${who} does not get to ${place} (${status})`, "check that address, and ask who runs the proxy"];
  const cure = "have who runs the proxy allow it, or name it in NO_PROXY if it is reached without the proxy";
  return [`${who} refuses ${place} (${status})`, cure];
}

function explainSilence(proxy: WebProxy, error: Error & { code?: string }): Error {
  const { name, url } = proxy;
  const who = describeProxy(proxy);
  const { code = "" } = error;
  if (code === "EPROTO" || code.startsWith("ERR_SSL"))
    return new NetworkFailure(`${who} speaks no https itself (${code})`, `write http:// before ${url.host} in ${name}`);
  if (code.startsWith("HPE_") || code === "ECONNRESET") {
    const cure = `check the name, the port, and http or https in ${name}`;
    return new NetworkFailure(`${who} answers as no proxy does (${code})`, cure);
  }
  const failure = toCertificateFailure(error, "", `${who}: its`);
  if (failure !== error) return failure;
  return new NetworkFailure(`${who} does not answer (${code})`, `check the name and port in ${name}, and the network`);
}

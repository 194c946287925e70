import { type IncomingHttpHeaders, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { NetworkFailure, toCertificateFailure } from "./failure";
import { describeProxy, type WebProxy } from "./proxy";

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
export function openTunnel(proxy: WebProxy, target: URL, trust: ConnectionOptions): Promise<Socket> {
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

import type { X509Certificate } from "node:crypto";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { TLSSocket } from "node:tls";
import { CLIENT_HEADER, CLIENT_NAME, REFUSAL_HEADER } from "../contract/companion-api";
import { parseJson } from "./json";

const TIMEOUT_MS = 3_000;
const LARGEST_ANSWER = 64 * 1024;
/** Hosts that are every address of this computer. */
const ALL_ADDRESSES = ["0.0.0.0", "::"];
/** The port is free, or the address is of no computer in reach. */
const NOBODY = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EHOSTUNREACH", "ENETUNREACH"];

/** The companion runs already at the port. */
export class RunsAlready extends Error {
  override readonly name = "RunsAlready";
}

/** The companion at a port. */
interface Presence {
  /** Where it answers, such as "https://localhost:3000". */
  origin: string;
  /** Absent where the companion tells it to paired pages alone. */
  version: string | undefined;
  /** Its certificate; absent without https. */
  certificate: X509Certificate | undefined;
}

/**
 * Looks who has a port of this computer.
 * @param host As it is listened on.
 * @returns The companion; "another" program, which may answer nothing; or "nobody".
 */
export async function findCompanion(host: string, port: number): Promise<Presence | "another" | "nobody"> {
  const name = ALL_ADDRESSES.includes(host) ? "localhost" : host;
  const found = await Promise.all([probe("https", name, port), probe("http", name, port)]);
  if (found.includes("nobody")) return "nobody";
  return found.find((each) => typeof each === "object") ?? "another";
}

function probe(scheme: "http" | "https", host: string, port: number): Promise<Presence | "another" | "nobody"> {
  return new Promise((resolve) => {
    const origin = `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
    const request = scheme === "https" ? requestSecure : requestPlain;
    // Nothing secret is sent, and an untrusted certificate is what is looked for.
    const trust = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const options = { host, port, path: "/companion/config", headers: { [CLIENT_HEADER]: CLIENT_NAME }, ...trust };
    const sent = request(options, (response) => {
      readAnswer(response, origin).then(resolve, () => resolve("another"));
    });
    sent.on("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(NOBODY.includes(code) ? "nobody" : "another"));
    sent.end();
  });
}

async function readAnswer(response: IncomingMessage, origin: string): Promise<Presence | "another"> {
  // Without https its socket has no certificate.
  const certificate = (response.socket as Partial<TLSSocket>).getPeerX509Certificate?.();
  let text = "";
  for await (const part of response) {
    text += part;
    if (text.length > LARGEST_ANSWER) break;
  }
  if (response.headers[REFUSAL_HEADER] !== undefined) return { origin, version: undefined, certificate };
  const { version, mode }: { version?: unknown; mode?: unknown } = Object(parseJson(text));
  return typeof version === "string" && mode !== undefined ? { origin, version, certificate } : "another";
}

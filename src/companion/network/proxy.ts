import { BlockList, isIP } from "node:net";
import { isLoopback } from "../address";

export const EXAMPLE = "http://proxy.example.com:8080";
const MALFORMED = `It is no address such as ${EXAMPLE}. Special characters of a name or password are percent-encoded (%40 for @), and an IPv6 address stands in brackets.`;

/** A web proxy, as a variable names it. */
export interface WebProxy {
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

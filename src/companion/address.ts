import type { AddressInfo, Server } from "node:net";

const DEFAULT_PORTS = { http: 80, https: 443 };
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** The companion's address: the only names under which its API answers. */
export interface Address {
  scheme: "http" | "https";
  /** The name in the companion's own URLs, as a URL writes it. */
  hostname: string;
  /** Known only once the companion listens, where any free port was requested. */
  port: () => number;
  /** The origin of its pages under each Host header that names the companion; compared with each request. */
  originsByHost: () => ReadonlyMap<string, string>;
}

/**
 * Creates the address of a server that listens now or later.
 * @param configured Its `origins` are further ones of its pages, each with its own scheme, since a proxy may end TLS.
 */
export function createAddress(
  server: Server,
  configured: { host: string; port: number; origins: readonly string[] },
  scheme: Address["scheme"],
): Address {
  const given = configured.host.includes(":") ? `[${configured.host}]` : configured.host;
  const hostname = isLoopback(given) ? given : "localhost";
  let boundPort: number | undefined;
  let hosts: { port: number; origins: ReadonlyMap<string, string> } | undefined;
  const port = () => {
    // Asked of the system once: a server keeps its port.
    boundPort ??= (server.address() as AddressInfo | null)?.port;
    return boundPort ?? configured.port;
  };
  return {
    scheme,
    hostname,
    port,
    originsByHost: () => {
      if (hosts?.port !== port()) {
        hosts = { port: port(), origins: listOrigins(scheme, [hostname, ...LOOPBACK], port(), configured.origins) };
      }
      return hosts.origins;
    },
  };
}

function listOrigins(
  scheme: Address["scheme"],
  names: readonly string[],
  port: number,
  further: readonly string[],
): ReadonlyMap<string, string> {
  const isDefault = DEFAULT_PORTS[scheme] === port;
  const hosts = names.flatMap((name) => (isDefault ? [name, `${name}:${port}`] : [`${name}:${port}`]));
  const origins = new Map(hosts.map((host) => [host, new URL(`${scheme}://${host}`).origin]));
  for (const origin of further) {
    const { host } = new URL(origin);
    if (!origins.has(host)) origins.set(host, origin);
  }
  return origins;
}

/** Gives the origin of the companion's pages on this machine. */
export function toOrigin({ scheme, hostname, port }: Address): string {
  return new URL(`${scheme}://${hostname}:${port()}`).origin;
}

/**
 * Gives the origin of the companion's pages for a Host header; absent for another host, which only a rebound DNS name
 * sends.
 */
export function toOwnOrigin(host: string | undefined, { originsByHost }: Address): string | undefined {
  return host === undefined ? undefined : originsByHost().get(host);
}

/** Gives the address of the sign-in page, under the origin of a Host header. */
export function toSignInPage(host: string | undefined, address: Address): string {
  return `${toOwnOrigin(host, address) ?? toOrigin(address)}/sign-in`;
}

/** Whether a URL's host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.includes(hostname) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

import type { Server } from "node:net";

const DEFAULT_PORTS = { http: 80, https: 443 };
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** The companion's address: the only names under which its API answers. */
export interface Address {
  scheme: "http" | "https";
  /** The name in the companion's own URLs, as a URL writes it. */
  hostname: string;
  /** Known only once the companion listens, where any free port was requested. */
  port: () => number;
  /** Further origins of its pages, each with its own scheme, since a proxy may end TLS. */
  origins: readonly string[];
}

/** Creates the address of a server that listens now or later. */
export function createAddress(
  server: Server,
  configured: { host: string; port: number; origins: readonly string[] },
  scheme: Address["scheme"],
): Address {
  const hostname = configured.host.includes(":") ? `[${configured.host}]` : configured.host;
  return {
    scheme,
    hostname: isLoopback(hostname) ? hostname : "localhost",
    port: () => {
      const bound = server.address();
      return bound !== null && typeof bound === "object" ? bound.port : configured.port;
    },
    origins: configured.origins,
  };
}

/** Gives the origin of the companion's pages on this machine. */
export function toOrigin({ scheme, hostname, port }: Address): string {
  return new URL(`${scheme}://${hostname}:${port()}`).origin;
}

/**
 * Gives the origin of the companion's pages for a Host header; absent for another host, which only a rebound DNS name
 * sends.
 */
export function toOwnOrigin(host: string | undefined, address: Address): string | undefined {
  const { scheme, hostname, port, origins } = address;
  if (host === undefined) return undefined;
  const isDefault = DEFAULT_PORTS[scheme] === port();
  const isHere = [hostname, ...LOOPBACK].some((name) => host === `${name}:${port()}` || (isDefault && host === name));
  if (isHere) return new URL(`${scheme}://${host}`).origin;
  return origins.find((origin) => new URL(origin).host === host);
}

/** Gives the address of the sign-in page, under the origin of a Host header. */
export function toSignInPage(host: string | undefined, address: Address): string {
  return `${toOwnOrigin(host, address) ?? toOrigin(address)}/sign-in`;
}

/** Whether a URL's host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.includes(hostname) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

import type { Server } from "node:net";

const DEFAULT_PORTS = { http: 80, https: 443 };
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Where the companion is reached: the only names under which its door answers. */
export interface Address {
  scheme: "http" | "https";
  /** The name in the companion's own URLs, as a URL writes it. */
  hostname: string;
  /** Known only once the companion listens, when it was asked for any free port. */
  port: () => number;
  /** Further origins of its pages, each with a scheme of its own, since a proxy ahead may end TLS. */
  origins: readonly string[];
}

/** Creates the address of a server that listens, now or later, as it is configured. */
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

/** Converts an address to the origin that pages of the companion have on this machine. */
export function toOrigin({ scheme, hostname, port }: Address): string {
  return new URL(`${scheme}://${hostname}:${port()}`).origin;
}

/**
 * Converts a Host header to the origin that the companion's pages have under it; absent when it names another host,
 * which can only come from a rebound DNS entry.
 */
export function toOwnOrigin(host: string | undefined, address: Address): string | undefined {
  const { scheme, hostname, port, origins } = address;
  if (host === undefined) return undefined;
  const isDefault = DEFAULT_PORTS[scheme] === port();
  const isHere = [hostname, ...LOOPBACK].some((name) => host === `${name}:${port()}` || (isDefault && host === name));
  if (isHere) return new URL(`${scheme}://${host}`).origin;
  return origins.find((origin) => new URL(origin).host === host);
}

/** Gives where people sign in, under the origin that a Host header means. */
export function toSignInPage(host: string | undefined, address: Address): string {
  return `${toOwnOrigin(host, address) ?? toOrigin(address)}/sign-in`;
}

/** Tells whether a host name of a URL means this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.includes(hostname) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

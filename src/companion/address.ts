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
}

/** Creates the address of a server that listens, now or later, as it is configured. */
export function createAddress(
  server: Server,
  configured: { host: string; port: number },
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
  };
}

/** Converts an address to the origin that pages of the companion have. */
export function toOrigin({ scheme, hostname, port }: Address): string {
  return new URL(`${scheme}://${hostname}:${port()}`).origin;
}

/** Tells whether a Host header names the companion itself; another name can only come from a rebound DNS entry. */
export function isOwnHost(host: string | undefined, { scheme, port }: Address): boolean {
  if (host === undefined) return false;
  const isDefault = DEFAULT_PORTS[scheme] === port();
  return LOOPBACK.some((name) => host === `${name}:${port()}` || (isDefault && host === name));
}

/** Tells whether a host name of a URL means this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.includes(hostname) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

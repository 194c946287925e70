import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Address, isOwnHost, toOrigin } from "../address";
import { Refusal } from "../refusal";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The only media type that the route reads. */
    contentType?: string;
  }
}

type Guard = (request: FastifyRequest, address: Address) => Refusal | undefined;

/**
 * Asked in this order before a body is read; the first refusal is the answer. Together they keep out pages of other
 * sites, which a browser lets send simple requests here, and names that were rebound to this machine.
 */
const GUARDS: readonly Guard[] = [refuseHost, refuseOrigin, refuseFetchSite, refuseContentType];

/** Lets a scope answer the companion's own pages and programs on this machine only. */
export function guardScope(scope: FastifyInstance, address: Address): void {
  scope.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    for (const refuse of GUARDS) {
      const refusal = refuse(request, address);
      if (refusal !== undefined) throw refusal;
    }
  });
}

function refuseHost(request: FastifyRequest, address: Address): Refusal | undefined {
  // A request line that holds a whole address asks for a forward proxy, which this is not.
  if (isOwnHost(request.headers.host, address) && request.url.startsWith("/")) return undefined;
  return new Refusal(403, `The companion answers to its own address only: ${toOrigin(address)}.`);
}

function refuseOrigin(request: FastifyRequest, { scheme }: Address): Refusal | undefined {
  const { origin, host } = request.headers;
  if (origin === undefined || origin === `${scheme}://${host}`) return undefined;
  return new Refusal(403, "Only the companion's own pages may use its door, and this request comes from another one.");
}

/** Navigations and form posts carry no usable Origin everywhere; browsers say here where they come from. */
function refuseFetchSite(request: FastifyRequest): Refusal | undefined {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return undefined;
  return new Refusal(403, "Only the companion's own pages may use its door, and this request comes from another site.");
}

/** The three types a page may send without a preflight are refused by naming the one that is read. */
function refuseContentType(request: FastifyRequest): Refusal | undefined {
  const { contentType } = request.routeOptions.config;
  if (contentType === undefined) return undefined;
  const sent = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (sent === contentType) return undefined;
  return new Refusal(415, `Send the header Content-Type: ${contentType}.`);
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER, REQUEST_HEADER } from "../../contract/companion-api";
import { type Address, toOrigin, toOwnOrigin, toSignInPage } from "../address";
import { toCommand } from "../program";
import type { Provider } from "../provider";
import { Refusal, throwRefusal } from "../refusal";
import type { Limit, RefuseExcess } from "./limits";
import { explainStore, type Pairing, type ProviderPairings } from "./pairing";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The only media type that the route reads. */
    contentType?: string;
    /** Whether only paired callers are answered; default where a provider is configured. */
    pairing?: "always" | "never";
    /** The route's rate limit; default "other". */
    limit?: Limit;
  }
  interface FastifyRequest {
    /** The caller's pairing; null where there is none, which sample data allows. */
    pairing: Pairing | null;
  }
}

/** The parts that the guards compare a request with. */
interface Guarded {
  address: Address;
  provider: () => Provider;
  pairings: ProviderPairings;
  refuseExcess: RefuseExcess;
  /** Whether people sign in, on a page of their own. */
  hasSignIn: boolean;
}

/** Headers that stop browsers from showing an answer as a page: a provider's words come from the companion's origin. */
export const ANSWER_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

type Guard = (request: FastifyRequest, address: Address) => Refusal | undefined;

/**
 * Guards in order, run before a body is read; the first refusal is the answer. They keep out other sites' pages, which
 * may send simple requests, and rebound DNS names.
 */
const GUARDS: readonly Guard[] = [refuseForeign, refuseStranger, refuseContentType];

/** Guards a scope, unknown paths included: only the companion's own pages and paired programs are answered. */
export async function guardScope(scope: FastifyInstance, guarded: Guarded): Promise<void> {
  const { address, pairings, refuseExcess } = guarded;
  scope.decorateRequest("pairing", null);
  scope.addHook("onRequest", async (request, reply) => {
    reply.headers(ANSWER_HEADERS).header(REQUEST_HEADER, request.id);
    for (const refuse of GUARDS) throwRefusal(refuse(request, address));
    request.pairing = await findPairing(request, pairings, address);
    // Counted only now, so that other sites' pages cannot use up a person's limit.
    throwRefusal(await refuseExcess(request));
    throwRefusal(refuseUnpaired(request, guarded));
  });
  // Repeated after the body, which a caller may hold back until a provider is set up or its pairing has ended, and after
  // any other wait.
  scope.addHook("preHandler", async (request) => {
    request.pairing = await findPairing(request, pairings, address);
    throwRefusal(refuseUnpaired(request, guarded));
  });
  // Otherwise unknown API paths would fall through to the unguarded static files.
  for (const url of ["/", "/*"]) scope.all(url, async (_request, reply) => reply.callNotFound());
}

/** Refuses rebound DNS names, and pages of other sites. */
export function refuseForeign(request: FastifyRequest, address: Address): Refusal | undefined {
  return refuseHost(request, address) ?? refuseOrigin(request, address) ?? refuseFetchSite(request);
}

function refuseHost({ headers, url, raw }: FastifyRequest, address: Address): Refusal | undefined {
  // Node takes the first of two, and a proxy before it may have taken the other.
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) return new Refusal(400, "The request has more than one Host header.");
  // A request line with a whole URL is for a forward proxy.
  if (toOwnOrigin(headers.host, address) !== undefined && url.startsWith("/")) return undefined;
  return new Refusal(421, `The companion answers to its own address only: ${toOrigin(address)}.`);
}

function refuseOrigin({ headers }: FastifyRequest, address: Address): Refusal | undefined {
  if (headers.origin === undefined || headers.origin === toOwnOrigin(headers.host, address)) return undefined;
  return new Refusal(403, "Only the companion's own pages may call its API, and this request comes from another one.");
}

/** Browsers name the requesting site here, also where they send no usable Origin, as on navigations. */
function refuseFetchSite({ headers }: FastifyRequest): Refusal | undefined {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return undefined;
  return new Refusal(403, "Only the companion's own pages may call its API, and this request comes from another site.");
}

/** No link, form or image can send an own header, and another site's script needs a preflight. */
function refuseStranger({ headers }: FastifyRequest): Refusal | undefined {
  if (headers[CLIENT_HEADER] === CLIENT_NAME) return undefined;
  return new Refusal(403, `Only FEED for Excel may call this API: send the header ${CLIENT_HEADER}: ${CLIENT_NAME}.`);
}

/** Refuses the types that a page may send without a preflight. */
function refuseContentType({ headers, routeOptions }: FastifyRequest): Refusal | undefined {
  const { contentType } = routeOptions.config;
  if (contentType === undefined) return undefined;
  const sent = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (sent === contentType) return undefined;
  return new Refusal(415, `Send the header Content-Type: ${contentType}.`);
}

async function findPairing(
  { headers, log }: FastifyRequest,
  pairings: ProviderPairings,
  address: Address,
): Promise<Pairing | null> {
  const bearer = headers[PAIRING_HEADER];
  const origin = toOwnOrigin(headers.host, address);
  if (typeof bearer !== "string" || origin === undefined) return null;
  return (await explainStore(log, () => pairings.find(bearer, origin))) ?? null;
}

function refuseUnpaired(
  { pairing, routeOptions, headers }: FastifyRequest,
  { provider, hasSignIn, address }: Guarded,
): Refusal | undefined {
  const when = routeOptions.config.pairing ?? (provider().sample ? "never" : "always");
  if (pairing !== null || when === "never") return undefined;
  const sentence = hasSignIn
    ? `You are not signed in to the companion, or that has ended. Sign in from the FEED pane, which leads to ${toSignInPage(headers.host, address)}`
    : `This page is not paired with the companion. For a code, run: ${toCommand("pair")}`;
  return new Refusal(401, sentence);
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import { WRONG_CODE } from "../../contract/companion-api";
import { type Address, toOwnOrigin } from "../address";
import type { SignInRoutes } from "../feature";
import { toCommand } from "../program";
import { Refusal, throwRefusal } from "../refusal";
import type { RefuseExcess } from "./limits";
import {
  explainStore,
  type OwnRequest,
  type Paired,
  type Pairings,
  type ProviderPairings,
  toSentPage,
} from "./pairing";

const BODY_LIMIT_BYTES = 1024;

/** The parts that the pairing routes use. */
export interface PairingRoutes {
  pairings: Pick<Pairings, "endOwn" | "createRequest"> & ProviderPairings;
  address: Address;
  refuseExcess: RefuseExcess;
  /** Called for each page that requests a code; default none. */
  invite?: ((request: OwnRequest) => Promise<void>) | undefined;
  /** Absent where only terminal codes pair. */
  signIn?: Pick<SignInRoutes, "take"> | undefined;
}

/** Adds the routes by which a page requests a code, exchanges it for a bearer, and ends its own pairing. */
export function addPairing(scope: FastifyInstance, routes: PairingRoutes): void {
  const { pairings, address, signIn, refuseExcess } = routes;
  const limit = signIn === undefined ? "pairing" : "personCode";
  const config = { contentType: "application/json", pairing: "never", limit } as const;
  addRequests(scope, routes);
  scope.post("/pairing", { bodyLimit: BODY_LIMIT_BYTES, config }, async (request) => {
    const code = readCode(request.body);
    const origin = toOwnOrigin(request.headers.host, address)!;
    // Limited before any lookup, so that a refused caller learns nothing about codes.
    if (signIn !== undefined) throwRefusal(await refuseExcess(request, "paneCode", toSentPage(code)));
    const signedIn = await signIn?.take(code);
    const { person } = signedIn ?? {};
    const paired = await explainStore(request.log, async () =>
      signedIn === undefined ? pairByTerminal(code, origin, request, routes) : pairings.pairPerson(signedIn, origin),
    );
    request.log.info({ pairing: paired.id, origin, person: person?.id, name: person?.name }, "A page was paired.");
    request.pairingChange = { event: "paired", pairing: { id: paired.id, person } };
    return paired;
  });
  scope.delete("/pairing", { config: { pairing: "always" } }, async (request, reply) => {
    const pairing = request.pairing!;
    const { id } = pairing;
    await explainStore(request.log, () => pairings.endOwn(pairing));
    request.pairingChange = { event: "ended", pairing };
    request.log.info({ pairing: id }, "A page ended its pairing.");
    return reply.code(204).send();
  });
}

/**
 * Adds the route that requests a code. A code serves only the page that requested it, since that page has the secret.
 */
function addRequests(scope: FastifyInstance, { pairings, address, invite, signIn }: PairingRoutes): void {
  const limit = signIn === undefined ? "request" : "signIn";
  const config = { contentType: "application/json", pairing: "never", limit } as const;
  scope.post("/pairing/request", { bodyLimit: BODY_LIMIT_BYTES, config }, async (request) => {
    const origin = toOwnOrigin(request.headers.host, address)!;
    return explainStore(request.log, async () => {
      const own = await pairings.createRequest(origin);
      await invite?.(own);
      return { ...own, command: toCommand(`pair ${own.name}`) };
    });
  });
}

/**
 * Pairs by a terminal code. Where people sign in, most codes are theirs, so only other codes count as tries at the
 * terminal's.
 */
async function pairByTerminal(
  code: string,
  origin: string,
  request: FastifyRequest,
  routes: PairingRoutes,
): Promise<Paired> {
  const { pairings, signIn, refuseExcess } = routes;
  if (signIn === undefined) return pairings.pair(code, origin);
  throwRefusal(await refuseExcess(request, "pairing"));
  return pairings.pair(code, origin).catch((error) => {
    if (!(error instanceof Refusal && error.code === WRONG_CODE)) throw error;
    throw new Refusal(
      403,
      "That is not the pairing code for this page, or it has ended. For a new one, sign in again from the FEED pane.",
      WRONG_CODE,
    );
  });
}

function readCode(body: unknown): string {
  const { code } = (body ?? {}) as { code?: unknown };
  if (typeof code === "string") return code;
  const sentence = 'Send the pairing code with the secret of your request, as {"code": "ABCD-EFGH.SECRET"}.';
  throw new Refusal(400, sentence, "FEED_REQUEST_INVALID");
}

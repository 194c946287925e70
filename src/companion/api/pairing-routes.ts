import type { FastifyInstance, FastifyRequest } from "fastify";
import { WRONG_CODE } from "../../contract/companion-api";
import { type Address, toOwnOrigin } from "../address";
import { Refusal, throwRefusal } from "../refusal";
import type { SigningIn } from "../sign-in";
import type { RefuseExcess } from "./limits";
import { explainStore, type Paired, type Pairings, type ProviderPairings } from "./pairing";
import type { OwnRequest } from "./pairing-codes";

const BODY_LIMIT_BYTES = 1024;

/** What pairing at the companion API needs. */
export interface PairingRoutes {
  pairings: Pick<Pairings, "revoke" | "createRequest"> & ProviderPairings;
  address: Address;
  refuseExcess: RefuseExcess;
  /** Is told of each page that asks for a code; default nobody. */
  invite?: ((request: OwnRequest) => Promise<void>) | undefined;
  /** Absent where codes of the terminal alone pair. */
  signingIn?: Pick<SigningIn, "take">;
}

/** Adds the way in, on which a page asks for a code of its own and exchanges it for a bearer, and the end of one's own pairing. */
export function addPairing(scope: FastifyInstance, routes: PairingRoutes): void {
  const { pairings, address, signingIn, refuseExcess } = routes;
  const limit = signingIn === undefined ? "pairing" : "personCode";
  const config = { contentType: "application/json", pairing: "never", limit } as const;
  addRequests(scope, routes);
  scope.post("/pairing", { bodyLimit: BODY_LIMIT_BYTES, config }, async (request) => {
    const code = readCode(request.body);
    const origin = toOwnOrigin(request.headers.host, address)!;
    // Before any code is looked up, so that the refused learn nothing of theirs.
    if (signingIn !== undefined) throwRefusal(await refuseExcess(request, "codes"));
    const signedIn = await signingIn?.take(code);
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
    await explainStore(request.log, () => pairings.revoke(id));
    request.pairingChange = { event: "ended", pairing };
    request.log.info({ pairing: id }, "A page ended its pairing.");
    return reply.code(204).send();
  });
}

/** A code that somebody sees serves for nobody but the page that had asked for it, since that alone has the secret. */
function addRequests(scope: FastifyInstance, { pairings, address, invite, signingIn }: PairingRoutes): void {
  const limit = signingIn === undefined ? "request" : "signIn";
  const config = { contentType: "application/json", pairing: "never", limit } as const;
  scope.post("/pairing/request", { bodyLimit: BODY_LIMIT_BYTES, config }, async (request) => {
    const origin = toOwnOrigin(request.headers.host, address)!;
    return explainStore(request.log, async () => {
      const own = await pairings.createRequest(origin);
      await invite?.(own);
      return own;
    });
  });
}

/** Where people sign in, theirs are most of the codes that are tried, and only what is none of them counts as a try at the terminal's. */
async function pairByTerminal(
  code: string,
  origin: string,
  request: FastifyRequest,
  routes: PairingRoutes,
): Promise<Paired> {
  const { pairings, signingIn, refuseExcess } = routes;
  if (signingIn === undefined) return pairings.pair(code, origin);
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

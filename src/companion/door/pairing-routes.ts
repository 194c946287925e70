import type { FastifyInstance, FastifyRequest } from "fastify";
import { WRONG_CODE } from "../../contract/door";
import { type Address, toOwnOrigin, toSignInPage } from "../address";
import { Refusal, throwRefusal } from "../refusal";
import type { SigningIn } from "../sign-in";
import type { RefuseExcess } from "./limits";
import { explainStore, type Paired, type Pairings, type ProviderPairings } from "./pairing";

const BODY_LIMIT_BYTES = 1024;

/** What pairing at the door needs. */
export interface PairingRoutes {
  pairings: Pick<Pairings, "revoke"> & ProviderPairings;
  address: Address;
  refuseExcess: RefuseExcess;
  /** Absent where codes of the terminal alone pair. */
  signingIn?: Pick<SigningIn, "take">;
}

/** Adds the way in, which exchanges a code for a bearer, and the end of one's own pairing. */
export function addPairing(scope: FastifyInstance, routes: PairingRoutes): void {
  const { pairings, address, signingIn, refuseExcess } = routes;
  const limit = signingIn === undefined ? "pairing" : "personCode";
  const config = { contentType: "application/json", pairing: "never", limit } as const;
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

/** Where people sign in, theirs are most of the codes that are tried, and only what is none of them counts as a try at the terminal's. */
async function pairByTerminal(
  code: string,
  origin: string,
  request: FastifyRequest,
  routes: PairingRoutes,
): Promise<Paired> {
  const { pairings, address, signingIn, refuseExcess } = routes;
  if (signingIn === undefined) return pairings.pair(code, origin);
  throwRefusal(await refuseExcess(request, "pairing"));
  return pairings.pair(code, origin).catch((error) => {
    if (!(error instanceof Refusal && error.code === WRONG_CODE)) throw error;
    const page = toSignInPage(request.headers.host, address);
    throw new Refusal(
      403,
      `That is not the pairing code, or it has ended. For a new one, sign in at ${page}`,
      WRONG_CODE,
    );
  });
}

function readCode(body: unknown): string {
  const { code } = (body ?? {}) as { code?: unknown };
  if (typeof code === "string") return code;
  throw new Refusal(400, 'Send the pairing code as {"code": "ABCD-EFGH"}.', "FEED_REQUEST_INVALID");
}

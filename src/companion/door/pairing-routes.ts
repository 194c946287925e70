import type { FastifyInstance } from "fastify";
import { type Address, toOwnOrigin } from "../address";
import { Refusal } from "../refusal";
import { explainStore, type Pairings, type ProviderPairings } from "./pairing";

const BODY_LIMIT_BYTES = 1024;

/** Adds the way in, which exchanges a code for a bearer, and the end of one's own pairing. */
export function addPairing(
  scope: FastifyInstance,
  pairings: Pick<Pairings, "revoke"> & ProviderPairings,
  address: Address,
): void {
  const config = { contentType: "application/json", pairing: "never", limit: "pairing" } as const;
  scope.post("/pairing", { bodyLimit: BODY_LIMIT_BYTES, config }, async (request) => {
    const code = readCode(request.body);
    const origin = toOwnOrigin(request.headers.host, address)!;
    const paired = await explainStore(request.log, () => pairings.pair(code, origin));
    request.log.info({ pairing: paired.id, origin }, "A page was paired.");
    return paired;
  });
  scope.delete("/pairing", { config: { pairing: "always" } }, async (request, reply) => {
    const { id } = request.pairing!;
    await explainStore(request.log, () => pairings.revoke(id));
    request.log.info({ pairing: id }, "A page ended its pairing.");
    return reply.code(204).send();
  });
}

function readCode(body: unknown): string {
  const { code } = (body ?? {}) as { code?: unknown };
  if (typeof code === "string") return code;
  throw new Refusal(400, 'Send the pairing code as {"code": "ABCD-EFGH"}.', "FEED_REQUEST_INVALID");
}

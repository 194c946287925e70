import type { FastifyReply, FastifyRequest } from "fastify";
import { HELD } from "../../contract/companion-api";
import { toAsker } from "../log";
import { Refusal } from "../refusal";
import { isPassable } from "./answer";
import type { Declined, RelayToken } from "./token";

/**
 * Answers POST /token in place of the provider (§4.1): the exchange is the companion's own, and of the token only its
 * remaining time is told.
 * @throws Refusal (FEED_NETWORK_FAILED, FEED_SERVER_FAILED) when the provider gave no answer that could be passed on.
 */
export async function answerToken(token: RelayToken, request: FastifyRequest, reply: FastifyReply) {
  const result = await token.load({ log: request.log, pairing: toAsker(request) }, true);
  if (!("token" in result)) return decline(result, reply);
  const seconds = Math.max(1, Math.floor((result.expiresAtMs - Date.now()) / 1000));
  return reply.send({ access_token: HELD, token_type: "bearer", expires_in: seconds });
}

/** The provider's own no stays the provider's: the pane takes it for one about client and key. */
function decline({ status, reason, said, waitMs, dateMs }: Declined, reply: FastifyReply): FastifyReply {
  if (status < 400 || !isPassable(status)) {
    const sentence = `The provider ${reason}; check FEED_BASE_URL and the network.`;
    throw new Refusal(502, sentence, status === 0 ? "FEED_NETWORK_FAILED" : "FEED_SERVER_FAILED");
  }
  if (waitMs !== undefined) reply.header("retry-after", Math.ceil(waitMs / 1000));
  if (dateMs !== undefined) reply.header("date", new Date(dateMs).toUTCString());
  return reply.code(status).send(said === undefined ? {} : { error: { code: "token_refused", message: said } });
}

import type { FastifyInstance, FastifyReply } from "fastify";
import { REFUSAL_HEADER, type WRONG_CODE } from "../contract/door";
import { readPath } from "./log";

const BODY_TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";

/** The codes of the companion's own answers; the provider's errors pass through as they come. */
export type RefusalCode =
  | "FEED_SIGNER_REFUSED"
  | typeof WRONG_CODE
  | "FEED_REQUEST_INVALID"
  | "FEED_RATE_LIMITED"
  | "FEED_SERVER_FAILED"
  | "FEED_NETWORK_FAILED"
  | "FEED_TIMED_OUT";

/** An answer of the companion itself: a status, a code and a sentence for the person who reads it. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly statusCode: number,
    message: string,
    readonly code: RefusalCode = "FEED_SIGNER_REFUSED",
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** Answers every error of a scope, unknown paths included, as `{ error: { code, message } }` that holds nothing of the request's body. */
export function answerRefusals(scope: FastifyInstance): void {
  scope.setNotFoundHandler((request) => {
    throw new Refusal(404, `The companion has no ${request.method} ${readPath(request.url)}.`);
  });
  scope.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error);
    const { statusCode: status } = refusal;
    const about = { method: request.method, path: readPath(request.url), status, pairing: request.pairing?.id };
    if (status >= 500) request.log.error({ ...about, err: error }, refusal.message);
    else if (status === 404) request.log.info(about, refusal.message);
    else request.log.warn(about, refusal.message);
    return sendRefusal(reply, refusal);
  });
}

/** Answers a path that no route can be looked up for, which the framework would repeat to whoever asks, unguarded. */
export function answerMalformed(_error: Error, _request: unknown, reply: FastifyReply): void {
  sendRefusal(reply, new Refusal(400, "The path is malformed."));
}

function sendRefusal(reply: FastifyReply, { statusCode, message, code, retryAfterSeconds }: Refusal): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
  return reply.code(statusCode).header(REFUSAL_HEADER, code).send({ error: { code, message } });
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code === BODY_TOO_LARGE) return new Refusal(413, "The body is larger than any this door needs.");
  if (statusCode < 500) return new Refusal(statusCode, "The request is malformed.");
  return new Refusal(500, "The companion failed; its log says why.");
}

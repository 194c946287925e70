import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { REFUSAL_HEADER, WRONG_CODE } from "../contract/companion-api";
import { SignerFailure } from "./assertion";
import { createLineLimit, readPath } from "./log";

const BODY_TOO_LARGE = "FST_ERR_CTP_BODY_TOO_LARGE";

/** The codes of the companion's own answers; the provider's errors pass through as they come. */
export const REFUSAL_CODES = [
  "FEED_SIGNER_REFUSED",
  WRONG_CODE,
  "FEED_REQUEST_INVALID",
  "FEED_SCOPE_MISSING",
  "FEED_RATE_LIMITED",
  "FEED_SERVER_FAILED",
  "FEED_NETWORK_FAILED",
  "FEED_TIMED_OUT",
  "FEED_INTERNAL",
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

declare module "fastify" {
  interface FastifyRequest {
    /** How the companion itself refused the request; absent where it did not. */
    refused?: Refusal;
  }
}

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

/** Refuses what comes too often or too soon, with the time to come again. */
export class BusyRefusal extends Refusal {
  constructor(toSentence: (seconds: number) => string, waitMs: number) {
    const seconds = Math.ceil(waitMs / 1000);
    super(429, toSentence(seconds), "FEED_RATE_LIMITED", seconds);
  }
}

/** @throws Refusal the given one, if there is one */
export function throwRefusal(refusal: Refusal | undefined): void {
  if (refusal !== undefined) throw refusal;
}

/**
 * Answers every error of a scope, unknown paths included, without any of the request's body.
 * @param send Sends a refusal; default as `{ error: { code, message } }`.
 */
export function answerRefusals(scope: FastifyInstance, send = sendRefusal): void {
  const admitLine = createLineLimit(Date.now);
  scope.setNotFoundHandler((request) => {
    throw new Refusal(404, `The companion has no ${request.method} ${readPath(request.url)}.`);
  });
  scope.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error);
    request.refused = refusal;
    logRefusal(request, refusal, error, admitLine);
    return send(reply, refusal);
  });
}

/** Logs a refusal. Only unexpected errors have a stack, and the lines of unpaired callers are limited. */
function logRefusal(
  request: FastifyRequest,
  refusal: Refusal,
  error: unknown,
  admitLine: () => number | undefined,
): void {
  const { method, url, log } = request;
  const { statusCode: status, message } = refusal;
  const pairing = request.pairing?.id ?? null;
  const leftOut = pairing === null && status < 500 ? admitLine() : 0;
  if (leftOut === undefined) return;
  // A route's path has no ids; an unknown path is logged as it is.
  const route = request.routeOptions?.url ?? "*";
  const about = {
    method,
    path: route.includes("*") ? readPath(url) : route,
    status,
    pairing,
    leftOut: leftOut || undefined,
  };
  if (status === 500) log.error({ ...about, err: error }, message);
  else if (status === 404) log.info(about, message);
  else log.warn(about, message);
}

/** Answers a malformed path, which the framework would repeat to an unguarded caller. */
export function answerMalformed(_error: Error, _request: unknown, reply: FastifyReply): void {
  sendRefusal(reply, new Refusal(400, "The path is malformed."));
}

/** Sends a refusal as `{ error: { code, message } }`. */
export function sendRefusal(
  reply: FastifyReply,
  { statusCode, message, code, retryAfterSeconds }: Refusal,
): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
  return reply.code(statusCode).header(REFUSAL_HEADER, code).send({ error: { code, message } });
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code === BODY_TOO_LARGE) return new Refusal(413, "The body is larger than this route accepts.");
  if (statusCode < 500) return new Refusal(statusCode, "The request is malformed.");
  if (error instanceof SignerFailure) return new Refusal(503, error.message);
  // Without a code that clients retry: signing may have been requested often enough.
  return new Refusal(500, "The companion failed; its log says why.", "FEED_INTERNAL");
}

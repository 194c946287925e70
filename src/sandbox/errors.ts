import { randomUUID } from "node:crypto";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { OPERATIONS } from "../contract/constants";
import type { ErrorBody, ErrorDetail } from "../contract/types";

/** A request the provider refuses; the API document shows only 404 and the body's shape (§7), the rest is HTTP convention. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: ErrorDetail[] | null = null,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** One field that is wrong, as a 400. */
export function refuseField(field: string, issue: string): Refusal {
  return new Refusal(400, "INVALID_REQUEST", `${field} ${issue}.`, [{ field, issue }]);
}

/** The error body of the ranking family, which this provider uses for every family (§7). */
function createErrorBody(code: string, message: string, details: ErrorDetail[] | null): ErrorBody {
  return { error: { code, message, traceId: randomUUID(), details } };
}

const CODES: Record<number, string> = {
  400: "INVALID_REQUEST",
  413: "BODY_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
};

type Complaint = NonNullable<FastifyError["validation"]>[number];

function toDetail({ instancePath, params, message }: Complaint): ErrorDetail {
  if (typeof params.missingProperty === "string") return { field: params.missingProperty, issue: "is missing" };
  return { field: instancePath.slice(1), issue: message ?? "is invalid" };
}

/** Converts an error into a refusal. */
function toRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  if (error.validation) {
    const details = error.validation.map(toDetail);
    const message = details.map(({ field, issue }) => `${field} ${issue}`).join("; ");
    return new Refusal(400, "INVALID_REQUEST", `${message}.`, details);
  }
  const status = error.statusCode ?? 500;
  if (status >= 500) return new Refusal(500, "INTERNAL_ERROR", "The provider failed.");
  return new Refusal(status, CODES[status] ?? "INVALID_REQUEST", error.message);
}

/** Answers an error in the ranking family's shape. */
export function sendError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, code, message, details, headers } = toRefusal(error);
  if (status === 500) request.log.error(error);
  return reply
    .code(status)
    .headers(headers)
    .send(createErrorBody(code, message, details));
}

const PATTERNS = Object.values(OPERATIONS).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

/** Answers a path nobody serves with 404, or with 405 when only the method is wrong. */
export function sendNotFound(prefix: string) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split("?")[0]!.slice(prefix.length);
    const known = PATTERNS.find(({ pattern }) => pattern.test(path));
    if (known === undefined) {
      return reply.code(404).send(createErrorBody("NOT_FOUND", `No resource is at ${path}.`, null));
    }
    const message = `${request.method} is not allowed at ${path}; use ${known.method}.`;
    return reply
      .code(405)
      .header("allow", known.method)
      .send(createErrorBody("METHOD_NOT_ALLOWED", message, null));
  };
}

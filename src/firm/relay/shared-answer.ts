import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../companion/refusal";
import { NO_READING, PARTIAL_HEADER, READING_HEADER, REFRESH_HEADER } from "../../contract/companion-api";
import type { Family } from "../../contract/constants";
import type { SharedAnswer } from "../reads/shared-reads";

/** Smaller bodies are not worth packing. */
const SMALLEST_PACKED_BYTES = 1024;
const FAST = { level: constants.Z_BEST_SPEED };
/** Without contact data: a browser may store these and revalidate them each time. */
const REVALIDATED: readonly Family[] = ["taxonomies", "rankings"];

const pack = promisify(gzip);

/**
 * Sends a shared answer: with its age, packed where the caller unpacks, and as 304 where the caller has it already.
 * @param nowMs Milliseconds since 1970.
 */
export async function passSharedOn(
  answer: SharedAnswer,
  nowMs: number,
  family: Family,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, headers, body, asOfMs, newerAtMs = 0, reading = NO_READING } = answer;
  reply.code(status).headers(headers);
  if (status !== 200 && status !== 404) return reply.send(body);
  reply.header("age", Math.max(0, Math.floor((nowMs - asOfMs) / 1000)));
  reply.header(REFRESH_HEADER, Math.max(0, Math.ceil((newerAtMs - nowMs) / 1000)));
  reply.header(READING_HEADER, reading);
  if (answer.isPartial) reply.header(PARTIAL_HEADER, "1");
  if (answer.retryAfterSeconds !== undefined) reply.header("retry-after", answer.retryAfterSeconds);
  reply.header("vary", "accept-encoding");
  const isPacked = body.length > SMALLEST_PACKED_BYTES && takesGzip(request);
  if (status === 200 && request.method === "GET") {
    // A packed answer needs an ETag of its own: its bytes differ.
    const tag = `"${createHash("sha256").update(body).digest("base64url")}${isPacked ? "-gzip" : ""}"`;
    reply.header("etag", tag);
    if (REVALIDATED.includes(family)) reply.header("cache-control", "private, no-cache");
    if (hasTag(request, tag)) return reply.code(304).removeHeader("content-type").send();
  }
  if (!isPacked) return reply.send(body);
  return reply.header("content-encoding", "gzip").send(await pack(body, FAST));
}

function takesGzip({ headers }: FastifyRequest): boolean {
  const codings = String(headers["accept-encoding"] ?? "").split(",");
  return codings.some((coding) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding));
}

function hasTag({ headers }: FastifyRequest, tag: string): boolean {
  const tags = String(headers["if-none-match"] ?? "").split(",");
  return tags.some((each) => each.trim().replace(/^W\//, "") === tag);
}

/** As large as one answer of the provider may be. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

/** Bounds the answers that each caller has not read yet, since they lie in memory. */
export function createUnread() {
  const unread = new Map<string, number>();
  return {
    /**
     * Counts an answer until it is read or its caller has left.
     * @throws Refusal (FEED_RATE_LIMITED) where one caller leaves more than 64 MB unread.
     */
    add(who: string, bytes: number, raw: ServerResponse): void {
      const before = unread.get(who) ?? 0;
      if (before > 0 && before + bytes > MOST_UNREAD_BYTES) {
        throw new Refusal(429, "Read what you asked for before you ask for more.", "FEED_RATE_LIMITED", 1);
      }
      if (raw.destroyed) return;
      unread.set(who, before + bytes);
      raw.once("close", () => {
        const left = unread.get(who)! - bytes;
        if (left > 0) unread.set(who, left);
        else unread.delete(who);
      });
    },
  };
}

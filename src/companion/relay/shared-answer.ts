import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { NO_READING, READING_HEADER, REFRESH_HEADER } from "../../contract/companion-api";
import type { Family } from "../../contract/constants";
import type { SharedAnswer } from "../reads/shared-reads";

/** Below this packing gains nothing. */
const SMALLEST_PACKED_BYTES = 1024;
const FAST = { level: constants.Z_BEST_SPEED };
/** What holds no contact data a browser may keep, and ask here each time whether it still stands. */
const REVALIDATED: readonly Family[] = ["taxonomies", "rankings"];

const pack = promisify(gzip);

/** Passes on what was read for whoever asks: with its age, packed where the caller unpacks, and in short where they have it. */
export async function passSharedOn(
  answer: SharedAnswer,
  family: Family,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, headers, body, asOfMs, newerAtMs = 0, reading = NO_READING } = answer;
  reply.code(status).headers(headers);
  if (status !== 200 && status !== 404) return reply.send(body);
  reply.header("age", Math.max(0, Math.floor((Date.now() - asOfMs) / 1000)));
  reply.header(REFRESH_HEADER, Math.max(0, Math.ceil((newerAtMs - Date.now()) / 1000)));
  reply.header(READING_HEADER, reading);
  reply.header("vary", "accept-encoding");
  const isPacked = body.length > SMALLEST_PACKED_BYTES && takesGzip(request);
  if (status === 200 && request.method === "GET") {
    // A packed answer is another one to a cache, byte for byte.
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

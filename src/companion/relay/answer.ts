import { PassThrough, type Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Dispatcher } from "undici";
import type { Redact } from "../redaction";
import { Refusal } from "../refusal";
import { unpack } from "../unpack";
import { LARGEST_ANSWER_BYTES, toUpstreamRefusal } from "./upstream";

type Answer = Dispatcher.ResponseData;

/** What the provider said, whole and unpacked, with no secret of ours in it. */
export interface ProviderAnswer {
  status: number;
  /** Those that a client acts on. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** All that a client acts on; no cookie, and no header by which the companion's own refusals are known. */
const HEADERS = ["content-type", "content-length", "content-encoding", "date", "retry-after", "www-authenticate"];
/** An error's own length and form are written anew with it. */
const OF_THE_BODY = ["content-type", "content-length", "content-encoding"];
const LARGEST_ERROR_BYTES = 64 * 1024;
/** What callers who do not read can have the companion hold of a good answer is no more than of an error. */
const LARGEST_WHOLE_BYTES = LARGEST_ERROR_BYTES;
const TRACE_ID = /^\w[\w.:-]{0,63}$/;

/** Servers may write any three digits, and 407 is for proxies alone: a browser would fail to read either. */
export const isPassable = (status: number): boolean => status < 600 && status !== 407;

/** A provider's error, read whole. */
interface ProviderError {
  /** Absent when it is too large to be one, or packed in a way that leaves nothing to be found in it. */
  body?: Buffer;
  /** What the provider's support asks for (§7). */
  traceId?: string;
}

/**
 * Passes a good answer on: as it comes, or in one piece where it says that it is small, which costs far less.
 * @returns the body to send.
 * @throws Refusal (FEED_SERVER_FAILED) when it is a redirect, empty by its status, or larger than 64 MB;
 *   (FEED_NETWORK_FAILED, FEED_TIMED_OUT) when a small one breaks off.
 */
export async function passOn(answer: Answer, reply: FastifyReply): Promise<Buffer | Readable> {
  const { statusCode, headers, body } = answer;
  refuseUnusable(answer);
  const length = Number(headers["content-length"]);
  const whole = length <= LARGEST_WHOLE_BYTES ? await readWhole(body) : undefined;
  reply.code(statusCode).headers(pickHeaders(headers));
  return whole ?? refuseBreak(body, reply);
}

/**
 * Refuses what is no error of the provider, and no answer either.
 * @throws Refusal (FEED_SERVER_FAILED) of a redirect, of nothing by its status, or of more than 64 MB.
 */
function refuseUnusable(answer: Answer): void {
  const { statusCode, headers } = answer;
  if (statusCode >= 300) {
    // Followed, it would carry the bearer to an address that nobody configured.
    refuse(
      answer,
      `The provider answered with a redirect (status ${statusCode}), which is not followed; check FEED_BASE_URL.`,
    );
  }
  // The companion's own answers to the pane have this status.
  if (statusCode === 204) refuse(answer, "The provider answered with nothing (status 204); check FEED_BASE_URL.");
  if (Number(headers["content-length"]) > LARGEST_ANSWER_BYTES) {
    refuse(answer, "The provider's answer is above 64 MB; ask for fewer rows.");
  }
}

async function readWhole(body: Answer["body"]): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    throw toUpstreamRefusal(error as Error);
  }
}

/** Of a break before the first byte the caller can still be told, and that it is the provider's. */
function refuseBreak(body: Answer["body"], reply: FastifyReply): Readable {
  const relayed = new PassThrough();
  body.once("error", (error) => {
    // The refusal is packed in no way.
    reply.removeHeader("content-encoding");
    if (!reply.raw.headersSent) reply.raw.removeHeader("content-encoding");
    relayed.destroy(toUpstreamRefusal(error));
  });
  return body.pipe(relayed);
}

/**
 * Reads an error, with the secrets of its request redacted: a provider may quote what it was sent.
 * @throws Refusal (FEED_NETWORK_FAILED, FEED_TIMED_OUT) when it breaks off; (FEED_SERVER_FAILED) of a status that is none.
 */
export async function readError(answer: Answer, redact: Redact): Promise<ProviderError> {
  const { statusCode } = answer;
  if (!isPassable(statusCode)) {
    refuse(answer, `The provider answered with status ${statusCode}, which is no provider's; check FEED_BASE_URL.`);
  }
  const bytes = await readBytes(answer);
  if (bytes === undefined) return {};
  // As latin1 every byte is one character and comes out as it went in.
  const body = Buffer.from(redact(bytes.toString("latin1")), "latin1");
  return { body, traceId: readTraceId(body) };
}

/** Passes an error on that was read, with its status and what its headers say of when to come back. */
export function passErrorOn(answer: Answer, error: ProviderError, redact: Redact, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = toErrorAnswer(answer, error, redact);
  return reply.code(status).headers(headers).send(body);
}

/** Converts an error that was read to the answer that is passed on of it. */
function toErrorAnswer({ statusCode, headers }: Answer, { body }: ProviderError, redact: Redact): ProviderAnswer {
  const passed = Object.entries(pickHeaders(headers)).filter(([name]) => !OF_THE_BODY.includes(name));
  const own = Object.fromEntries(passed.map(([name, value]) => [name, redact(String(value))]));
  const type = body === undefined ? "application/json" : redact(String(headers["content-type"] ?? "text/plain"));
  return { status: statusCode, headers: { ...own, "content-type": type }, body: body ?? NOT_SHOWN };
}

const NOT_SHOWN = Buffer.from('{"error":{"message":"The error is too large or packed, and not shown."}}');

async function readBytes(answer: Answer): Promise<Buffer | undefined> {
  const { headers, body } = answer;
  const parts: Buffer[] = [];
  let length = 0;
  body.on("error", () => {}); // leaving the loop early ends the stream, which then tells that it was ended
  try {
    for await (const part of body) {
      length += part.length;
      if (length > LARGEST_ERROR_BYTES) return undefined;
      parts.push(part);
    }
  } catch (error) {
    throw toUpstreamRefusal(error as Error);
  }
  return unpack(Buffer.concat(parts), headers["content-encoding"], LARGEST_ERROR_BYTES);
}

/** @throws Refusal (FEED_SERVER_FAILED), always */
function refuse({ body }: Answer, sentence: string): never {
  body.on("error", () => {});
  body.destroy();
  throw toFailure(sentence);
}

const toFailure = (sentence: string): Refusal => new Refusal(502, sentence, "FEED_SERVER_FAILED");

/** Reads the id of an error that the provider's support asks for (§7). */
export function readTraceId(body: Buffer): string | undefined {
  try {
    const { error, traceId } = Object(JSON.parse(body.toString()));
    const id = error?.traceId ?? traceId;
    return typeof id === "string" && TRACE_ID.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

function pickHeaders(headers: Answer["headers"]): Answer["headers"] {
  return Object.fromEntries(HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";

/** An answer, and what the provider's support asks for (§7). */
export interface WholeAnswer extends ProviderAnswer {
  traceId?: string;
}

/**
 * Reads an answer to its end and unpacks it; of an error the secrets are redacted.
 * @throws Refusal (FEED_SERVER_FAILED) when it is a redirect, empty by its status, above 64 MB, or packed so that it cannot
 *   be read; (FEED_NETWORK_FAILED, FEED_TIMED_OUT) when it breaks off.
 */
export async function readWholeAnswer(answer: Answer, redact: Redact): Promise<WholeAnswer> {
  if (answer.statusCode >= 400) {
    const error = await readError(answer, redact);
    return { ...toErrorAnswer(answer, error, redact), traceId: error.traceId };
  }
  refuseUnusable(answer);
  const { statusCode: status, headers } = answer;
  const bytes = await unpack(await readPacked(answer), headers["content-encoding"], LARGEST_ANSWER_BYTES);
  if (bytes === undefined)
    throw toFailure("The provider's answer is damaged, above 64 MB or packed in an unknown way.");
  const type = String(headers["content-type"] ?? "application/json");
  return { status, headers: { "content-type": type }, body: bytes };
}

async function readPacked({ body }: Answer): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === TOO_LARGE) throw toFailure("The provider's answer is above 64 MB; ask for fewer rows.");
    throw toUpstreamRefusal(error as Error);
  }
}

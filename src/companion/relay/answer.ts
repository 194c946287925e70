import { PassThrough, type Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Dispatcher } from "undici";
import { parseJson } from "../json";
import type { Redact } from "../redaction";
import { Refusal } from "../refusal";
import { unpack } from "../unpack";
import { LARGEST_ANSWER_BYTES, toUpstreamRefusal } from "./upstream";

type Answer = Dispatcher.ResponseData;

/** The provider's answer, read whole, unpacked and redacted. */
export interface ProviderAnswer {
  status: number;
  /** Only the headers that a client acts on. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Headers that a client acts on. Cookies and the header of the companion's own refusals are not among them. */
const HEADERS = ["content-type", "content-length", "content-encoding", "date", "retry-after", "www-authenticate"];
/** Headers of the original body: a redacted error has other ones. */
const OF_THE_BODY = ["content-type", "content-length", "content-encoding"];
const LARGEST_ERROR_BYTES = 64 * 1024;
/** A good answer is buffered up to the size of an error, which bounds what slow readers can hold in memory. */
const LARGEST_WHOLE_BYTES = LARGEST_ERROR_BYTES;
const TRACE_ID = /^\w[\w.:-]{0,63}$/;

/** Whether a browser can read the status: servers may send any three digits, and 407 is for proxies. */
export const isPassable = (status: number): boolean => status < 600 && status !== 407;

/** A provider's error, read whole. */
interface ProviderError {
  /** Absent when it is too large, or packed in a way that cannot be searched for secrets. */
  body?: Buffer;
  /** The id that the provider's support needs (§7). */
  traceId?: string;
}

/**
 * Passes a good answer on: as a stream, or in one piece where its length is small, which is cheaper.
 * @returns the body to send.
 * @throws Refusal (FEED_SERVER_FAILED) when it is a redirect, empty by its status, or larger than 64 MB;
 *   (FEED_NETWORK_FAILED, FEED_TIMED_OUT) when a small one breaks off.
 */
export async function passOn(answer: Answer, reply: FastifyReply): Promise<Buffer | Readable> {
  const { statusCode, headers, body } = answer;
  refuseUnusable(answer);
  const length = Number(headers["content-length"]);
  const whole = length <= LARGEST_WHOLE_BYTES ? await readPacked(answer) : undefined;
  reply.code(statusCode).headers(pickHeaders(headers));
  return whole ?? refuseBreak(body, reply);
}

/**
 * Refuses an answer that is neither data nor an error.
 * @throws Refusal (FEED_SERVER_FAILED) of a redirect, an empty status, or more than 64 MB.
 */
export function refuseUnusable(answer: Answer): void {
  const { statusCode, headers } = answer;
  if (statusCode >= 300) {
    // Following it would send the bearer to an address that nobody configured.
    refuse(
      answer,
      `The provider answered with a redirect (status ${statusCode}), which is not followed; check FEED_BASE_URL.`,
    );
  }
  // The companion itself answers the pane with 204.
  if (statusCode === 204) refuse(answer, "The provider answered with nothing (status 204); check FEED_BASE_URL.");
  if (Number(headers["content-length"]) > LARGEST_ANSWER_BYTES) {
    refuse(answer, "The provider's answer is above 64 MB; ask for fewer rows.");
  }
}

/**
 * Gives the body as a stream that fails as a provider's refusal. Before the first byte the caller still gets that
 * refusal.
 */
function refuseBreak(body: Answer["body"], reply: FastifyReply): Readable {
  const relayed = new PassThrough();
  body.once("error", (error) => {
    // The refusal itself is not packed.
    reply.removeHeader("content-encoding");
    if (!reply.raw.headersSent) reply.raw.removeHeader("content-encoding");
    relayed.destroy(toUpstreamRefusal(error));
  });
  return body.pipe(relayed);
}

/**
 * Reads an error and redacts the secrets of its request, which a provider may quote.
 * @throws Refusal (FEED_NETWORK_FAILED, FEED_TIMED_OUT) when it breaks off; (FEED_SERVER_FAILED) of a status that is none.
 */
export async function readError(answer: Answer, redact: Redact): Promise<ProviderError> {
  const { statusCode } = answer;
  if (!isPassable(statusCode)) {
    refuse(answer, `The provider answered with status ${statusCode}, which is no provider's; check FEED_BASE_URL.`);
  }
  const bytes = await readBytes(answer);
  if (bytes === undefined) return {};
  // latin1 maps every byte to one character and back.
  const body = Buffer.from(redact(bytes.toString("latin1")), "latin1");
  return { body, traceId: readTraceId(body) };
}

/** Passes on an error that was read, with its status and its retry headers. */
export function passErrorOn(answer: Answer, error: ProviderError, redact: Redact, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = toErrorAnswer(answer, error, redact);
  return reply.code(status).headers(headers).send(body);
}

/** Gives the answer to pass on for an error that was read. */
export function toErrorAnswer(
  { statusCode, headers }: Answer,
  { body }: ProviderError,
  redact: Redact,
): ProviderAnswer {
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
  body.on("error", () => {}); // leaving the loop early destroys the stream, which emits an error
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

/** Refuses an answer that cannot be used. */
export const toFailure = (sentence: string): Refusal => new Refusal(502, sentence, "FEED_SERVER_FAILED");

/** Reads an error's id for the provider's support (§7). */
export function readTraceId(body: Buffer): string | undefined {
  const { error, traceId } = Object(parseJson(body.toString()));
  const id = error?.traceId ?? traceId;
  return typeof id === "string" && TRACE_ID.test(id) ? id : undefined;
}

function pickHeaders(headers: Answer["headers"]): Answer["headers"] {
  const picked: Answer["headers"] = {};
  for (const name of HEADERS) if (headers[name] !== undefined) picked[name] = headers[name];
  return picked;
}

const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";

/**
 * Reads a body to its end, still packed.
 * @throws Refusal as of `passOn`.
 */
export async function readPacked({ body }: Answer): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === TOO_LARGE) throw toFailure("The provider's answer is above 64 MB; ask for fewer rows.");
    throw toUpstreamRefusal(error as Error);
  }
}

import { isUtf8 } from "node:buffer";
import type { Dispatcher } from "undici";
import { readCharset } from "../../client/http/response";
import type { Redact } from "../../companion/redaction";
import {
  type ProviderAnswer,
  readError,
  readPacked,
  refuseUnusable,
  toErrorAnswer,
  toFailure,
} from "../../companion/relay/answer";
import { LARGEST_ANSWER_BYTES } from "../../companion/relay/upstream";
import { unpack } from "../../companion/unpack";

type Answer = Dispatcher.ResponseData;

/** A whole answer, with the id that the provider's support needs (§7). */
export interface WholeAnswer extends ProviderAnswer {
  traceId?: string;
}

/**
 * Reads an answer to its end and unpacks it; redacts an error.
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
  return { status, ...toUtf8(bytes, String(headers["content-type"] ?? "application/json")) };
}

/** Writes text of another declared charset in UTF-8; bytes that do not fit it stay as they are, for the reader to refuse. */
function toUtf8(bytes: Buffer, type: string): Pick<ProviderAnswer, "headers" | "body"> {
  const charset = readCharset(type);
  const asIs = { headers: { "content-type": type }, body: bytes };
  if (charset === "utf-8") return asIs;
  const headers = { "content-type": type.replace(/(charset\s*=\s*)["']?[^\s;,"']+["']?/i, "$1utf-8") };
  // A charset of one byte a letter fits UTF-8 too, which servers write under its name.
  if (!/^(?:utf-16|iso-2022)/i.test(charset) && isUtf8(bytes)) return { headers, body: bytes };
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    // In one piece, Node 20 takes windows-1252 for ISO-8859-1.
    return { headers, body: Buffer.from(decoder.decode(bytes, { stream: true }) + decoder.decode()) };
  } catch {
    return asIs;
  }
}

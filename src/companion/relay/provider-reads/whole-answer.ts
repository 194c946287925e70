import type { Dispatcher } from "undici";
import { Refusal } from "../../refusal";
import type { Cut } from "../../secrets";
import { unpack } from "../../unpack";
import { readError, refuseUnusable, toErrorAnswer } from "../answer";
import type { ProviderAnswer } from "../provider-reads";
import { LARGEST_ANSWER_BYTES, toUpstreamRefusal } from "../upstream";

type Answer = Dispatcher.ResponseData;

const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";

/** An answer, and what the provider's support asks for (§7). */
export interface WholeAnswer extends ProviderAnswer {
  traceId?: string;
}

/**
 * Reads an answer to its end and unpacks it; of an error the secrets are cut out.
 * @throws Refusal (FEED_SERVER_FAILED) when it is a redirect, empty by its status, above 64 MB, or packed so that it cannot
 *   be read; (FEED_NETWORK_FAILED, FEED_TIMED_OUT) when it breaks off.
 */
export async function readWholeAnswer(answer: Answer, cut: Cut): Promise<WholeAnswer> {
  if (answer.statusCode >= 400) {
    const error = await readError(answer, cut);
    return { ...toErrorAnswer(answer, error, cut), traceId: error.traceId };
  }
  refuseUnusable(answer);
  const { statusCode: status, headers } = answer;
  const bytes = await unpack(await readBytes(answer), headers["content-encoding"], LARGEST_ANSWER_BYTES);
  if (bytes === undefined) refuse("The provider's answer is damaged, above 64 MB or packed in an unknown way.");
  const type = String(headers["content-type"] ?? "application/json");
  return { status, headers: { "content-type": type }, body: bytes };
}

async function readBytes({ body }: Answer): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === TOO_LARGE) refuse("The provider's answer is above 64 MB; ask for fewer rows.");
    throw toUpstreamRefusal(error as Error);
  }
}

/** @throws Refusal (FEED_SERVER_FAILED), always */
function refuse(sentence: string): never {
  throw new Refusal(502, sentence, "FEED_SERVER_FAILED");
}

import type { ProviderAnswer, ProviderQuestion } from "../relay/provider-reads";
import type { AskAlone } from "./alone";
import { type Kept, type KeptText, toAbsentKey } from "./kept";
import type { Once } from "./once";
import { isOut, type Outcome, toAnswer, toFailed, toRefused } from "./outcome";
import type { Reader, SharedAnswer } from "./reader";

/** An answer that is larger is kept for nobody. */
const LARGEST_KEPT_BYTES = 4 * 1024 * 1024;

/** What one answer is read with. */
export interface WholeOptions {
  kept: Kept;
  once: Once<Outcome>;
  askAlone: AskAlone;
  nowMs(): number;
}

/**
 * Reads what is one answer as it is: a company, a page of a list, a tree.
 * @param key Under which it is kept.
 * @throws Refusal as of ProviderReads, and of the reader's own count.
 */
export async function readWhole(
  { kept, once, askAlone, nowMs }: WholeOptions,
  key: string,
  question: ProviderQuestion,
  reader: Reader,
): Promise<SharedAnswer> {
  const absentKey = toAbsentKey(key, reader.className);
  let stale: KeptText | undefined;
  let asked = 0;
  const look = async (): Promise<Outcome | undefined> => {
    const [text, absent] = await kept.read([key, absentKey]);
    if (absent !== undefined) return { is: "absent", className: reader.className, ...absent };
    stale = text;
    return text && kept.isFresh(text) ? { is: "found", ...text } : undefined;
  };
  const ask = async (): Promise<Outcome> => {
    asked = 1;
    const said = await reader.count(1).then(
      () => askAlone(reader, question).catch((error: Error) => error),
      (error: Error) => toRefused(error),
    );
    if ("is" in said) return said;
    const atMs = nowMs();
    if (said instanceof Error) return toFailed(said);
    if (said.status === 404) {
      await kept.keepAbsent(new Map([[absentKey, said.body]]), atMs);
      return { is: "absent", atMs, className: reader.className, body: said.body, type: said.headers["content-type"] };
    }
    if (said.status !== 200) return toFailed(said);
    if (isKeepable(said)) await kept.keep(new Map([[key, said.body]]), atMs);
    return { is: "found", body: said.body, atMs, type: said.headers["content-type"] };
  };
  const load = async (): Promise<Outcome> => {
    const [outcome] = await once.load([key], { look: async () => [await look()], ask: () => [ask()] });
    // What became of another's question, or was refused to others, is no answer to this one.
    return asked === 0 && !isEverybodys(outcome!, reader) ? ask() : outcome!;
  };
  const outcome = (await look()) ?? (await load());
  const isStale = outcome.is === "failed" && stale !== undefined && isOut(outcome);
  return { ...toAnswer(isStale ? { is: "found", ...stale! } : outcome, nowMs()), asked: 1, known: 1 - asked };
}

function isEverybodys(outcome: Outcome, { className }: Reader): boolean {
  if (outcome.is === "failed") return outcome.of === "everybody";
  return outcome.is === "found" || outcome.className === className;
}

/** What is not surely data, such as the page of a proxy, serves nobody else. */
function isKeepable({ body }: ProviderAnswer): boolean {
  if (body.length > LARGEST_KEPT_BYTES) return false;
  try {
    const value = JSON.parse(body.toString());
    return typeof value === "object" && value !== null && (value.error ?? null) === null;
  } catch {
    return false;
  }
}

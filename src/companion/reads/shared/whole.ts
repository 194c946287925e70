import type { ProviderAnswer, ProviderQuestion } from "../../relay/provider-reads";
import type { AskAlone } from "./alone";
import { readForm } from "./form";
import type { Joined } from "./joined";
import { type Kept, type KeptText, toAbsentKey } from "./kept";
import { LONGEST_WAIT_MS } from "./lanes";
import type { Once } from "./once";
import { isOut, type Outcome, toAnswer, toFailed, toRefused } from "./outcome";
import { NotYet, QueueFull } from "./queue-refusals";
import type { Reader, SharedAnswer } from "./reader";

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
  options: WholeOptions,
  key: string,
  question: ProviderQuestion,
  reader: Reader,
): Promise<SharedAnswer> {
  const { kept, once, askAlone, nowMs } = options;
  const { who, className } = reader;
  const absentKey = toAbsentKey(key, className);
  const untilMs = nowMs() + LONGEST_WAIT_MS;
  let stale: KeptText | undefined;
  let asked = 0;
  const look = async (): Promise<Outcome | undefined> => {
    const [text, absent] = await kept.read([key, absentKey]);
    if (text !== undefined && kept.isFresh(text)) return { is: "found", ...text };
    stale = text;
    return absent && { is: "absent", className, ...absent };
  };
  const ask = async (joined?: Joined): Promise<Outcome> => {
    asked = 1;
    const refused = await reader.count(1).catch((error: Error) => toRefused(error, who));
    if (refused !== undefined) return refused;
    const waitMs = Math.max(0, untilMs - nowMs());
    const said = await askAlone(reader, question, joined, waitMs).catch((error: Error) => error);
    if (said instanceof QueueFull) return toRefused(said, who);
    const outcome = toOutcome(said, className, nowMs());
    await keep(kept, { key, absentKey }, question.path, outcome);
    return outcome;
  };
  const load = async (): Promise<Outcome> => {
    const steps = { look: async () => [await look()], ask: (_: unknown, [joined]: readonly Joined[]) => [ask(joined)] };
    const [outcome] = await once.load([key], steps, who);
    // What became of another's question, or was refused to others, is no answer to this one.
    return asked === 0 && !isEverybodys(outcome!, reader) ? ask() : outcome!;
  };
  const outcome = (await look()) ?? (await load());
  const isStale = outcome.is === "failed" && stale !== undefined && isOut(outcome);
  return { ...toAnswer(isStale ? { is: "found", ...stale! } : outcome, nowMs()), asked: 1, known: 1 - asked };
}

/** Keeps what serves others too. */
async function keep(kept: Kept, keys: { key: string; absentKey: string }, path: string, outcome: Outcome) {
  if (outcome.is === "absent") await kept.keepAbsent(new Map([[keys.absentKey, outcome.body!]]), outcome.atMs);
  if (outcome.is !== "found") return;
  const form = readForm(path, outcome.body);
  const texts = new Map([[keys.key, outcome.body]]);
  if (form === "data") await kept.keep(texts, outcome.atMs);
  if (form === "nothing") await kept.keepAbsent(texts, outcome.atMs);
}

function toOutcome(said: ProviderAnswer | Error, className: string, atMs: number): Outcome {
  if (said instanceof Error || (said.status !== 200 && said.status !== 404)) return toFailed(said);
  const answer = { atMs, body: said.body, type: said.headers["content-type"] };
  return said.status === 200 ? { is: "found", ...answer } : { is: "absent", className, ...answer };
}

function isEverybodys(outcome: Outcome, { who, className }: Reader): boolean {
  // Whose turn did not come had waited for longer.
  if (outcome.is === "failed" && outcome.said instanceof NotYet) return false;
  if (outcome.is === "failed") return outcome.of === "everybody" || outcome.who === who;
  return outcome.is === "found" || outcome.className === className;
}

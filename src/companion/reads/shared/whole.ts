import type { ProviderAnswer, ProviderQuestion } from "../../relay/provider-reads";
import { countPages } from "../row-limit";

import { type AgeLimit, isNewEnough } from "./age-limit";
import type { AskAlone } from "./alone";
import { type Form, readContent } from "./form";
import type { Joined } from "./joined";
import { type Kept, type KeptText, toAbsentKey, toEmptyKey } from "./kept";
import { LONGEST_WAIT_MS } from "./lanes";
import type { Once } from "./once";
import { type Found, isOut, type Outcome, toAnswer, toFailed, toRefused } from "./outcome";
import { NotYet, QueueFull } from "./queue-refusals";
import type { AgedAnswer, Reader } from "./reader";

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
  limit: AgeLimit,
): Promise<AgedAnswer> {
  const { kept, once, nowMs } = options;
  const absentKey = toAbsentKey(key, reader.className);
  const untilMs = nowMs() + LONGEST_WAIT_MS;
  let stale: KeptText | undefined;
  let asked = 0;
  const look = async (): Promise<Outcome | undefined> => {
    const [text, empty, absent] = await kept.read([key, toEmptyKey(key), absentKey]);
    if (text !== undefined && text.atMs > limit.afterMs) return { is: "found", ...text };
    stale = limit.allowsStale ? text : undefined;
    const nothing = [empty, absent].find((each) => each !== undefined && each.atMs >= limit.absentFromMs);
    if (nothing === undefined) return undefined;
    return nothing === empty ? { is: "found", ...nothing } : { is: "absent", className: reader.className, ...nothing };
  };
  const ask = (joined?: Joined): Promise<Outcome> => {
    asked = 1;
    return askProvider(options, { key, absentKey, question, reader }, Math.max(0, untilMs - nowMs()), joined);
  };
  const load = async (): Promise<Outcome> => {
    const steps = { look: async () => [await look()], ask: (_: unknown, [joined]: readonly Joined[]) => [ask(joined)] };
    const [outcome] = await once.load([key], steps, reader.who);
    // What became of another's question, or was refused to others, is no answer to this one.
    const serves = isEverybodys(outcome!, reader) && isNewEnough(outcome!, limit);
    return asked === 0 && !serves ? ask() : outcome!;
  };
  const outcome = (await look()) ?? (await load());
  const isStale = outcome.is === "failed" && stale !== undefined && isOut(outcome);
  return { ...toAnswer(isStale ? { is: "found", ...stale! } : outcome, nowMs()), asked: 1, known: 1 - asked };
}

interface Asking {
  key: string;
  absentKey: string;
  question: ProviderQuestion;
  reader: Reader;
}

/** Counts what the reader has the provider asked for, asks, and keeps what comes. */
async function askProvider(
  { kept, askAlone, nowMs }: WholeOptions,
  { key, absentKey, question, reader }: Asking,
  waitMs: number,
  joined: Joined | undefined,
): Promise<Outcome> {
  const refused = await reader.count(1).catch((error: Error) => toRefused(error, reader.who));
  if (refused !== undefined) return refused;
  const said = await askAlone(reader, question, joined, waitMs).catch((error: Error) => error);
  if (said instanceof QueueFull) return toRefused(said, reader.who);
  const outcome = toOutcome(said, reader.className, nowMs());
  if (outcome.is === "absent") await kept.keepAbsent(new Map([[absentKey, outcome.body!]]), outcome.atMs);
  if (outcome.is === "found") {
    const { form, rows } = readContent(question.path, outcome.body);
    await reader.charge(countPages(rows) - 1);
    await keep(kept, key, form, outcome);
  }
  return outcome;
}

/** Keeps what serves others too. */
async function keep(kept: Kept, key: string, form: Form, { body, atMs }: Found) {
  if (form === "data") await kept.keep(new Map([[key, body]]), atMs);
  if (form === "nothing") await kept.keepAbsent(new Map([[toEmptyKey(key), body]]), atMs);
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

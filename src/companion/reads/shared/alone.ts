import type { ProviderAnswer, ProviderQuestion, ProviderReads } from "../../relay/provider-reads";
import { createLanes } from "./fair-queue";
import { createJoined, type Joined, NOBODY } from "./joined";
import type { Reader } from "./reader";

/** Asks the provider in a reader's turn; readers with the same rights who ask the same at one time are asked for once. */
export type AskAlone = (
  reader: Reader,
  question: ProviderQuestion,
  joined?: Joined,
  waitMs?: number,
) => Promise<ProviderAnswer>;

interface Flight {
  answer: Promise<ProviderAnswer>;
  add(who: string): void;
}

export function createAskAlone({ load }: ProviderReads): AskAlone {
  const lanes = createLanes();
  const flights = new Map<string, Flight>();
  return ({ who, className }, question, joined = NOBODY, waitMs) => {
    const { method, path, body = "" } = question;
    const key = JSON.stringify([className, method, path, body.toString()]);
    const flight = flights.get(key);
    flight?.add(who);
    if (flight !== undefined) joined.each(flight.add);
    if (flight !== undefined) return flight.answer;
    const all = createJoined();
    joined.each(all.add);
    const answer = lanes.run(who, () => load(question), all, waitMs).finally(() => flights.delete(key));
    flights.set(key, { answer, add: all.add });
    return answer;
  };
}

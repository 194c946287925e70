import type { ProviderAnswer } from "../../relay/answer";
import type { ProviderClient, ProviderQuery } from "../../relay/provider-client";
import { createFairQueue } from "./fair-queue";
import { createJoined, type Joined, NOBODY } from "./joined";
import type { Reader } from "./reader";

/** Asks the provider in a reader's turn; readers with the same rights who ask the same at one time are asked for once. */
export type AskAlone = (
  reader: Reader,
  query: ProviderQuery,
  joined?: Joined,
  waitMs?: number,
) => Promise<ProviderAnswer>;

interface Flight {
  answer: Promise<ProviderAnswer>;
  add(who: string): void;
}

export function createAskAlone({ load }: ProviderClient): AskAlone {
  const fairQueue = createFairQueue();
  const flights = new Map<string, Flight>();
  return ({ who, className }, query, joined = NOBODY, waitMs) => {
    const { method, path, body = "" } = query;
    const key = JSON.stringify([className, method, path, body.toString()]);
    const flight = flights.get(key);
    flight?.add(who);
    if (flight !== undefined) joined.each(flight.add);
    if (flight !== undefined) return flight.answer;
    const all = createJoined();
    joined.each(all.add);
    const answer = fairQueue.run(who, () => load(query), all, waitMs).finally(() => flights.delete(key));
    flights.set(key, { answer, add: all.add });
    return answer;
  };
}

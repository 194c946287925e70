import type { ProviderAnswer, ProviderQuestion, ProviderReads } from "../relay/provider-reads";
import { createLanes } from "./lanes";
import type { Reader } from "./reader";

/** Asks the provider in a reader's turn; readers with the same rights who ask the same at one time are asked for once. */
export type AskAlone = (reader: Reader, question: ProviderQuestion) => Promise<ProviderAnswer>;

export function createAskAlone({ load }: ProviderReads): AskAlone {
  const lanes = createLanes();
  const flights = new Map<string, Promise<ProviderAnswer>>();
  return ({ who, className }, question) => {
    const { method, path, body = "" } = question;
    const key = JSON.stringify([className, method, path, body.toString()]);
    const flight = flights.get(key) ?? lanes.run(who, () => load(question)).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}

import type { Question } from "../../feed/watch";
import type { Session } from "../../session/session";
import type { Knowledge } from "./cost";

/** What the session knows without asking. */
export function toKnowledge({ feed }: Session): Knowledge {
  const { watch, registrations, nameIndexes } = feed;
  const isKnown = (key: readonly unknown[]) => isWhole(watch.peek({ key } as Question<unknown>));
  return {
    isKnown,
    isAnswered: ({ key, within }) => isKnown(key) || (within !== undefined && isKnown(within)),
    isRegistered: (registrationNumber) => registrations.find(registrationNumber) !== null,
    isIndexed: (country) => nameIndexes.state(country).facts !== null,
  };
}

const isWhole = (state: ReturnType<Session["feed"]["watch"]["peek"]>): boolean =>
  state.status === "answered" && state.answer.isComplete;

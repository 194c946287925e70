import type { Answers, AnswersOptions } from "./persisted-cache/types";

export const NO_ANSWERS: Answers = {
  load: async () => null,
  keep: () => {},
  leaveOthers: () => {},
  size: async () => 0,
  forget: async () => true,
  hindrance: () => "absent",
};

/**
 * Makes the answers that are kept beyond the page. What keeps them is a script of its own, which comes while the companion
 * says whose they are; where it does not come, or there is no IndexedDB, nothing is kept.
 */
export function createAnswers(options: AnswersOptions): Answers {
  if (typeof indexedDB === "undefined") return NO_ANSWERS;
  let made: Answers | undefined;
  const store = import(/* webpackChunkName: "answers" */ "./persisted-cache/store")
    .then(({ createAnswerStore }) => createAnswerStore(options))
    .catch(() => NO_ANSWERS)
    .then((answers) => (made = answers));
  return {
    load: async (hashes) => (await store).load(hashes),
    keep: (...kept) => void store.then(({ keep }) => keep(...kept)),
    leaveOthers: async () => (await store).leaveOthers(),
    size: async () => (await store).size(),
    forget: async () => (await store).forget(),
    hindrance: () => made?.hindrance() ?? null,
  };
}

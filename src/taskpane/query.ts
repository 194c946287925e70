import { useEffect, useState } from "react";
import type { Question, State } from "../feed/query-cache";
import { usePane } from "./pane";

/** What is known of a question, and which question that is. */
export interface Known<T> {
  question: Question<T>;
  state: State<T>;
}

/**
 * Watches a question and keeps what is known of the one before until there is more of this one, so that what a person
 * reads does not go away while she types. The question must be the same object from one rendering to the next.
 */
export function useLastKnown<T>(question: Question<T> | null): Known<T> | null {
  const { watch } = usePane().session.feed;
  const [known, setKnown] = useState<Known<T> | null>(null);
  useEffect(() => {
    if (question === null) return setKnown(null);
    return watch.watch(question, (state) => setKnown({ question, state }));
  }, [watch, question]);
  return question === null ? null : known;
}

/** Watches a question, which must be the same object from one rendering to the next. */
export function useQuestion<T>(question: Question<T>): State<T> {
  const known = useLastKnown(question);
  return known?.question === question ? known.state : { status: "pending" };
}

import type { LoadContext, Query } from "../../src/feed/query-cache";
import { stream } from "../../src/functions/stream";
import type { Settled, View } from "../../src/functions/view-observer";
import type { Session } from "../../src/session/session";

/** A query that the test answers. */
export function createQuery(name: string) {
  const loads: { context: LoadContext<unknown>; answer: (value: unknown) => void; fail: (error: unknown) => void }[] =
    [];
  const query: Query<unknown> = {
    key: [name],
    load: (context) => new Promise((answer, fail) => loads.push({ context, answer, fail })),
  };
  return { query, loads };
}

export function createInvocation(isInValuePreview = false) {
  const shown: unknown[] = [];
  return { shown, isInValuePreview, onCanceled: () => {}, setResult: (value: unknown) => void shown.push(value) };
}

export type Invocation = ReturnType<typeof createInvocation>;

/** Streams a formula into a cell of the session. */
export function openCell(session: Session, invocation: Invocation, read: () => View): void {
  stream(session, invocation as unknown as CustomFunctions.StreamingInvocation<unknown[][]>, "TEST", {}, read);
}

export const toValue = (settled: Settled | undefined) => {
  if (settled?.status === "answered") return settled.answer.value;
  throw settled?.error;
};
export const viewOf = (...queries: Query<unknown>[]): View => ({
  queries,
  rereadsOnRefresh: false,
  show: (settled) => ({ rows: [settled.map(toValue)], expected: 1 }),
});

/** Runs everything that is due: loads start when a burst has ended, and the cache notifies in a later task. */
export const settle = async () => {
  for (let step = 0; step < 15; step++) await new Promise((resolve) => setTimeout(resolve));
};

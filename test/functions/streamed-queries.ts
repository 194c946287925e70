import { afterEach, beforeAll, beforeEach } from "@jest/globals";
import { createPorts, type Ports } from "../../src/client/ports";
import type { LoadContext, Query } from "../../src/feed/query-cache";
import { stream } from "../../src/functions/stream";
import type { Settled, View } from "../../src/functions/view-observer";
import { createSession, type Session } from "../../src/session/session";
import { installCustomFunctions } from "../office/custom-functions";

/** A query that the test answers. */
export function createQuery(name: string) {
  const loads: { context: LoadContext; answer: (value: unknown) => void; fail: (error: unknown) => void }[] = [];
  const query: Query<unknown> = {
    key: [name],
    load: (context) => new Promise((answer, fail) => loads.push({ context, answer, fail })),
  };
  return { query, loads };
}
type Loads = ReturnType<typeof createQuery>["loads"];
type Entered = ReturnType<typeof createQuery> & { invocation: Invocation; shown: readonly unknown[] };

export function createInvocation(isInValuePreview = false) {
  const shown: unknown[] = [];
  return { shown, isInValuePreview, onCanceled: () => {}, setResult: (value: unknown) => void shown.push(value) };
}

export type Invocation = ReturnType<typeof createInvocation>;

type Read = Parameters<typeof stream>[4];

/** Streams a formula into a cell of the session. */
export function openCell(session: Session, invocation: Invocation, read: Read): void {
  stream(session, invocation as unknown as CustomFunctions.StreamingInvocation<unknown[][]>, "TEST", {}, read);
}

export const toValue = (settled: Settled | undefined) => {
  if (settled?.status === "answered") return settled.answer.value;
  throw settled?.error;
};
export const viewOf = (...queries: Query<unknown>[]): View => ({
  queries,
  rereadsOnRefresh: false,
  show: (settled) => ({ rows: [settled.map(toValue)] }),
});

/** Runs everything that is due: loads start when a burst has ended, and the cache notifies in a later task. */
export const settle = async () => {
  for (let step = 0; step < 15; step++) await new Promise((resolve) => setTimeout(resolve));
};

/** Gives each test of a file a session, whose cells end with it. */
export function keepStreams() {
  const invocations: Invocation[] = [];
  const page = {
    ...({} as { session: Session }),
    start(ports: Ports = createPorts()): void {
      page.session?.feed.queryCache.close();
      page.session = createSession({ ports, companionUrl: "http://127.0.0.1:9" });
    },
    /** Enters a formula. @param given more of its invocation */
    open(read: Read, given: object = {}): Invocation {
      const invocation = { ...createInvocation(), ...given };
      invocations.push(invocation);
      openCell(page.session, invocation, read);
      return invocation;
    },
    /** Enters a formula of a query, and waits until it loads. */
    async enter(toView: (query: Query<unknown>) => View = viewOf): Promise<Entered> {
      const { query, loads } = createQuery("a");
      const invocation = page.open(() => toView(query));
      await settle();
      return { query, loads, invocation, shown: invocation.shown };
    },
    /** Refreshes, and answers the load that comes of it. */
    async refresh(loads: Loads, value: unknown): Promise<void> {
      const refreshed = page.session.refresh();
      await settle();
      await answer(loads, value);
      await refreshed;
      await settle();
    },
  };
  beforeAll(installCustomFunctions);
  beforeEach(() => page.start());
  afterEach(() => {
    for (const invocation of invocations.splice(0)) invocation.onCanceled();
    page.session.feed.queryCache.close();
  });
  return page;
}

/** Answers the last load of a query. */
export async function answer(loads: Loads, value: unknown): Promise<void> {
  loads.at(-1)?.answer(value);
  await settle();
}

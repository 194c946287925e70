import { createKeySigner, signAssertion } from "../../src/companion/assertion";
import { createFeed, type Feed } from "../../src/feed/feed";
import type { Loading, Query, State } from "../../src/feed/query-cache";
import { QuerySources } from "../../src/feed/query-cache/sources";
import { type ClockOptions, createClock } from "./clock";
import { type Answering, type Received, type RunningServer, startServer } from "./http-server";
import { answerCompanion } from "./plain-provider";
import { type ProviderOptions, startSandbox } from "./provider";

/** A feed at a running provider, with a signing companion API and its own clock. */
export type FeedOnSandbox = Awaited<ReturnType<typeof startFeed>>;

/** Delays of batches and retries pass by themselves; a test advances deadlines. */
const HURRY_MS = 1_000;

/** Starts the sandbox and a feed that reads it with assertions signed by a key of its own. */
export async function startFeed(options: ProviderOptions & { clock?: ClockOptions } = {}) {
  const { clock: clockOptions, ...provider } = options;
  const clock = createClock({ hurryMs: HURRY_MS, ...clockOptions });
  const sandbox = await startSandbox({ companies: 300, nowMs: clock.nowMs, ...provider });
  const tokenUrl = `${sandbox.baseUrl}/token`;
  const { clientId } = sandbox;
  const signer = createKeySigner(sandbox.kid, sandbox.privateKey);
  const api = await startServer(async () => ({
    json: { clientId, ...(await signAssertion(clientId, signer, tokenUrl, clock.nowMs())) },
  }));
  const feed = createFeed({ ports: clock.ports, companionUrl: api.url, onEvent: () => {} });
  feed.owner.set(clientId);
  feed.connect({ baseUrl: sandbox.baseUrl, tokenUrl, isRelayed: false });
  return {
    feed,
    clock,
    controls: sandbox.controls,
    /** The requests to the companion API. */
    signed: api.requests,
    async close(): Promise<void> {
      feed.queryCache.close();
      await Promise.all([sandbox.close(), api.close()]);
    },
  };
}

export type FeedOnServer = Awaited<ReturnType<typeof startFeedOn>>;

/**
 * Starts a provider with the test's answers, and a feed that reads it. Every token request gets a new token, unless
 * the test answers those paths itself.
 * @param owner The owner of persisted names; default the server's alone.
 * @param isRelayed Whether the provider is reached through a companion; default directly.
 */
export async function startFeedOn(
  answer: (request: Received) => Answering | undefined | Promise<Answering | undefined>,
  clockOptions: ClockOptions = {},
  owner?: string,
  isRelayed = false,
) {
  const clock = createClock({ hurryMs: HURRY_MS, ...clockOptions });
  let issued = 0;
  const server: RunningServer = await startServer(async (request) => {
    const own = await answer(request);
    if (own !== undefined) return own;
    const isCredential = request.path === ASSERTION_PATH || request.path === TOKEN_PATH;
    if (isCredential) return answerCompanion(request.path, server.url, ++issued)!;
    return { status: 404, json: {} };
  });
  const feed = createFeed({ ports: clock.ports, companionUrl: server.url, onEvent: () => {} });
  feed.owner.set(owner ?? server.url);
  feed.connect({ baseUrl: server.url, tokenUrl: server.url + TOKEN_PATH, isRelayed });
  return {
    feed,
    clock,
    server,
    requests: (): Received[] => server.requests.filter(({ path }) => path !== ASSERTION_PATH && path !== TOKEN_PATH),
    async close(): Promise<void> {
      feed.queryCache.close();
      await server.close();
    },
  };
}

export const ASSERTION_PATH = "/companion/assertion";
export const TOKEN_PATH = "/token";

/** A load of a query that no cache runs. */
export const startLoading = (signal: AbortSignal = new AbortController().signal): Loading => ({
  signal,
  sources: new QuerySources(),
});
/** Runs a query and gives its answer; rejects with its failure. */
export function awaitAnswer<T>(feed: Feed, query: Query<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = feed.queryCache.observe(query, (state: State<T>) => {
      if (state.status === "pending") return;
      queueMicrotask(() => stop());
      if (state.status === "failed") reject(state.error);
      else resolve(state.answer.value);
    });
  });
}

/** Subscribes to a query as a cell does; gives its states so far, and the answers among them. */
export function listen<T>({ queryCache }: Feed, query: Query<T>) {
  const states: State<T>[] = [];
  const stop = queryCache.observe(query, (state) => states.push(state));
  const answers = () => states.flatMap((state) => (state.status === "answered" ? [state.answer] : []));
  return { states, answers, stop };
}

/** The code of each failure, the value of each success. */
export async function settle<T>(answers: readonly Promise<T>[]): Promise<(T | string)[]> {
  const settled = await Promise.allSettled(answers);
  return settled.map((each) => (each.status === "fulfilled" ? each.value : (each.reason.code ?? String(each.reason))));
}

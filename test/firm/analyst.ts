import { Agent, fetch } from "undici";
import { FeedError } from "../../src/client/errors";
import { createPorts } from "../../src/client/ports";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import type { Feed } from "../../src/feed/feed";
import { pickMetric } from "../../src/feed/financials/metrics";
import type { Query } from "../../src/feed/query-cache/types";
import { createSession, type Session } from "../../src/session/session";
import { createStorage } from "../support/storage";
import { type Cell, listCells, listTruths } from "./figures";
import type { Firm } from "./firm";

/** Somebody who is signed in, with the client as the pane has it and connections of their own. */
export interface Analyst {
  /** Asks for ten years of each company, all at once as a workbook does, and compares what comes with the truth. */
  fill(companies: readonly number[]): Promise<Filled>;
  /** How many requests were left without an answer, or answered by a status of 500 or more, whatever came of trying again. */
  countBroken(): number;
  leave(): Promise<void>;
}

/** What came of some cells. */
export interface Filled {
  /** How long each cell waited for what it shows, in milliseconds. */
  waitsMs: number[];
  /** The codes of those that show a failure. */
  failed: string[];
  /** How many show another figure than the provider has, or one where it has none. */
  wrong: number;
}

type Send = typeof globalThis.fetch;

/** What a browser opens to one host. */
const CONNECTIONS = 6;

/** @param place Gives each an address of this machine's own, by which strangers are told apart before they are known. */
export async function signIn(origin: string, token: string, place: number): Promise<Analyst> {
  const localAddress = `127.1.${place >> 8}.${(place & 255) + 1}`;
  const dispatcher = new Agent({ connections: CONNECTIONS, connect: { localAddress } });
  let broken = 0;
  const send: Send = async (url, init) => {
    const answer = await fetch(String(url), { ...(init as object), dispatcher }).catch((error) => {
      broken += 1;
      throw error;
    });
    if (answer.status >= 500) broken += 1;
    return answer as never;
  };
  const session = createSession({
    ports: { ...createPorts(), storage: createStorage(), fetch: send },
    companionUrl: origin,
  });
  await session.pair(await takeCode(origin, token, send));
  return {
    fill: (companies) => fill(session, companies),
    countBroken: () => broken,
    async leave() {
      session.feed.queryCache.close();
      await dispatcher.destroy();
    },
  };
}

/** Signs so many people of a firm in. */
export const signAllIn = ({ origin, issuer }: Firm, count: number): Promise<Analyst[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, place) => signIn(origin, await issuer.issue(`analyst-${place}`), place)),
  );

/** Exchanges a token for the code by which its person pairs. */
export async function takeCode(origin: string, token: string, send: Send = globalThis.fetch): Promise<string> {
  const headers = { [CLIENT_HEADER]: CLIENT_NAME, "content-type": "application/json" };
  const body = JSON.stringify({ token });
  const answer = await send(`${origin}/companion/sign-in`, { method: "POST", headers, body });
  const { code } = (await answer.json()) as { code?: string };
  if (code === undefined) throw new Error(`A token was answered with ${answer.status}.`);
  return code;
}

async function fill(session: Session, companies: readonly number[]): Promise<Filled> {
  const filled: Filled = { waitsMs: [], failed: [], wrong: 0 };
  const truths = companies.flatMap(listTruths);
  const startMs = performance.now();
  const cells = companies.flatMap(listCells);
  await Promise.all(
    cells.map(async (cell, place) => {
      const shown = await show(session, cell);
      filled.waitsMs.push(performance.now() - startMs);
      if (shown instanceof Error) filled.failed.push((shown as FeedError).code ?? String(shown));
      else if (shown !== truths[place]) filled.wrong += 1;
    }),
  );
  return filled;
}

/** What a cell shows in the end: a figure, null where there is none, or a failure that is not asked again by itself. */
async function show({ feed }: Session, { companyId, year, metric }: Cell): Promise<number | string | null | Error> {
  try {
    const financials = await watch(feed, feed.financials.query({ companyId }, { year }));
    return pickMetric(financials, year, { name: metric, basis: [] }).value;
  } catch (error) {
    return error instanceof FeedError && error.code === "FEED_NO_VALUE" ? null : (error as Error);
  }
}

/** Gives the answer, also one that comes after a wait that was asked for. */
function watch<T>(feed: Feed, query: Query<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = feed.queryCache.observe(query, (state) => {
      // What failed for a pause is asked again by itself when that is over.
      const { families } = feed;
      const isToCome =
        state.status === "failed" && families.findCause(state.error) !== undefined && families.list().length > 0;
      if (state.status === "pending" || isToCome || (state.status === "answered" && !state.answer.isComplete)) return;
      queueMicrotask(() => stop());
      if (state.status === "failed") reject(state.error);
      else resolve(state.answer.value);
    });
  });
}

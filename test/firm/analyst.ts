import { Agent, fetch } from "undici";
import { FeedError } from "../../src/client/errors";
import { createPorts } from "../../src/client/ports";
import { readEndsAtOnce } from "../../src/companion/network";
import { CLIENT_HEADER, CLIENT_NAME, HELD, PAIRING_HEADER } from "../../src/contract/companion-api";
import type { Feed } from "../../src/feed/feed";
import { pickMetric } from "../../src/feed/financials/metrics";
import type { List } from "../../src/feed/pages";
import type { Query } from "../../src/feed/query-cache/types";
import { createSession, type Session } from "../../src/session/session";
import { createStorage } from "../support/storage";
import { type Cell, listCells, listTruths } from "./figures";
import type { Firm } from "./firm";

/** A signed-in person with the pane's client and their own connections. */
export type Analyst = Awaited<ReturnType<typeof signIn>>;

export interface FillResult {
  waitsMs: number[];
  failed: string[];
  /** How many show a figure other than the provider's, or one it does not have. */
  wrong: number;
}

type Send = typeof globalThis.fetch;

/** The connections a browser opens to one host. */
const CONNECTIONS = 6;

/** A person's connections, from a separate address of this machine for each place, which distinguishes strangers. */
export function openConnections({ authority }: Pick<Firm, "authority">, place: number) {
  const connect = { localAddress: `127.1.${place >> 8}.${(place & 255) + 1}`, ca: authority };
  const dispatcher = new Agent({ connections: CONNECTIONS, connect }).compose(readEndsAtOnce);
  const send: Send = async (url, init) => (await fetch(String(url), { ...(init as object), dispatcher })) as never;
  return { send, close: () => dispatcher.destroy() };
}

/** @param place As of openConnections. */
export async function signIn(firm: Pick<Firm, "origin" | "authority">, token: string, place: number) {
  const { origin } = firm;
  const { send, close } = openConnections(firm, place);
  const ports = { ...createPorts(), storage: createStorage(), fetch: send };
  const open = () => createSession({ ports, companionUrl: origin });
  let session = open();
  const leave = async () => {
    session.feed.queryCache.close();
    await close();
  };
  const pair = async () => session.pair(await takeCode(origin, token, send));
  await pair().catch((error) => leave().then(() => Promise.reject(error)));
  return {
    /** Requests ten years, or fewer, of each company at once, as a workbook does, and compares them with the truth. */
    fill: (companies: readonly number[], years?: number) => fill(session, companies, years),
    /** Gives a whole list, also after an outage. */
    list: (toQuery: (feed: Feed) => Query<List>) => watch(session, toQuery(session.feed)),
    /** Goes on as a page that is opened anew: with the pairing, and without an answer. */
    async reopen() {
      session.feed.queryCache.close();
      session = open();
      await session.connect();
    },
    /** Ends the pairing at the companion, and gives its bearer, which serves nobody from then on. */
    async endPairing() {
      const bearer = session.feed.pairing.read() ?? "";
      await session.unpair();
      return bearer;
    },
    leave,
  };
}

export const signAllIn = (firm: Firm, count: number): Promise<Analyst[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, place) => signIn(firm, await firm.issuer.issue(`analyst-${place}`), place)),
  );

/** Signs in a person who ignores every wait that a pane would respect, and gives the headers of their requests. */
export async function signInPlainly(
  { origin, issuer }: Pick<Firm, "origin" | "issuer">,
  person: string,
  send: Send = globalThis.fetch,
): Promise<Record<string, string>> {
  const headers = { [CLIENT_HEADER]: CLIENT_NAME, "content-type": "application/json" };
  const body = JSON.stringify({ code: await takeCode(origin, await issuer.issue(person), send) });
  const paired = await send(`${origin}/companion/pairing`, { method: "POST", headers, body });
  const { bearer } = (await paired.json()) as { bearer: string };
  return { ...headers, [PAIRING_HEADER]: bearer, authorization: `Bearer ${HELD}` };
}

/** Exchanges a token for the person's pairing code. */
async function takeCode(origin: string, token: string, send: Send = globalThis.fetch): Promise<string> {
  const headers = { [CLIENT_HEADER]: CLIENT_NAME, "content-type": "application/json" };
  const body = JSON.stringify({ token });
  const answer = await send(`${origin}/companion/sign-in`, { method: "POST", headers, body });
  const { code } = (await answer.json()) as { code?: string };
  if (code === undefined) throw new Error(`A token was answered with ${answer.status}.`);
  return code;
}

async function fill(session: Session, companies: readonly number[], years?: number): Promise<FillResult> {
  const filled: FillResult = { waitsMs: [], failed: [], wrong: 0 };
  const truths = companies.flatMap((company) => listTruths(company).slice(0, years));
  const startMs = performance.now();
  const cells = companies.flatMap((company) => listCells(company).slice(0, years));
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

/** A cell's final content: a figure, null without one, or a failure that stays. */
async function show(session: Session, { companyId, year, metric }: Cell): Promise<number | string | null | Error> {
  const { feed } = session;
  try {
    const financials = await watch(session, feed.financials.query({ companyId }, { year }));
    return pickMetric(financials, year, { name: metric, basis: [] }).value;
  } catch (error) {
    return error instanceof FeedError && error.code === "FEED_NO_VALUE" ? null : (error as Error);
  }
}

/** A failure that lasts longer stays. */
const LONGEST_FAILURE_MS = 120_000;

/** Gives the answer, even one that the pane gets after an outage. */
function watch<T>({ feed, pauses }: Session, query: Query<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let longest: NodeJS.Timeout | undefined;
    const stop = feed.queryCache.observe(query, (state) => {
      clearTimeout(longest);
      if (state.status === "pending") return;
      const end = () => {
        queueMicrotask(() => stop());
        if (state.status === "failed") reject(state.error);
        else resolve(state.answer.value);
      };
      // The pane repeats what failed in an outage.
      if (state.status === "failed" && pauses.list().length > 0) longest = setTimeout(end, LONGEST_FAILURE_MS);
      else end();
    });
  });
}

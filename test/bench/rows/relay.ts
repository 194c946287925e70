import { Agent } from "undici";
import { interleave, median } from "../measure";
import { type ProxyRoute, startProxies } from "../relay/proxies";
import { LARGE, type Query, SMALL } from "../relay/queries";
import type { Bench, Finding, Row } from "../row";

/** A page may send 12,000 requests a minute; no run needs more than four pages. */
const PAGES = 4;
const GOAL_RATIO = 0.8;
const AT_ONCE = [1, 6, 50];
const SMALL_REQUESTS = 1_000;
const LARGE_REQUESTS = 60;

/** The relay checks and counts each request; a bare proxy is its floor. */
export const RELAY: Row = {
  name: "relay",
  title: "The companion's relay beside a bare proxy",
  async measure(bench) {
    const { relay, bare, close } = await startProxies(PAGES);
    const findings: Finding[] = [];
    for (const atOnce of AT_ONCE) {
      const run = (query: Query, requests: number) => ({
        FEED: () => send(relay, query, requests, atOnce),
        floor: () => send(bare, query, requests, atOnce),
      });
      findings.push(await measureRate(bench, atOnce, run(SMALL, SMALL_REQUESTS)));
      findings.push(await measureFlow(bench, atOnce, run(LARGE, LARGE_REQUESTS)));
    }
    close();
    return findings;
  },
};

interface Sent {
  requests: number;
  bytes: number;
  seconds: number;
}

type Contenders = Record<"FEED" | "floor", () => Promise<Sent>>;

async function measureRate(bench: Bench, atOnce: number, contenders: Contenders): Promise<Finding> {
  const samples = await take(bench, contenders, ({ requests, seconds }) => requests / seconds);
  return { what: `small answers, ${atOnce} at once`, unit: "requests/s", samples, goal: toGoal(samples) };
}

async function measureFlow(bench: Bench, atOnce: number, contenders: Contenders): Promise<Finding> {
  const samples = await take(bench, contenders, ({ bytes, seconds }) => bytes / 2 ** 20 / seconds);
  return { what: `answers of a megabyte, ${atOnce} at once`, unit: "MB/s", samples, goal: toGoal(samples) };
}

async function take({ rounds }: Bench, contenders: Contenders, toFigure: (sent: Sent) => number) {
  await interleave(1, contenders); // new processes are slower, each differently
  const { FEED, floor } = await interleave(rounds, contenders);
  return { FEED: FEED.map(toFigure), floor: floor.map(toFigure) };
}

function toGoal({ FEED, floor }: Record<"FEED" | "floor", number[]>): Finding["goal"] {
  return { text: `${GOAL_RATIO} of the floor`, isReached: median(FEED) >= GOAL_RATIO * median(floor) };
}

/** Sends a query repeatedly with constant parallelism. */
async function send(
  { origin, prefix, pages }: ProxyRoute,
  query: Query,
  requests: number,
  atOnce: number,
): Promise<Sent> {
  const path = prefix + query.path;
  const agent = new Agent({ connections: atOnce });
  let begun = 0;
  let bytes = 0;
  const sendRead = async () => {
    while (begun < requests) {
      const headers = pages[begun++ % pages.length];
      const { statusCode, body } = await agent.request({ origin, path, method: "GET", headers });
      for await (const part of body) bytes += part.length;
      if (statusCode !== 200) throw new Error(`${origin}${path} was answered with ${statusCode}.`);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: atOnce }, sendRead));
  const seconds = (performance.now() - startMs) / 1_000;
  await agent.close();
  return { requests, bytes, seconds };
}

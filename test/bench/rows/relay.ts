import { Agent } from "undici";
import { interleave, mapValues, median } from "../measure";
import { LARGE, type ProxyRoute, type Query, SMALL, startProxies } from "../relay/proxies";
import { type Finding, type Row, toFinding } from "../row";

/** A page may send 12,000 requests a minute; no run needs more than four pages. */
const PAGES = 4;
const GOAL_RATIO = 0.8;
const AT_ONCE = [1, 6, 50];

/** How many requests each query takes, and what their figure is. */
const KINDS = [
  { query: SMALL, requests: 1_000, what: "small answers", unit: "requests/s", size: null },
  { query: LARGE, requests: 60, what: "answers of a megabyte", unit: "MB/s", size: 2 ** 20 },
] as const;

/** The relay checks and counts each request; a bare proxy is its floor. */
export const RELAY: Row = {
  name: "relay",
  title: "The companion's relay beside a bare proxy",
  async measure({ rounds }) {
    const { relay, bare, close } = await startProxies(PAGES);
    const findings: Finding[] = [];
    for (const atOnce of AT_ONCE) {
      for (const { query, requests, what, unit, size } of KINDS) {
        const contenders = mapValues({ FEED: relay, floor: bare }, (route) => async () => {
          const { bytes, seconds } = await send(route, query, requests, atOnce);
          return (size === null ? requests : bytes / size) / seconds;
        });
        await interleave(1, contenders); // new processes are slower, each differently
        const samples = await interleave(rounds, contenders);
        const isReached = median(samples.FEED) >= GOAL_RATIO * median(samples.floor);
        const goal = [`${GOAL_RATIO} of the floor`, isReached] as const;
        findings.push(toFinding(`${what}, ${atOnce} at once`, unit, samples, goal));
      }
    }
    await close();
    return findings;
  },
};

async function send({ origin, prefix, pages }: ProxyRoute, query: Query, requests: number, atOnce: number) {
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
  return { bytes, seconds };
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER } from "../../../src/contract/companion-api";
import { createKey, startSingle, toSettings } from "../../firm/instances";
import { startForked } from "../../support/forked";

/** A query sent through either proxy, and the number of companies in its answer. */
export interface Query {
  path: string;
  companies: number;
}

const COMPANIES = "/asia/private-markets/v1/companies";

/** A few hundred bytes, as for one company. */
export const SMALL: Query = { path: `${COMPANIES}?page=1&page_size=3`, companies: 3 };
/** A megabyte. */
export const LARGE: Query = { path: `${COMPANIES}?page=1&page_size=9300`, companies: 9_300 };

export interface ProxyRoute {
  origin: string;
  prefix: string;
  /** The headers of each page, used in rotation. */
  pages: readonly Record<string, string>[];
}

const startServer = (...words: string[]) => startForked<number, object, null>(join(__dirname, "servers.ts"), ...words);

/**
 * Starts the companion's relay and a bare proxy before one provider, each in a process of its own.
 * @param count Paired pages; each has its own rate limit.
 */
export async function startProxies(count: number) {
  const folder = mkdtempSync(join(tmpdir(), "feed-bench-"));
  createKey(folder);
  const upstream = await startServer();
  const bare = await startServer(String(upstream.begun));
  const client = { clientId: "client", keyId: "key" };
  const settings = toSettings(folder, `http://127.0.0.1:${upstream.begun}`, client);
  const companion = await startSingle(settings);
  const pages: Record<string, string>[] = [];
  for (let page = 0; page < count; page++) {
    const bearer = await companion.pair();
    pages.push({ [CLIENT_HEADER]: CLIENT_NAME, [PAIRING_HEADER]: bearer, authorization: "Bearer token" });
  }
  const [relay, proxy]: ProxyRoute[] = [
    { origin: companion.origin, prefix: "/companion/relay", pages },
    { origin: `http://127.0.0.1:${bare.begun}`, prefix: "", pages },
  ];
  const close = async () => {
    await companion.close();
    for (const each of [upstream, bare]) each.close();
    rmSync(folder, { recursive: true });
  };
  return { relay: relay!, bare: proxy!, close };
}

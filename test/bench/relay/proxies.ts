import { type ChildProcess, execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER } from "../../../src/contract/companion-api";

const PROGRAM = join(__dirname, "../../../dist/companion/main.mjs");
const LOADER = join(__dirname, "../../support/typescript.cjs");

/** The proxy's address and a page's headers. */
export interface ProxyRoute {
  origin: string;
  /** The prefix of the API's paths. */
  prefix: string;
  /** The headers of each page, used in rotation. */
  pages: readonly Record<string, string>[];
}

/** The companion's relay and a bare proxy before one provider, each in a process of its own. */
export interface Proxies {
  relay: ProxyRoute;
  bare: ProxyRoute;
  close(): void;
}

/** @param pages Paired pages; each has its own rate limit. */
export async function startProxies(pages: number): Promise<Proxies> {
  const folder = mkdtempSync(join(tmpdir(), "feed-bench-"));
  const [upstream, port] = await startServer("upstream-process.ts");
  const [proxy, bare] = await startServer("bare-process.ts", port);
  const companion = await startCompanion(folder, port);
  const paired: ProxyRoute["pages"][number][] = [];
  for (let page = 0; page < pages; page++) paired.push(await pair(folder, companion.origin));
  return {
    relay: { origin: companion.origin, prefix: "/companion/relay", pages: paired },
    bare: { origin: `http://127.0.0.1:${bare}`, prefix: "", pages: paired },
    close() {
      companion.child.kill();
      for (const child of [upstream, proxy]) child.disconnect();
      rmSync(folder, { recursive: true });
    },
  };
}

async function startServer(file: string, ...words: number[]): Promise<[ChildProcess, port: number]> {
  const child = fork(join(__dirname, file), words.map(String), { execArgv: ["--require", LOADER] });
  const [port] = await once(child, "message");
  return [child, port];
}

/** The built program with a provider, as a person starts it, in its own folder. */
async function startCompanion(folder: string, providerPort: number): Promise<{ child: ChildProcess; origin: string }> {
  const made = runCommand(folder, "keygen", "--no-passphrase");
  const settings = {
    HOST: "127.0.0.1",
    PORT: "0",
    FEED_BASE_URL: `http://127.0.0.1:${providerPort}`,
    FEED_CLIENT_ID: "client",
    FEED_KEY_ID: "key",
    FEED_PRIVATE_KEY_FILE: /The private key is in (.*), not encrypted/.exec(made)?.[1],
  };
  const child = spawn(process.execPath, [PROGRAM, "start"], { env: { ...toEnvironment(folder), ...settings } });
  for await (const said of child.stdout) {
    const origin = /http:\/\/[\d.:]+/.exec(String(said))?.[0];
    if (origin === undefined) continue;
    child.stdout.resume();
    return { child, origin };
  }
  throw new Error("The companion did not start.");
}

async function pair(folder: string, origin: string): Promise<Record<string, string>> {
  const known = { [CLIENT_HEADER]: CLIENT_NAME };
  const headers = { ...known, "content-type": "application/json" };
  const post = async (path: string, body: object) => {
    const answer = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, string>;
  };
  const { name = "", secret } = await post("/companion/pairing/request", {});
  const [code] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(runCommand(folder, "pair", name)) ?? [];
  const { bearer = "" } = await post("/companion/pairing", { code: `${code}.${secret}` });
  return { ...known, [PAIRING_HEADER]: bearer, authorization: "Bearer token" };
}

const runCommand = (folder: string, ...words: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, ...words], { env: toEnvironment(folder), encoding: "utf8" });

const toEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  USERPROFILE: folder,
  APPDATA: folder,
  XDG_CONFIG_HOME: folder,
});

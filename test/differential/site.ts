import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { startBalancer } from "../firm/balancer";
import { findPorts } from "../firm/firm";
import { startInstance } from "../firm/instances";
import { AUDIENCE, startIssuer } from "../firm/issuer";
import { startRedis } from "../firm/redis";
import { CLIENT } from "./access";
import type { Provider } from "./provider";

export const MODES = ["sign", "relay", "firm"] as const;

/** How pages reach the provider: a companion in sign mode, one in relay mode, or a firm's three with a store. */
export type Mode = (typeof MODES)[number];

/** The built companion and the provider, in separate processes. */
export interface Site {
  mode: Mode;
  origin: string;
  /** Pairs a page, and gives its bearer. */
  pair(person: string): Promise<string>;
  close(): Promise<void>;
}

const PROGRAM = join(__dirname, "../../dist/companion/main.mjs");
const INSTANCES = 3;
const MOST_TRIES = 200;

type Closing = () => unknown;

export async function startSite(mode: Mode, provider: Provider): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "feed-differential-"));
  const keyFile = join(folder, "key.pem");
  writeFileSync(keyFile, provider.access.privateKey, { mode: 0o600 });
  const settings = toSettings(folder, provider.baseUrl, keyFile, mode);
  const closings: Closing[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const closing of closings.reverse()) await closing();
  };
  try {
    const started = mode === "firm" ? startFirm(folder, settings, closings) : startOne(settings, closings);
    return { mode, ...(await started), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The run refreshes what changed a moment ago. */
const REFRESHED_AT_ONCE = { FEED_REFRESH_SECONDS: "0" };

/** Limits beyond what a run needs: it tests the provider's faults, not these. */
const toSettings = (folder: string, baseUrl: string, keyFile: string, mode: Mode): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  USERPROFILE: folder,
  APPDATA: folder,
  XDG_CONFIG_HOME: folder,
  LOG_LEVEL: "error",
  FEED_BASE_URL: baseUrl,
  FEED_CLIENT_ID: CLIENT.clientId,
  FEED_KEY_ID: CLIENT.keyId,
  FEED_PRIVATE_KEY_FILE: keyFile,
  FEED_MODE: mode === "sign" ? "sign" : "relay",
  ...(mode !== "sign" && {
    FEED_PROVIDER_PER_MINUTE: "60000",
    FEED_PERSON_PER_MINUTE: "1000000",
    ...REFRESHED_AT_ONCE,
  }),
});

async function startOne(settings: NodeJS.ProcessEnv, closings: Closing[]): Promise<Omit<Site, "mode" | "close">> {
  const [port] = (await findPorts(1)) as [number];
  const program = await startInstance(port, { environment: settings });
  closings.push(() => program.stop());
  const origin = `http://127.0.0.1:${port}`;
  const env = { ...settings, HOST: "127.0.0.1", PORT: String(port) };
  return {
    origin,
    async pair() {
      const request = await post<{ name: string; secret: string }>(`${origin}/companion/pairing/request`, {});
      const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "pair", request.name], {
        env,
        encoding: "utf8",
      });
      const [code] = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(stdout) ?? [];
      if (code === undefined) throw new Error(`No pairing code: ${stdout}${stderr}`);
      return pairBy(origin, `${code}.${request.secret}`);
    },
  };
}

async function startFirm(folder: string, settings: NodeJS.ProcessEnv, closings: Closing[]) {
  const [ahead, storePort, ...ports] = (await findPorts(2 + INSTANCES)) as [number, number, ...number[]];
  const issuer = await startIssuer();
  closings.push(() => issuer.close());
  const redis = await startRedis(folder, storePort);
  closings.push(() => redis.kill());
  const origin = `http://127.0.0.1:${ahead}`;
  const environment = {
    ...settings,
    ALLOWED_ORIGINS: origin,
    FEED_STORE: `redis://127.0.0.1:${storePort}`,
    FEED_SIGN_IN_ISSUER: issuer.url,
    FEED_SIGN_IN_CLIENT_ID: AUDIENCE,
    FEED_TRUSTED_PROXIES: "127.0.0.1",
  };
  const instances = await Promise.all(ports.map((port) => startInstance(port, { environment })));
  closings.push(() => Promise.all(instances.map(({ stop }) => stop())));
  const balancer = startBalancer(folder, ahead, ports);
  closings.push(() => balancer.kill());
  return {
    origin,
    async pair(person: string) {
      const { code } = await post<{ code: string }>(`${origin}/companion/sign-in`, {
        token: await issuer.issue(person),
      });
      return pairBy(origin, code);
    },
  };
}

const pairBy = async (origin: string, code: string): Promise<string> =>
  (await post<{ bearer: string }>(`${origin}/companion/pairing`, { code })).bearer;

/** A balancer needs a moment to listen. */
async function post<T>(url: string, body: object): Promise<T> {
  const headers = { [CLIENT_HEADER]: CLIENT_NAME, "content-type": "application/json" };
  for (let tries = 1; ; tries++) {
    try {
      const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as T;
    } catch (error) {
      if (tries === MOST_TRIES || (error as Error).message !== "fetch failed") throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

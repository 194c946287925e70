import { generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPort } from "../support/free-port.mjs";
import { until } from "../support/until";
import { startBalancer } from "./balancer";
import { readStanding, startInstance } from "./instances";
import { AUDIENCE, type Issuer, startIssuer } from "./issuer";
import type { MemoryCap } from "./memory-cap";
import type { Program } from "./program";
import { CLIENT, type FirmProvider, startProvider } from "./provider";
import { startRedis } from "./redis";

export interface FirmOptions {
  /** The provider's number of companies. */
  companies: number;
  /** Settings of the instances beside those of a firm. */
  settings?: NodeJS.ProcessEnv;
  /** Node arguments of the first instance, such as a profiler's. */
  firstWords?: readonly string[];
  /** Caps the memory of each instance; default no cap. */
  cap?: Pick<MemoryCap, "within">;
  /** Arguments of Redis, such as its largest memory. */
  storeWords?: readonly string[];
}

/** A firm on this machine: its provider, its issuer, three instances on one Redis, and a balancer. */
export interface Firm {
  /** The public address. */
  origin: string;
  provider: FirmProvider;
  issuer: Issuer;
  /** The store's address. */
  storeUrl: string;
  /** Where each instance itself answers, and where its metrics are. */
  addresses: readonly { service: string; metrics: string }[];
  /** The running programs; a killed one stays here until it is restarted. */
  programs: { redis: Program; balancer: Program; instances: Program[] };
  /** Gives the metrics of each instance, in Prometheus' form; undefined for one that does not answer. */
  readMetrics(): Promise<(string | undefined)[]>;
  /** The health of each running instance. */
  readStandings(): Promise<string[]>;
  /** Waits until every running instance reports this health. */
  awaitStanding(status: string): Promise<void>;
  restartInstance(place: number): Promise<void>;
  restartRedis(): Promise<void>;
  close(): Promise<void>;
}

const INSTANCES = 3;
const LONGEST_SCRAPE_MS = 1000;

export async function startFirm(options: FirmOptions): Promise<Firm> {
  const { companies, settings = {}, firstWords = [], cap, storeWords } = options;
  const folder = mkdtempSync(join(tmpdir(), "feed-firm-"));
  const jwk = createKey(folder);
  const [ahead, storePort, ...free] = (await findPorts(2 + 2 * INSTANCES)) as [number, number, ...number[]];
  const [ports, metricsPorts] = [free.slice(0, INSTANCES), free.slice(INSTANCES)];
  const addresses = ports.map((port, place) => ({
    service: `http://127.0.0.1:${port}`,
    metrics: `http://127.0.0.1:${metricsPorts[place]}/metrics`,
  }));
  const [provider, issuer] = [await startProvider({ companies, jwk }), await startIssuer()];
  const [origin, storeUrl] = [`http://127.0.0.1:${ahead}`, `redis://127.0.0.1:${storePort}`];
  const environment = { ...toSettings({ folder, provider, issuer, storeUrl, origin }), ...settings };
  const start = (place: number) =>
    startInstance(ports[place]!, {
      environment: { FEED_METRICS: `127.0.0.1:${metricsPorts[place]}`, ...environment },
      words: place === 0 ? firstWords : [],
      ...(cap && { within: cap.within(place) }),
    });
  const redis = await startRedis(folder, storePort, storeWords);
  const balancer = startBalancer(folder, ahead, ports);
  const programs: Firm["programs"] = { redis, balancer, instances: [] };
  const close = async () => {
    await Promise.all(programs.instances.map(({ stop }) => stop()));
    await Promise.all([balancer.kill(), programs.redis.kill()]);
    provider.close();
    issuer.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const started = await Promise.allSettled(ports.map((_port, place) => start(place)));
  programs.instances = started.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  if (programs.instances.length < INSTANCES) {
    await close();
    throw new Error("Not every instance of the companion became ready; what they said is above.");
  }
  const readStandings = () => {
    const running = ports.filter((_port, place) => programs.instances[place]?.isRunning());
    return Promise.all(running.map(readStanding));
  };
  return {
    ...{ origin, provider, issuer, storeUrl, programs, close },
    addresses,
    readMetrics: () => Promise.all(addresses.map(({ metrics }) => readText(metrics))),
    readStandings,
    awaitStanding: (status) => until(async () => (await readStandings()).every((each) => each === status)),
    async restartInstance(place) {
      programs.instances[place] = await start(place);
    },
    async restartRedis() {
      programs.redis = await startRedis(folder, storePort, storeWords);
    },
  };
}

/** Scrapes as Prometheus does, but for a shorter time. */
async function readText(address: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(LONGEST_SCRAPE_MS);
  const answer = await fetch(address, { signal }).catch(() => undefined);
  return answer?.text();
}

/** Creates the firm's key, and its registration at the provider. */
function createKey(folder: string): JsonWebKey {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(toKeyPath(folder), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return publicKey.export({ format: "jwk" });
}

const toKeyPath = (folder: string): string => join(folder, "key.pem");

interface Parts {
  folder: string;
  provider: FirmProvider;
  issuer: Issuer;
  storeUrl: string;
  origin: string;
}

const toSettings = ({ folder, provider, issuer, storeUrl, origin }: Parts): NodeJS.ProcessEnv => ({
  HOME: folder,
  USERPROFILE: folder,
  APPDATA: folder,
  XDG_CONFIG_HOME: folder,
  LOG_LEVEL: "error",
  ALLOWED_ORIGINS: origin,
  FEED_MODE: "relay",
  FEED_STORE: storeUrl,
  FEED_BASE_URL: provider.baseUrl,
  FEED_CLIENT_ID: CLIENT.clientId,
  FEED_KEY_ID: CLIENT.keyId,
  FEED_PRIVATE_KEY_FILE: toKeyPath(folder),
  FEED_SIGN_IN_ISSUER: issuer.url,
  FEED_SIGN_IN_CLIENT_ID: AUDIENCE,
  FEED_TRUSTED_PROXIES: "127.0.0.1",
});

/** Finds free ports. */
export async function findPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findPort());
  return [...ports];
}

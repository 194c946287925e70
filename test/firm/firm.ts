import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Certificate } from "../../src/companion/certificate";
import { createSignInKey } from "../../src/companion/key-folder";
import { readTestCertificate } from "../support/certificate";
import { startRedis } from "../support/redis.mjs";
import { until } from "../support/until";
import { type AtWork, startBalancer } from "./balancer";
import { createKey, DEPLOYED, findPorts, type OwnClient, readStanding, startInstance, toSettings } from "./instances";
import { AUDIENCE, startIssuer } from "./issuer";
import type { MemoryCap } from "./memory-cap";
import type { Program } from "./program";
import { CLIENT, startProvider } from "./provider";

export interface FirmOptions {
  /** Settings of the instances beside those of a firm. */
  settings?: NodeJS.ProcessEnv;
  /** Caps the memory of each instance; default no cap. */
  cap?: Pick<MemoryCap, "within">;
  /** Arguments of Redis, such as its largest memory. */
  storeWords?: string[];
  /** Whether three instances work at once; default one works, and one waits. */
  areAllAtWork?: boolean;
  /** For https before the instances; default http. */
  certificate?: Certificate;
}

/** A firm on this machine: its provider, its issuer, its instances on one Redis, and a balancer. */
export type Firm = Awaited<ReturnType<typeof startFirm>>;

const LONGEST_SCRAPE_MS = 1000;

/** Starts a firm at the sandbox. @param options.companies The provider's number of companies. */
export async function startFirm({ companies, ...options }: FirmOptions & { companies: number }) {
  const folder = mkdtempSync(join(tmpdir(), "feed-firm-"));
  const provider = await startProvider({ companies, jwk: createKey(folder) });
  const end = () => {
    provider.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const certificate = await readTestCertificate();
    const firm = await startFirmAt(provider.baseUrl, CLIENT, folder, { certificate, ...options });
    return { ...firm, provider, close: () => firm.close().finally(end) };
  } catch (error) {
    end();
    throw error;
  }
}

/** Starts the firm of a client at any provider. @param folder Has its key, and takes the files of its programs. */
export async function startFirmAt(
  baseUrl: string,
  client: OwnClient,
  folder: string,
  { settings = {}, cap, storeWords = [], areAllAtWork = false, certificate }: FirmOptions,
) {
  const count = areAllAtWork ? 3 : 2;
  const [ahead, storePort, ...free] = (await findPorts(2 + 2 * count)) as [number, number, ...number[]];
  const [ports, metricsPorts] = [free.slice(0, count), free.slice(count)];
  const addresses = ports.map((port, place) => ({
    service: `http://127.0.0.1:${port}`,
    metrics: `http://127.0.0.1:${metricsPorts[place]}/metrics`,
  }));
  const issuer = await startIssuer();
  const [origin, storeUrl] = [`http${certificate ? "s" : ""}://127.0.0.1:${ahead}`, `redis://127.0.0.1:${storePort}`];
  const signInKey = join(folder, "sign-in.key");
  if (!existsSync(signInKey)) createSignInKey(signInKey);
  const environment = {
    ...DEPLOYED,
    ...toSettings(folder, baseUrl, client),
    ALLOWED_ORIGINS: origin,
    FEED_MODE: "relay",
    FEED_STORE: storeUrl,
    FEED_SIGN_IN_KEY_FILE: signInKey,
    FEED_SIGN_IN_ISSUER: issuer.url,
    FEED_SIGN_IN_CLIENT_ID: AUDIENCE,
    FEED_TRUSTED_PROXIES: "127.0.0.1",
    ...settings,
  };
  const start = (place: number, words: readonly string[] = []) =>
    startInstance(ports[place]!, {
      environment: { FEED_METRICS: `127.0.0.1:${metricsPorts[place]}`, ...environment },
      words,
      ...(cap && { within: cap.within(place) }),
    });
  const redis = await startRedis({ port: storePort, words: storeWords });
  const balance = (atWork: AtWork) => startBalancer(folder, { port: ahead, instances: ports, certificate, atWork });
  const balancer = balance(areAllAtWork ? "each" : "first");
  /** The running programs; a killed one stays here until it is restarted. */
  const programs = { redis, balancer, instances: [] as Program[] };
  const close = async () => {
    await Promise.all(programs.instances.map(({ stop }) => stop()));
    await Promise.all([programs.balancer.kill(), programs.redis.kill()]);
    await issuer.close();
  };
  const started = await Promise.allSettled(ports.map((_port, place) => start(place)));
  programs.instances = started.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  if (programs.instances.length < count) {
    await close();
    throw new Error("Not every instance of the companion became ready; what they said is above.");
  }
  const readStandings = () => {
    const running = ports.filter((_port, place) => programs.instances[place]?.isRunning());
    return Promise.all(running.map(readStanding));
  };
  return {
    ...{ origin, issuer, storeUrl, programs, close, addresses },
    /** The authority of the certificate, for those who connect; PEM. */
    authority: certificate?.authority,
    /** Gives the metrics of each instance, in Prometheus' form; undefined for one that does not answer. */
    readMetrics: () => Promise.all(addresses.map(({ metrics }) => readText(metrics))),
    readStandings,
    /** Waits until every running instance reports this health. */
    awaitStanding: (status: string) => until(async () => (await readStandings()).every((each) => each === status)),
    /** @param words Arguments of Node itself; default none. */
    async restartInstance(place: number, words?: readonly string[]) {
      programs.instances[place] = await start(place, words);
    },
    async restartBalancer(atWork: AtWork) {
      await programs.balancer.stop();
      programs.balancer = balance(atWork);
    },
    async restartRedis() {
      programs.redis = await startRedis({ port: storePort, words: storeWords });
    },
  };
}

/** Scrapes as Prometheus does, but for a shorter time. */
async function readText(address: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(LONGEST_SCRAPE_MS);
  const answer = await fetch(address, { signal }).catch(() => undefined);
  return answer?.text();
}

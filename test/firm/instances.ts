import { spawnSync } from "node:child_process";
import { generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { findPort } from "../support/free-port.mjs";
import { until } from "../support/until";
import { type Program, startProgram } from "./program";

const ROOT = join(__dirname, "../..");
export const PROGRAM = join(ROOT, "dist/companion/main.mjs");

const DOCKERFILE = readFileSync(join(ROOT, "src/firm/deploy/Dockerfile"), "utf8");
/** What the deployed image sets for Node and its allocator. */
export const DEPLOYED: NodeJS.ProcessEnv = Object.fromEntries(
  [...DOCKERFILE.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
);

const READY_WITHIN_MS = 40_000;
const STANDINGS = ["ready", "degraded"];
const LONGEST_ANSWER_MS = 2000;

export interface InstanceOptions {
  environment: NodeJS.ProcessEnv;
  /** Arguments of Node itself; default none. */
  words?: readonly string[];
  /** A command that runs the rest of its words under a cap; default none. */
  within?: readonly string[];
}

/** Starts one of the firm's companions, the built program, and waits until it is ready. */
export async function startInstance(
  port: number,
  { environment, words = [], within = [] }: InstanceOptions,
): Promise<Program> {
  const env = { PATH: process.env.PATH, ...environment, HOST: "127.0.0.1", PORT: String(port) };
  const [command = process.execPath, ...rest] = [...within, process.execPath, ...words, PROGRAM, "start"];
  const instance = startProgram(command, rest, env);
  const isReady = async () => STANDINGS.includes(await readStanding(port));
  await until(async () => !instance.isRunning() || (await isReady()), READY_WITHIN_MS).catch(() => {});
  if (instance.isRunning() && (await isReady())) return instance;
  await instance.kill();
  throw new Error("An instance of the companion did not become ready; what it said is above.");
}

/** The health of an instance; nothing if it does not answer. */
export async function readStanding(port: number): Promise<string> {
  const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined);
  const { status = "" } = ((await answer?.json().catch(() => undefined)) ?? {}) as { status?: string };
  return status;
}

export async function findPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findPort());
  return [...ports];
}

export interface OwnClient {
  clientId: string;
  keyId: string;
}

const toKeyPath = (folder: string): string => join(folder, "key.pem");

/** Creates a client's key in a folder, for its registration at the provider. */
export function createKey(folder: string): JsonWebKey {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(toKeyPath(folder), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return publicKey.export({ format: "jwk" });
}

/** The settings of a companion that has its home and its key in a folder. */
export const toSettings = (folder: string, baseUrl: string, { clientId, keyId }: OwnClient): NodeJS.ProcessEnv => ({
  HOME: folder,
  USERPROFILE: folder,
  APPDATA: folder,
  XDG_CONFIG_HOME: folder,
  LOG_LEVEL: "error",
  FEED_BASE_URL: baseUrl,
  FEED_CLIENT_ID: clientId,
  FEED_KEY_ID: keyId,
  FEED_PRIVATE_KEY_FILE: toKeyPath(folder),
});

/** Starts one companion without a firm, the built program. */
export async function startSingle(environment: NodeJS.ProcessEnv) {
  const [port] = (await findPorts(1)) as [number];
  const { stop } = await startInstance(port, { environment });
  const origin = `http://127.0.0.1:${port}`;
  const post = async (path: string, body: object) => {
    const headers = { [CLIENT_HEADER]: CLIENT_NAME, "content-type": "application/json" };
    const answer = await fetch(`${origin}/companion/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, string>;
  };
  /** Pairs a page as a person does, and gives its bearer. */
  const pair = async () => {
    const { name = "", secret } = await post("pairing/request", {});
    const env = { PATH: process.env.PATH, ...environment, HOST: "127.0.0.1", PORT: String(port) };
    const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "pair", name], { env, encoding: "utf8" });
    const [code] = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(stdout) ?? [];
    const { bearer } = await post("pairing", { code: `${code}.${secret}` });
    if (bearer === undefined) throw new Error(`No pairing: ${stdout}${stderr}`);
    return bearer;
  };
  return { origin, pair, close: stop };
}

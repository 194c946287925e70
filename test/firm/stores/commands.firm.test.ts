import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { runCommand } from "../../../src/companion/command";
import { createSignInKey } from "../../../src/companion/key-folder";
import { requestCode } from "../../companion/code-request";
import { COMPLETE } from "../../companion/complete-settings";
import { createPages } from "../../companion/pages-folder";
import { readPort, sendRaw } from "../../companion/raw-request";
import { findPort } from "../../support/free-port.mjs";
import { startRedis } from "../../support/redis.mjs";
import { until } from "../../support/until";

const webFolder = createPages();
/** A page at the origin common to all instances. */
const PAGE = { "feed-client": "excel", "content-type": "application/json", host: "feed.example.org" };
const AWAY =
  "The server that all instances share (FEED_STORE) does not answer: try again in a minute, or see whether it runs.";

let server: Awaited<ReturnType<typeof startRedis>>;
let folder: string;
let keyFile: string;
let apps: FastifyInstance[];

beforeAll(async () => {
  keyFile = join(mkdtempSync(join(tmpdir(), "feed-sign-in-key-")), "sign-in.key");
  createSignInKey(keyFile);
  server = await startRedis();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-stores-"));
  apps = [];
});
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()));
  rmSync(folder, { recursive: true });
});
afterAll(async () => {
  rmSync(dirname(keyFile), { recursive: true });
  await server.kill();
});

const toEnvironment = () => ({
  ...COMPLETE,
  FEED_MODE: "relay",
  FEED_STORE: server.url,
  FEED_SIGN_IN_KEY_FILE: keyFile,
  ALLOWED_ORIGINS: "https://feed.example.org",
});

/** Runs a command as on another machine, with an empty personal folder. */
async function run(
  words: string[],
  environment: NodeJS.ProcessEnv = toEnvironment(),
  lines: string[] = [],
): Promise<string[]> {
  const print = (line: string) => void lines.push(line);
  const plain = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
  const own = mkdtempSync(join(folder, "machine-"));
  const app = await runCommand(words, { environment: { ...plain, ...environment }, webFolder, print, folder: own });
  if (app !== undefined) apps.push(app);
  return lines;
}

async function start(): Promise<{ port: number; lines: string[] }> {
  const lines = await run(["start"]);
  return { port: readPort(apps.at(-1)!), lines };
}

const readCode = ([line = ""]: string[]) => /[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}/.exec(line)?.[0];

/** Requests a code at one companion and pairs with the code of this command. */
async function pairAt(
  port: number,
  ...command: [words: string[], environment?: NodeJS.ProcessEnv]
): Promise<{ id: string; bearer: string }> {
  const { name, secret } = await requestCode(port);
  const [words, environment] = command;
  const code = `${readCode(await run(["pair", name, ...words], environment))}.${secret}`;
  const { body } = await sendRaw(port, "POST", "/companion/pairing", PAGE, JSON.stringify({ code }));
  return JSON.parse(body);
}

async function readStatus(port: number, bearer: string): Promise<number> {
  return (await sendRaw(port, "GET", "/companion/config", { ...PAGE, "feed-pairing": bearer })).status;
}

async function readReady(port: number): Promise<unknown[]> {
  const { status, body } = await sendRaw(port, "GET", "/readyz");
  return [status, JSON.parse(body).status];
}

describe("companions with FEED_STORE", () => {
  it("share a pairing of the command pair, until unpair ends it on all of them", async () => {
    const [one, other] = [await start(), await start()];
    const { id, bearer } = await pairAt(one.port, []);
    expect([await readStatus(one.port, bearer), await readStatus(other.port, bearer)]).toEqual([200, 200]);
    expect(await run(["pair", "--list"])).toEqual([expect.stringContaining(id)]);
    expect((await start()).lines).toHaveLength(1);
    expect(await run(["unpair", id])).toEqual([`Ended: the pairing ${id}.`]);
    for (const { port } of [one, other]) await until(async () => (await readStatus(port, bearer)) === 401);
    expect(await run(["unpair", "--all"])).toEqual(["Ended: 0 pairings, and the code if one waited."]);
  });

  it("are reached by the commands through an administrator's settings file too", async () => {
    const { port } = await start();
    const path = join(folder, "settings.json");
    writeFileSync(path, JSON.stringify(toEnvironment()), { mode: 0o600 });
    const { id } = await pairAt(port, ["--settings", path], {});
    expect(await run(["unpair", id, "--settings", path], {})).toEqual([`Ended: the pairing ${id}.`]);
  });
});

it("a server that does not answer is reported by the commands, and by a start, which listens only once the server has come", async () => {
  await server.kill();
  const commands = [["pair"], ["pair", "--list"], ["unpair", "1"], ["unpair", "--all"]];
  await Promise.all(commands.map((words) => expect(run(words)).rejects.toThrow(AWAY)));
  const lines: string[] = [];
  const starting = run(["start"], toEnvironment(), lines);
  await until(() => lines.length > 0);
  expect([lines, apps]).toEqual([[AWAY], []]);
  server = await startRedis({ port: server.port });
  await starting;
  expect(lines).toEqual([AWAY, expect.stringContaining("FEED for Excel is ready")]);
  const port = readPort(apps.at(-1)!);
  expect(await readReady(port)).toEqual([200, "ready"]);
  expect(await readStatus(port, "a-bearer")).toBe(401);
  await server.kill();
  await until(async () => (await readReady(port))[1] === "degraded");
  expect((await readReady(port))[0]).toBe(200);
  server = await startRedis({ port: server.port });
});

/** Its second port is given by name: the one that it takes itself, 10,000 above the first, may be another's. */
const CLUSTER = ["--cluster-enabled", "yes", "--cluster-config-file"];

it.each([
  ["Redis Cluster", async () => [...CLUSTER, join(folder, "nodes.conf"), "--cluster-port", `${await findPort()}`]],
  ["Redis Sentinel", async () => ["--sentinel"]],
])("a store of an unsupported kind is refused by its name at the start: %s", async (name, toWords) => {
  const path = join(folder, "redis.conf");
  writeFileSync(path, "");
  const odd = await startRedis({ words: await toWords(), config: path });
  const environment = { ...toEnvironment(), FEED_STORE: odd.url };
  await expect(run(["start"], environment)).rejects.toThrow(
    `FEED_STORE is a ${name}. Give the address of a single Redis or Valkey.`,
  );
  await odd.kill();
});

/** Runs the command check, and gives its lines. */
async function check(settings: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const lines: string[] = [];
  await run(["check"], { ...toEnvironment(), ...settings }, lines).catch(() => {});
  return lines;
}

it("the command check says whether the store and the identity provider answer", async () => {
  const signIn = { FEED_SIGN_IN_ISSUER: "http://127.0.0.1:9", FEED_SIGN_IN_CLIENT_ID: "feed" };
  const lines = await check(signIn);
  expect(lines).toContain("pass  The server of FEED_STORE answers.");
  expect(lines).toContainEqual(expect.stringMatching(/^FAIL {2}The identity provider does not answer well/));
  expect(await check({ ...signIn, FEED_STORE: "redis://127.0.0.1:9" })).toContain(
    "FAIL  The server of FEED_STORE does not answer: see whether it runs, and check its address and password.",
  );
});

it("a store with a password serves commands that read it from its file, and none without", async () => {
  const password = "p@ss/w:rd%1 #2";
  const guarded = await startRedis({ words: ["--requirepass", password] });
  const path = join(folder, "password.txt");
  writeFileSync(path, `${password}\n`, { mode: 0o600 });
  const environment = { ...toEnvironment(), FEED_STORE: guarded.url };
  const unlocked = run(["unpair", "--all"], { ...environment, FEED_STORE_PASSWORD_FILE: path });
  expect(await unlocked).toEqual(["Ended: 0 pairings, and the code if one waited."]);
  await expect(run(["unpair", "--all"], environment)).rejects.toThrow(AWAY);
  await guarded.kill();
});

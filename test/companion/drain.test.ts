import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER } from "../../src/contract/companion-api";
import { until } from "../support/until";
import { requestCode } from "./code-request";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { type RawAnswer, sendRaw } from "./raw-request";
import { privateKey } from "./test-configuration";

const MAIN = join(__dirname, "../../dist/companion/main.mjs");
const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const REQUESTS = 200;
/** The most connections that the companion opens to a provider. */
const UNDER_WAY = 128;
const BODY = JSON.stringify(["x".repeat(10_000)]);

let folder: string;
let provider: ProviderServer;
let child: ChildProcess;
let output: string;
const waiting: ServerResponse[] = [];

/** The built companion with this provider, as an administrator starts it. */
function start(): void {
  const keyFile = join(folder, "key.pem");
  writeFileSync(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const { PATH } = process.env;
  const settings = {
    FEED_BASE_URL: `http://127.0.0.1:${provider.port}`,
    FEED_CLIENT_ID: "client-1",
    FEED_KEY_ID: "kid-1",
    FEED_PRIVATE_KEY_FILE: keyFile,
  };
  const environment = { PATH, HOME: folder, XDG_CONFIG_HOME: folder, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "fatal" };
  child = spawn(process.execPath, [MAIN, "start"], { env: { ...environment, ...settings } });
  child.stdout?.on("data", (part) => {
    output += part;
  });
}

const find = (pattern: RegExp): string => pattern.exec(output)?.[1] ?? "";

function readCode(name: string): string | undefined {
  const environment = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder };
  return /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(
    execFileSync(process.execPath, [MAIN, "pair", name], { env: environment, encoding: "utf8" }),
  )?.[0];
}

/** Pairs by a code of the command. */
async function pair(port: number): Promise<Record<string, string>> {
  const client = { [CLIENT_HEADER]: CLIENT_NAME, host: `127.0.0.1:${port}` };
  const { name, secret } = await requestCode(port, { host: `127.0.0.1:${port}` });
  const code = JSON.stringify({ code: `${readCode(name)}.${secret}` });
  const json = { ...client, "content-type": "application/json" };
  const { body } = await sendRaw(port, "POST", "/companion/pairing", json, code);
  return { ...client, [PAIRING_HEADER]: JSON.parse(body).bearer };
}

beforeEach(async () => {
  output = "";
  folder = mkdtempSync(join(tmpdir(), "feed-drain-"));
  provider = await createProviderServer((_request, response) => void waiting.push(response));
  start();
});
afterEach(async () => {
  child.kill("SIGKILL");
  for (const response of waiting.splice(0)) response.destroy();
  await provider.close();
  rmSync(folder, { recursive: true });
});

it("answers 200 pending requests in full on SIGTERM, accepts no new connection, and exits with 0", async () => {
  await until(() => output.includes("ready"));
  const port = Number(find(/127\.0\.0\.1:(\d+)\//));
  const headers = await pair(port);
  let settled = 0;
  const answers = Array.from({ length: REQUESTS }, () =>
    sendRaw(port, "GET", TREE, headers)
      .catch((error: Error): RawAnswer => ({ status: 0, headers: {}, body: error.message }))
      .finally(() => settled++),
  );
  await until(() => waiting.length === UNDER_WAY);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await until(isRefused(port));
  expect(settled).toBe(0);

  // Half of each answer first, which must not be cut there.
  const finish = (response: ServerResponse) =>
    response.write(BODY.slice(0, 5000), () => response.end(BODY.slice(5000)));
  const finishAll = () => waiting.splice(0).map(finish).length === 0 && settled === REQUESTS;
  await until(finishAll);
  const whole = (await Promise.all(answers)).filter(({ status, body }) => status === 200 && body === BODY);
  expect(whole).toHaveLength(REQUESTS);
  expect(provider.seen).toHaveLength(REQUESTS);
  expect(await ended).toEqual([0, null]);
});

it("ends a personal companion within seconds even if an answer never comes", async () => {
  await until(() => output.includes("ready"));
  const port = Number(find(/127\.0\.0\.1:(\d+)\//));
  const answer = sendRaw(port, "GET", TREE, await pair(port)).then(
    () => "answered",
    () => "cut",
  );
  await until(() => waiting.length === 1);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([1, null]);
  expect(await answer).toBe("cut");
});

/** Resolves once the port refuses connections; checked after each answer. */
function isRefused(port: number): () => boolean {
  let refused = false;
  const send = () => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => socket.destroy());
    socket.once("error", () => {
      refused = true;
    });
    socket.once("close", () => refused || send());
  };
  send();
  return () => refused;
}

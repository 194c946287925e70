import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer, type RequestOptions, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type SecureVersion, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { createProviderServer, type ProviderServer } from "../companion/provider-server";
import { readSerial } from "../companion/raw-request";
import { findPort } from "../support/free-port.mjs";
import { findNginx } from "../support/program-path.mjs";
import { until } from "../support/until";
import { readNginx } from "./nginx-settings";

const DEPLOYED = readNginx("nginx.conf");
const COMPANY = "3f0c6f52-6f3e-4f0e-9a56-0f6d5a1f0001";

let folder: string;
let instance: ProviderServer;
/** Whether the instance leaves requests pending, and those for its health too. */
let isHolding = false;
let isSilent = false;
const held: ServerResponse[] = [];
let nginx: ChildProcess | undefined;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feed-nginx-"));
  createCertificate();
  instance = await createProviderServer(({ url }, response) => {
    if (isSilent || (isHolding && url !== "/healthz")) held.push(response);
    else response.end("{}");
  });
});
afterEach(async () => {
  isHolding = false;
  isSilent = false;
  held.length = 0;
  nginx?.kill("SIGTERM");
  if (nginx) await once(nginx, "exit");
  nginx = undefined;
});
afterAll(async () => {
  await instance.close();
  rmSync(folder, { recursive: true });
});

/** Creates the certificate and its key, in place of earlier ones. */
function createCertificate(): void {
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", join(folder, "tls-key"), "-out", join(folder, "tls-certificate")];
  const making = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files];
  execFileSync("openssl", making, { stdio: "ignore" });
}

/** Starts nginx with the deployed configuration and TLS before one instance; a test can lower its limits. */
const start = (...changes: [RegExp, string][]) => launch("daemon off; master_process off;", changes);

async function launch(mode: string, changes: [RegExp, string][] = []): Promise<void> {
  port = await findPort();
  rmSync(join(folder, "access.log"), { force: true });
  const local: [RegExp, string][] = [
    [/^\s*resolver .*;/m, ""],
    [/ resolve\b/g, ""],
    [/server companion-\d:3000 /g, `server 127.0.0.1:${instance.port} `],
    [/listen 8443 /, `listen 127.0.0.1:${port} `],
    [/\/run\/secrets\//g, `${folder}/`],
    [/\/dev\/stderr/, "stderr"],
    [/\/dev\/stdout/, `${folder}/access.log`],
    [/\/tmp\/(?!feed-nginx)/g, `${folder}/`],
  ];
  const text = [...local, ...changes].reduce((before, [from, to]) => before.replace(from, to), DEPLOYED);
  writeFileSync(join(folder, "nginx.conf"), text);
  const words = ["-c", join(folder, "nginx.conf"), "-p", folder, "-e", "stderr"];
  nginx = spawn(findNginx() ?? "nginx", [...words, "-g", mode], { stdio: ["ignore", "ignore", "inherit"] });
  let isReady = false;
  const probe = () =>
    connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, function (this: TLSSocket) {
      isReady = true;
      this.destroy();
    }).once("error", () => setImmediate(probe));
  probe();
  await until(() => isReady || nginx?.exitCode !== null);
}

/** Sends a request and gives the status. */
async function getStatus(path: string, options: RequestOptions = {}): Promise<number> {
  const sent = request({ host: "127.0.0.1", port, path, rejectUnauthorized: false, agent: false, ...options }).end();
  const [answer] = await once(sent, "response");
  answer.resume();
  await once(answer, "end");
  return answer.statusCode;
}

/** Gives the cipher of a client's connection, or undefined if it is refused. */
async function findCipher(ciphers: string, version: SecureVersion): Promise<string | undefined> {
  const versions = { minVersion: version, maxVersion: version };
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ciphers, ...versions });
  try {
    await once(socket, "secureConnect");
    return socket.getCipher().name;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** The serial number of the certificate that a new connection gets. */
describe("nginx with the deployed configuration", () => {
  it("serves a renewed certificate once it is told to reload, and cuts off no request", async () => {
    // Only a master process reloads.
    await launch("daemon off;");
    const former = await readSerial(port);
    isHolding = true;
    const underWay = getStatus("/companion/config");
    await until(() => held.length === 1);
    createCertificate();
    expect(await readSerial(port)).toBe(former);
    nginx?.kill("SIGHUP");
    await until(async () => (await readSerial(port)) !== former);
    held[0]!.end("{}");
    expect(await underWay).toBe(200);
  });

  it("sends everything to one instance, and to the waiting one while that is silent", async () => {
    const waiting = await createProviderServer((_request, response) => void response.end("{}"));
    await start([/server \S+ (max_fails=1 fail_timeout=2s backup)/, `server 127.0.0.1:${waiting.port} $1`]);
    for (let count = 0; count < 5; count += 1) expect(await getStatus("/companion/config")).toBe(200);
    expect(waiting.seen).toEqual([]);
    isSilent = true;
    expect(await getStatus("/companion/config")).toBe(200);
    expect(waiting.seen.map(({ url }) => url)).toEqual(["/healthz", "/companion/config"]);
    await waiting.close();
  });

  it("reaches instances by https where they have a certificate", async () => {
    const [key, cert] = ["tls-key", "tls-certificate"].map((name) => readFileSync(join(folder, name)));
    const seen: (string | undefined)[] = [];
    const secure = createServer({ key, cert }, ({ url }, response) => {
      seen.push(url);
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(secure, "listening");
    const address = `server 127.0.0.1:${(secure.address() as AddressInfo).port} `;
    await start([/server 127\.0\.0\.1:\d+ /g, address], [/scheme http;/, "scheme https;"]);
    const paths = ["/taskpane.html?et=", "/companion/config", "/companion/relay/japan/ranking/v1/a%2Fb"];
    for (const path of paths) expect(await getStatus(path)).toBe(200);
    expect(seen).toEqual(paths.flatMap((path) => ["/healthz", path]));
    secure.close();
  });

  it("goes on after an update where nginx.conf is older, and names no scheme", async () => {
    await start([/^ *set \$instance_scheme http;$/m, ""]);
    expect(await getStatus("/companion/config")).toBe(200);
  });

  it("holds a read until an instance answers again, where all are silent", async () => {
    await start();
    isSilent = true;
    const path = "/companion/relay/asia/private-markets/v1/companies";
    const reading = getStatus(path);
    const counted = () => instance.seen.filter(({ url }) => url === path).length;
    const before = counted();
    await until(() => counted() > before);
    isSilent = false;
    for (const response of held) response.end("{}");
    expect(await reading).toBe(200);
  });

  it("offers ciphers with forward secrecy alone, of TLS 1.2 and 1.3", async () => {
    await start();
    for (const weak of ["AES128-SHA", "AES256-GCM-SHA384", "ECDHE-RSA-AES256-SHA384", "ECDHE-RSA-AES128-SHA"])
      expect([weak, await findCipher(`${weak}:@SECLEVEL=0`, "TLSv1.2")]).toEqual([weak, undefined]);
    expect(await findCipher("DEFAULT:@SECLEVEL=0", "TLSv1.1")).toBeUndefined();
    for (const good of ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305"])
      expect(await findCipher(good, "TLSv1.2")).toBe(good);
    expect(await findCipher("TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLSv1.3")).toMatch(/^TLS_/);
  });

  it("ends a connection whose headers never end", async () => {
    await start();
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    socket.resume().on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
    expect(instance.seen.filter(({ headers }) => "x-slow" in headers)).toEqual([]);
  });

  it("logs who requested which family and the status, and no id, query or secret", async () => {
    await start();
    const relay = "/companion/relay/asia/private-markets/v1";
    const headers = { "feed-pairing": "canary-bearer", authorization: "Bearer canary-token", cookie: "feed=canary" };
    await getStatus(`${relay}/companies/${COMPANY}?identifier=canary-number`, { headers });
    await getStatus("/sign-in/callback?code=canary-code&state=canary-state");
    await getStatus("/companion/canary-path");
    await getStatus("/canary-page?x=canary");
    await getStatus("/taskpane.html?_host_Info=canary", {
      headers: { referer: "https://canary", "user-agent": "canary" },
    });
    const read = () => readFileSync(join(folder, "access.log"), "utf8").trim().split("\n");
    await until(() => read().length >= 5);
    const lines = read().map((line) => JSON.parse(line));
    expect(lines.map(({ method, place, status }) => [method, place, status])).toEqual([
      ["GET", "/companion/relay/asia/private-markets", "200"],
      ["GET", "/sign-in", "200"],
      ["GET", "/companion", "200"],
      ["GET", "other", "200"],
      ["GET", "/taskpane.html", "200"],
    ]);
    expect(lines[0]).toMatchObject({ caller: "127.0.0.1", tls: expect.stringMatching(/^TLSv1\.[23] /) });
    expect(read().join()).not.toMatch(/canary|3f0c6f52/);
  });

  it("refuses one address more requests than a firm sends, with 429", async () => {
    await start([/rate=\d+r\/s/, "rate=1r/s"], [/burst=\d+/, "burst=3"]);
    const statuses = [];
    for (let count = 0; count < 8; count += 1) statuses.push(await getStatus("/healthz"));
    expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200]);
    expect(statuses.slice(5)).toContain(429);
  });

  it("refuses one address more parallel requests than a firm has, with 429, and answers others", async () => {
    await start([/(limit_conn \w+) \d+/, "$1 3"]);
    isHolding = true;
    const pending = Array.from({ length: 3 }, () => getStatus("/companion/config").catch(() => 0));
    await until(() => held.length === 3);
    expect(await getStatus("/healthz")).toBe(429);
    expect(await getStatus("/healthz", { localAddress: "127.0.0.2" })).toBe(200);
    nginx?.kill("SIGKILL");
    await Promise.all(pending);
  });
});

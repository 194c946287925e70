import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { startCompanion } from "../support/companion";
import { type RunningProvider, startSandbox } from "../support/provider";
import { startRedis } from "../support/redis.mjs";
import { ROOT, readText } from "./examples";

const PAGE = readText("docs/firm.md");

/** Programs that a test cannot run here, or that would change the machine: each notes its words. */
const NOTED = ["chgrp", "chown", "apt-get", "curl", "kubectl", "nginx", "systemctl"];
/** What docker prints of an image, as its documentation shows. */
const DIGEST = "sha256:21a3deaa0d32a8057914f36584b5288d2e5ecc984380bc0118285c70fa8c9300";

let provider: RunningProvider;
/** In place of the machine's root. */
let root: string;
beforeAll(async () => {
  provider = await startSandbox({ companies: 10 });
});
afterAll(() => provider.close());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "feed-deploying-"));
  unpack(join(root, "feed-for-excel-VERSION"));
  for (const place of ["bin", "etc/nginx", "etc/redis", "etc/systemd/system", "opt"]) {
    mkdirSync(join(root, place), { recursive: true });
  }
  for (const name of NOTED) write(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >> ${root}/noted\n`, 0o755);
  write(
    "bin/docker",
    `#!/bin/sh\necho "docker $*" >> ${root}/noted\n[ $1 = compose ] || echo "Digest:    ${DIGEST}"\n`,
    0o755,
  );
});
afterEach(() => rmSync(root, { recursive: true }));

/** Puts the files that the commands need where the package has them. */
function unpack(folder: string): void {
  mkdirSync(folder);
  cpSync(join(ROOT, "src/firm/deploy"), join(folder, "deploy"), { recursive: true });
  cpSync(join(ROOT, "src/companion/packaged.mjs"), join(folder, "feed.mjs"));
  for (const name of ["companion", "web"]) symlinkSync(join(ROOT, "dist", name), join(folder, name));
}

const read = (place: string) => readFileSync(join(root, place), "utf8");
const modeOf = (place: string) => (statSync(join(root, place)).mode & 0o777).toString(8);

function write(place: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(join(root, place)), { recursive: true });
  writeFileSync(join(root, place), text, { mode });
}

/** The blocks of a chapter: of commands, or of a language. */
function listBlocks(heading: string, wanted = ""): string[] {
  const [, chapter = ""] = PAGE.split(new RegExp(`\n##+ ${heading}\n`));
  const [text = ""] = chapter.split(/\n##+ /);
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, block = ""]) => (language === wanted ? [block] : []));
}

/** Puts the test's root before paths of the machine. */
const toLocal = (text: string): string => text.replace(/(?<![\w.])\/(?=(etc|opt)\/)/g, `${root}/`);

/** Runs a block in a folder, and gives what it prints. */
async function run(block = "", folder = root): Promise<string> {
  const environment = { ...process.env, HOME: root, PATH: `${join(root, "bin")}:${process.env.PATH}` };
  const child = spawn("bash", ["-c", block], { cwd: folder, env: environment });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => printed.push(String(part)));
  await once(child, "close");
  return printed.join("");
}

/** Fills the placeholders of a settings file in; the provider is the test's own. */
function fill(place: string): void {
  const values: Record<string, string> = {
    "the client id that the provider issued": provider.clientId,
    "the key id that the provider issued": provider.kid,
    "the name that people use": "feed.example.com",
  };
  const text = read(place)
    .replace("https://<the provider's host>", provider.baseUrl)
    .replace(/<([^<>]+)>/g, (_, name: string) => values[name] ?? "00000000-0000-0000-0000-000000000000");
  writeFileSync(join(root, place), text);
}

/** Registers the key that the commands made in place of the provider's own, as its answer would. */
const takeKey = (place: string) =>
  writeFileSync(join(root, place), provider.privateKey.export({ type: "pkcs8", format: "pem" }));

const PROXY_NOTE = "note  The certificate of https://feed.example.com is its proxy's, and is not checked here.";

/** What a check says but for the identity provider, which is nobody's. */
const listFailures = (printed: string) =>
  printed
    .split("\n")
    .filter((line) => /^(FAIL|note|Error)/.test(line) && !/identity provider|1 of \d+ checks/.test(line));

const SETTINGS = "etc/feed-for-excel/settings.json";

/** Runs the first commands of one instance, and does by hand what they leave to do. */
async function setUpInstance() {
  const [making] = listBlocks("One instance").map(toLocal);
  expect(await run(making)).toContain("Send only this to your provider:");
  expect(modeOf("etc/feed-for-excel/sign-in.txt")).toBe("600");
  takeKey("etc/feed-for-excel/key.pem");
  fill(SETTINGS);
  writeFileSync(join(root, SETTINGS), toLocal(read(SETTINGS)));
}

/** Adds the lines of a chapter to the settings, but the store is the test's own. */
function addSettings(heading: string, url: string): void {
  const [added = ""] = listBlocks(heading, "json");
  const settings = { ...JSON.parse(read(SETTINGS)), ...JSON.parse(`{${added.trim().slice(0, -1)}}`), FEED_STORE: url };
  writeFileSync(join(root, SETTINGS), JSON.stringify(settings, null, 2));
}

/** Starts the store that the commands for a second instance configure, and adds its settings. */
async function addStore() {
  const [storing] = listBlocks("On the same machine").map(toLocal);
  write("etc/redis/redis.conf", "bind 127.0.0.1 -::1\nsave 3600 1\nappendonly yes\n");
  expect(await run(storing)).toBe("");
  const redis = await startRedis({ config: join(root, "etc/redis/redis.conf") });
  addSettings("On the same machine", redis.url);
  return redis;
}

/** The instances in nginx's list, which equals that of the last resort: the first works, and the others wait. */
function listServers(): string[] {
  const servers = (limit: string) =>
    [...read("etc/nginx/nginx.conf").matchAll(new RegExp(`^ +server (\\S+) max_fails=${limit};$`, "gm"))].map(
      ([, address = ""]) => address,
    );
  const [first, ...others] = servers("0");
  expect([servers("1 fail_timeout=2s"), servers("1 fail_timeout=2s backup")]).toEqual([[first], others]);
  return servers("0");
}

describe("the commands of the deployment guide", () => {
  it("make one key and settings for Docker, and find no mistake in them once they are filled in", async () => {
    const [making, checking, starting] = listBlocks("With Docker");
    const printed = await run(making);
    expect(printed).toContain("Send only this to your provider:");
    const deploy = "feed-for-excel-VERSION/deploy";
    expect(printed).toContain(join(root, deploy, "secrets/key.pem"));
    expect(modeOf(`${deploy}/secrets/key.pem`)).toBe("600");
    expect(read(`${deploy}/.env`).match(/^\w+_DIGEST=.*$/gm)).toHaveLength(3);
    expect(read(`${deploy}/.env`)).not.toMatch(/_DIGEST=$/m);
    write(`${deploy}/secrets/sign-in.txt`, "of the application");
    fill(`${deploy}/settings/settings.json`);
    takeKey(`${deploy}/secrets/key.pem`);
    const checked = await run(checking, join(root, deploy));
    expect(checked).toContain("pass  The settings are complete.");
    expect(listFailures(checked)).toEqual([PROXY_NOTE]);
    expect(existsSync(join(root, deploy, "check.json"))).toBe(false);
    write(`${deploy}/tls/key.pem`, "of the certificate");
    expect(await run(starting, join(root, deploy))).toBe("");
    expect([modeOf(`${deploy}/secrets/store.txt`), modeOf(`${deploy}/tls/key.pem`)]).toEqual(["440", "400"]);
    expect(read("noted").split("\n").at(-2)).toBe("docker compose up --detach");
  });

  it("make keys and settings of one instance for systemd, and the files of nginx", async () => {
    const [, checking, proxy = ""] = listBlocks("One instance").map(toLocal);
    await setUpInstance();
    const checked = await run(checking);
    expect(listFailures(checked)).toEqual([PROXY_NOTE]);
    expect(checked).toContain("pass  The settings are complete.");
    expect(read("etc/systemd/system/feed-for-excel@.service")).toContain("ExecStart=");
    expect(read("noted")).toContain("systemctl enable --now feed-for-excel@1\n");
    write("own/certificate.pem", "certificate");
    write("own/key.pem", "its key");
    expect(await run(proxy.replaceAll("PATH/", "own/"))).toBe("");
    expect([read("etc/nginx/tls/key.pem"), modeOf("etc/nginx/tls/key.pem"), modeOf("etc/nginx/tls")]).toEqual([
      ...["its key", "600", "700"],
    ]);
    expect(listServers()).toEqual(["127.0.0.1:3001", "127.0.0.1:3002"]);
  });

  it("add a store and a second instance on the same machine", async () => {
    const [, starting] = listBlocks("On the same machine").map(toLocal);
    await setUpInstance();
    const redis = await addStore();
    const checked = await run(starting, join(root, "etc/feed-for-excel"));
    await redis.kill();
    expect(listFailures(checked)).toEqual([PROXY_NOTE]);
    expect(checked).toContain("pass  The server of FEED_STORE answers.");
    expect(read("noted")).toContain("systemctl restart feed-for-excel@1\nsystemctl enable --now feed-for-excel@2\n");
  });

  it("let all instances work at once, by a hash in place of the waiting ones", async () => {
    const [command] = listBlocks("Several at work");
    write("nginx.conf", readText("src/firm/deploy/nginx.conf"));
    expect(await run(command)).toBe("");
    expect(read("nginx.conf")).toMatch(/^ +zone companions 64k;\n +hash \$http_feed_pairing consistent;$/m);
    expect(read("nginx.conf")).not.toContain(" backup;");
  });

  it("let two machines share a store, behind an nginx that knows both", async () => {
    const [, checking, proxy = ""] = listBlocks("One instance").map(toLocal);
    const [listening, joining] = listBlocks("On two machines").map(toLocal);
    await setUpInstance();
    const redis = await addStore();
    await run(proxy.slice(proxy.indexOf("cp ")));
    expect(await run(listening)).toBe("");
    expect(read("etc/redis/feed-for-excel.conf")).toMatch(/^bind 127\.0\.0\.1 10\.0\.0\.11$/m);
    addSettings("On two machines", redis.url);
    const checked = await run(checking);
    await redis.kill();
    expect(listFailures(checked)).toEqual([PROXY_NOTE]);
    expect(await run(joining)).toBe("");
    expect(listServers()).toEqual(["10.0.0.11:3001", "10.0.0.12:3001"]);
  });

  it("show each placeholder that is left for Kubernetes", async () => {
    const [making] = listBlocks("Kubernetes");
    const deploy = join(root, "feed-for-excel-VERSION/deploy");
    expect(await run(making, deploy)).toContain('"FEED_CLIENT_ID": "<the client id that the provider issued>"');
    rmSync(join(deploy, "feed-key.pem"));
    const filled = readFileSync(join(deploy, "kubernetes.yaml"), "utf8").replace(/<[^<>]+>/g, "x");
    writeFileSync(join(deploy, "kubernetes.yaml"), filled);
    expect((await run(making, deploy)).split("and run: ")[1]?.split("\n").slice(1).join("")).toBe("");
  });

  it("show from a person's computer that the companion is ready, and fetch its manifest", async () => {
    const [, commands = ""] = PAGE.match(/^```\n((?:curl .+\n)+)/m) ?? [];
    rmSync(join(root, "bin/curl"));
    const companion = await startCompanion({ companies: 10 });
    const printed = await run(commands.replaceAll("https://feed.example.com", companion.origin));
    await companion.close();
    expect(printed).toContain('{"status":"ready"}');
    expect(read("manifest.xml")).toContain("<OfficeApp");
  });
});

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ANSWER_MODES, type CanaryProvider, startCanaryProvider } from "./canary-provider";
import { CanaryRun, JSON_TYPE, listFiles, READ } from "./canary-run";

const PASSPHRASE = `canary passphrase "${randomBytes(12).toString("hex")}"`;
const TOKEN = `canary/token+${randomBytes(24).toString("hex")}==`;

type Mode = "sign" | "relay";

let provider: CanaryProvider;
beforeAll(async () => {
  provider = await startCanaryProvider(TOKEN);
});
afterAll(() => provider.close());

/** Commands that create the key, check it and fail on it. */
async function runCommands(run: CanaryRun, keyFile: string): Promise<void> {
  await run.run(["keygen", "--out", keyFile]);
  run.marks.addKey("key", readFileSync(keyFile, "utf8"), PASSPHRASE);
  await run.run(["check"]);
  Object.assign(provider, { mood: "quoting", status: 401 });
  await run.run(["check"]);
  provider.mood = "well";
  const wrong = { FEED_PRIVATE_KEY_PASSPHRASE: `${PASSPHRASE}x` };
  await run.run(["check"], wrong);
  await run.run(["start"], wrong);
  const broken = readFileSync(keyFile, "utf8").replaceAll("\n", "");
  await run.run(["start"], { FEED_PRIVATE_KEY_FILE: undefined, FEED_PRIVATE_KEY: broken });
}

/** Pairing, refused and successful. */
async function pair(run: CanaryRun): Promise<void> {
  const code = await run.requestAndMakeCode();
  const tries: [string, Record<string, string>][] = [
    [JSON.stringify({ code: `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}` }), JSON_TYPE],
    [JSON.stringify({ code: code.split(".")[0] }), JSON_TYPE],
    [`{"code": "${code}`, JSON_TYPE],
    [JSON.stringify({ code }), { ...JSON_TYPE, host: "evil.example" }],
  ];
  for (const [body, headers] of tries) {
    expect((await run.send("POST", "/companion/pairing", headers, body)).status).toBeGreaterThan(399);
  }
  await run.pair(code);
}

/** Every kind of provider answer to a read and to an exchange. */
async function callProvider(run: CanaryRun, mode: Mode): Promise<void> {
  const exchange = async () => `Bearer ${await run.exchange(mode)}`;
  let reads = 0;
  // Each for another company, since known ones are cached; a pause covers one data family.
  const read = async (authorization: string, family = "private-markets") => {
    const path = `/companion/relay/asia/${family}/v1/companies/company-${++reads}`;
    return (await run.send("GET", path, { authorization })).status;
  };
  expect(await read(await exchange())).toBe(200);
  for (const mood of ANSWER_MODES.slice(1)) {
    for (const status of mood === "quoting" ? [401, 403, 429, 503] : [502]) {
      provider.mood = "well";
      // In relay mode the companion waits five seconds after a refused exchange.
      if (mode === "relay") await run.start();
      const authorization = await exchange();
      Object.assign(provider, { mood, status });
      expect(await read(authorization)).toBe(status);
      Object.assign(provider, { mood: "quoting", status: 401 });
      expect(await read(authorization, "industry-taxonomies")).toBe(401); // the companion drops its own token
      Object.assign(provider, { mood, status });
      expect(await exchange()).toBe("Bearer undefined");
    }
  }
  provider.mood = "well";
}

/** Requests that the companion refuses, each with a misplaced secret. */
async function callWrongly(run: CanaryRun): Promise<void> {
  const { bearer } = run;
  const authorization = `Bearer ${TOKEN}`;
  const bodies = [{ passphrase: PASSPHRASE, bearer }, { long: bearer.repeat(100) }];
  for (const body of bodies) await run.send("POST", "/companion/assertion", JSON_TYPE, JSON.stringify(body));
  await run.send("POST", `/companion/assertion?refused=${bearer}`, JSON_TYPE, "{}", true);
  const paths = [
    `/companion/absent?bearer=${bearer}&token=${encodeURIComponent(TOKEN)}`,
    "/companion/%9b",
    `${READ}/..`,
  ];
  for (const path of paths) await run.send("GET", path, { authorization });
  const others: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { host: "evil.example" },
    { cookie: `bearer=${bearer}` },
  ];
  for (const headers of others) await run.send("GET", READ, { authorization, ...headers });
}

describe.each<Mode>(["sign", "relay"])("after a full run of an administrator's companion in the mode %s", (mode) => {
  let run: CanaryRun;
  let keyFile: string;

  beforeAll(async () => {
    provider.seen.length = 0;
    run = new CanaryRun(provider, {
      FEED_BASE_URL: `http://127.0.0.1:${provider.port}`,
      FEED_CLIENT_ID: "client-1",
      FEED_KEY_ID: "kid-1",
      FEED_MODE: mode,
      FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE,
    });
    keyFile = join(run.folder, "key.pem");
    run.environment.FEED_PRIVATE_KEY_FILE = keyFile;
    run.marks.add("passphrase", PASSPHRASE);
    run.marks.add("token", TOKEN);
    await runCommands(run, keyFile);
    await run.start();
    await pair(run);
    for (const path of ["/healthz", "/readyz", "/taskpane.html", "/companion/config", "/companion/keys"]) {
      await run.send("GET", path);
    }
    await callProvider(run, mode);
    await callWrongly(run);
    const wanted = { baseUrl: "https://feed.example.com", clientId: PASSPHRASE, keyId: run.bearer };
    for (const body of [wanted, {}]) await run.send("PUT", "/companion/config", JSON_TYPE, JSON.stringify(body));
    await run.requestAndMakeCode();
    await run.run(["pair", "--list"]);
    await run.run(["unpair", "--all"]);
    expect((await run.send("POST", "/companion/assertion", JSON_TYPE, "{}")).status).toBe(401);
    // Last, since its refusal closes a connection that a client may reuse.
    expect((await run.send("GET", READ, { authorization: TOKEN.repeat(500) })).status).toBe(431);
    await run.end();
  });
  afterAll(() => run.remove());

  it("no log, output, error or answer contains a secret that is not meant for it", () => {
    expect(run.find()).toEqual([]);
  });

  it("each secret is found where it belongs, so the search works", () => {
    const found = new Set(Object.values(run.due).flatMap(run.marks.find));
    const ofPairing = ["bearer", "secret of a page"];
    expect([...found].sort()).toEqual(mode === "sign" ? ["assertion", ...ofPairing, "token"] : ofPairing);
    const sent = provider.seen.map(({ headers, body }) => `${headers.authorization} ${body}`).join();
    expect(run.marks.find(sent).sort()).toEqual(["assertion", "token"]);
    expect(run.marks.find(readFileSync(keyFile, "utf8"))).toEqual(["key"]);
    const logs = run.written.map(({ errors }) => errors).join("");
    for (const line of ['"outcome":', "not the pairing code", "does not open the key", "own address only"]) {
      expect(logs).toContain(line);
    }
  });

  it("no file contains a secret but the key file, which is encrypted", () => {
    const paths = listFiles(run.folder).filter((path) => path !== keyFile);
    expect(readFileSync(keyFile, "utf8")).toContain("BEGIN ENCRYPTED PRIVATE KEY");
    expect(paths.map((path) => basename(path))).toContain("pairings.json");
    expect(run.findInFiles(paths)).toEqual([]);
  });
});

describe("after a full run of a personal companion set up from the pane", () => {
  let run: CanaryRun;
  let keyFiles: string[];

  beforeAll(async () => {
    provider.seen.length = 0;
    run = new CanaryRun(provider, {});
    run.marks.add("token", TOKEN);
    await run.start();
    await run.pair(await run.requestAndMakeCode());
    expect((await run.send("POST", "/companion/keys", JSON_TYPE, "{}")).status).toBe(201);
    await run.send("GET", "/companion/keys");
    keyFiles = listFiles(run.folder).filter((path) => path.endsWith(".pem"));
    for (const path of keyFiles) run.marks.addKey("key", readFileSync(path, "utf8"));
    const wanted = { baseUrl: `http://127.0.0.1:${provider.port}`, clientId: "client-1", keyId: "kid-1" };
    expect((await run.send("PUT", "/companion/config", JSON_TYPE, JSON.stringify(wanted))).status).toBe(200);
    await run.pair(await run.requestAndMakeCode());
    await callProvider(run, "sign");
    await callWrongly(run);
    await run.run(["check"]);
    await run.end();
  });
  afterAll(() => run.remove());

  it("no log, output, error or answer contains a secret that is not meant for it", () => {
    expect(run.find()).toEqual([]);
    expect(new Set(Object.values(run.due).flatMap(run.marks.find))).toEqual(
      new Set(["bearer", "secret of a page", "assertion", "token"]),
    );
  });

  it("no file contains a secret but the key file", () => {
    expect(keyFiles).toHaveLength(1);
    expect(run.findInFiles(keyFiles)).toEqual([`key in ${keyFiles[0]}`]);
    expect(run.findInFiles(listFiles(run.folder).filter((path) => !keyFiles.includes(path)))).toEqual([]);
  });
});

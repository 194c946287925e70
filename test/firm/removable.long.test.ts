import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openPairings } from "../../src/companion/commands/surroundings";
import { HELD } from "../../src/contract/companion-api";
import { ASSERTION_TYPE, GRANT_TYPE, OPERATIONS } from "../../src/contract/constants";
import { FIRM_SETTINGS } from "../../src/firm/settings";
import { requestCode } from "../companion/code-request";
import { openHome, type Program, toHome } from "../companion/programs";
import { sendRaw } from "../companion/raw-request";
import { type RunningProvider, startSandbox } from "../support/provider";
import { copyTree, runIn } from "../support/tree-copy";

const ROOT = join(__dirname, "../..");
const BUNDLE = "dist/companion";
const COMPANIES = `${OPERATIONS.searchCompanies.path}?country=JPN&page=1&page_size=5`;
const LIMIT_MS = 600_000;

let root: string;
let provider: RunningProvider;
const home = openHome();

beforeAll(async () => {
  root = copyTree();
  removeFirm();
  provider = await startSandbox({ companies: 20 });
});
afterAll(async () => {
  await provider.close();
  rmSync(root, { recursive: true });
});

/** Takes the folder away, and its lines out of the list of features. */
function removeFirm(): void {
  rmSync(join(root, "src/firm"), { recursive: true });
  const list = join(root, "src/companion/features.ts");
  const text = readFileSync(list, "utf8");
  writeFileSync(list, text.replace('import { firm } from "../firm";\n', "").replace("[firm]", "[]"));
}

const measure = (folder: string) => {
  const scripts = readdirSync(join(folder, BUNDLE)).filter((name) => name.endsWith(".mjs"));
  const packed = scripts.map((name) => gzipSync(readFileSync(join(folder, BUNDLE, name))).length);
  return packed.reduce((sum, bytes) => sum + bytes);
};

/** The settings of a companion that signs for the sandbox. */
function toSettings(mode: "sign" | "relay"): Record<string, string> {
  const { baseUrl, clientId, kid, privateKey } = provider;
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { FEED_BASE_URL: baseUrl, FEED_CLIENT_ID: clientId, FEED_KEY_ID: kid, FEED_PRIVATE_KEY: key, FEED_MODE: mode };
}

const start = (settings: Record<string, string>, ...words: string[]): Program =>
  home.start(["start", ...words], settings, join(root, BUNDLE, "main.mjs"));

/** Starts the companion of the copy, and pairs a page with it. */
async function startPaired(mode: "sign" | "relay") {
  const port = Number(await start(toSettings(mode)).find(/ready: http:\/\/[^/]*:(\d+)/));
  const { name, secret } = await requestCode(port);
  const pairings = openPairings({ environment: toHome(home.folder), webFolder: "", print: () => {} });
  const { code } = await pairings.issue(name);
  const page = { "feed-client": "excel", "content-type": "application/json" };
  const typed = JSON.stringify({ code: `${code}.${secret}` });
  const { bearer } = JSON.parse((await sendRaw(port, "POST", "/companion/pairing", page, typed)).body);
  const headers = { ...page, "feed-pairing": bearer };
  return {
    get: (path: string, token: string) =>
      sendRaw(port, "GET", `/companion/relay${path}`, { ...headers, authorization: `Bearer ${token}` }),
    /** Takes the pane's steps to a token. */
    async readToken(): Promise<string> {
      const signed = await sendRaw(port, "POST", "/companion/assertion", headers, "{}");
      const { assertion, clientId } = JSON.parse(signed.body);
      const form = new URLSearchParams({
        grant_type: GRANT_TYPE,
        client_id: clientId,
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: assertion,
      });
      const type = { "content-type": "application/x-www-form-urlencoded" };
      const { body } = await sendRaw(port, "POST", "/companion/relay/token", { ...headers, ...type }, String(form));
      return JSON.parse(body).access_token;
    },
  };
}

describe("the companion without src/firm and its lines in src/companion/features.ts", () => {
  it(
    "has no mistake of types",
    async () => {
      writeFileSync(join(root, "tsconfig.src.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }));
      await runIn(root, "node_modules/typescript/bin/tsc", "-p", "tsconfig.src.json");
    },
    LIMIT_MS,
  );

  it(
    "is built, smaller",
    async () => {
      rmSync(join(root, "dist")); // a link
      cpSync(join(ROOT, "dist/web"), join(root, "dist/web"), { recursive: true });
      await runIn(root, "node_modules/webpack-cli/bin/cli.js", "--config-name", "companion", "--no-cache");
      const [whole, left] = [measure(ROOT), measure(root)];
      const toKb = (bytes: number) => `${Math.round(bytes / 1024)} KB compressed`;
      process.stdout.write(`The companion's scripts: ${toKb(whole)}. Without src/firm: ${toKb(left)}.\n`);
      expect(left).toBeLessThan(whole);
    },
    LIMIT_MS,
  );

  it("signs for a paired page, which gets a token and reads", async () => {
    const page = await startPaired("sign");
    const token = await page.readToken();
    expect(token).not.toBe(HELD);
    expect(JSON.parse((await page.get(COMPANIES, token)).body).data).toHaveLength(5);
  });

  it("forwards each read in relay mode with a token of its own, and renews a refused one", async () => {
    const page = await startPaired("relay");
    expect(await page.readToken()).toBe(HELD);
    const { status, headers, body } = await page.get(COMPANIES, HELD);
    expect([status, JSON.parse(body).data.length, headers.age]).toEqual([200, 5, undefined]);
    provider.controls.dropTokens();
    expect((await page.get(COMPANIES, HELD)).status).toBe(200);
    expect((await page.get(COMPANIES, "another")).status).toBe(401);
  });

  const names = Object.keys(FIRM_SETTINGS.texts);

  it("refuses by name each of a firm's settings in the environment that only it can mean", async () => {
    const program = start(Object.fromEntries(names.map((name) => [name, "left over"])));
    expect(await program.end()).not.toBe(0);
    for (const name of names.filter((each) => !each.startsWith("OTEL_")))
      expect(program.errors).toContain(`${name} is not a setting.`);
    expect(program.errors).not.toContain("OTEL_");
  });

  it("starts beside the traces of other programs", async () => {
    const program = start({ ...toSettings("sign"), OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" });
    await program.find(/ready: http/);
  });

  it("refuses by name each of a firm's settings in a file", async () => {
    const path = join(home.folder, "settings.json");
    const left = Object.fromEntries(names.map((name) => [name, "left over"]));
    writeFileSync(path, JSON.stringify({ ...toSettings("relay"), ...left }), { mode: 0o600 });
    const program = start({}, "--settings", path);
    expect(await program.end()).not.toBe(0);
    for (const name of names) expect(program.errors).toContain(`${name} (in ${path}) is not a setting.`);
  });
});

import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openPairings } from "../../src/companion/commands/open-stores";
import { HELD } from "../../src/contract/companion-api";
import { ASSERTION_TYPE, GRANT_TYPE, OPERATIONS } from "../../src/contract/constants";
import { FIRM_SETTINGS } from "../../src/firm/settings";
import { requestCode } from "../companion/code-request";
import { openHome, type Program, toHome } from "../companion/programs";
import { sendRaw } from "../companion/raw-request";
import { type RunningProvider, startSandbox } from "../support/provider";
import { type CopyWithout, copyWithout, measure } from "../support/without-feature";

const ROOT = join(__dirname, "../..");
const FIRM = { folder: "src/firm", list: "src/companion/features.ts", name: /\bfirm\b/ };
const BUNDLE = "dist/companion";
const COMPANIES = `${OPERATIONS.searchCompanies.path}?country=JPN&page=1&page_size=5`;
const LIMIT_MS = 600_000;

let copy: CopyWithout;
let provider: RunningProvider;
const home = openHome();

beforeAll(async () => {
  copy = copyWithout(FIRM);
  provider = await startSandbox({ companies: 20 });
});
afterAll(async () => {
  await provider.close();
  copy.remove();
});

/** The settings of a companion that signs for the sandbox. */
function toSettings(mode: "sign" | "relay"): Record<string, string> {
  const { baseUrl, clientId, kid, privateKey } = provider;
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { FEED_BASE_URL: baseUrl, FEED_CLIENT_ID: clientId, FEED_KEY_ID: kid, FEED_PRIVATE_KEY: key, FEED_MODE: mode };
}

const start = (settings: Record<string, string>, ...words: string[]): Program =>
  home.start(["start", ...words], settings, join(copy.root, BUNDLE, "main.mjs"));

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
  it("has no mistake of types", () => expect(copy.checkTypes()).toBe(""), LIMIT_MS);

  it(
    "is built, smaller",
    () => {
      expect(copy.build("companion")).toBe("");
      cpSync(join(ROOT, "dist/web"), join(copy.root, "dist/web"), { recursive: true });
      const sizes = [ROOT, copy.root].map((root) =>
        readdirSync(join(root, BUNDLE))
          .filter((name) => name.endsWith(".mjs"))
          .map((name) => measure(root, `${BUNDLE}/${name}`))
          .reduce((sum, { bytes, packed }) => ({ bytes: sum.bytes + bytes, packed: sum.packed + packed })),
      );
      const toKb = (bytes: number) => `${Math.round(bytes / 1024)} KB`;
      const lines = sizes.map(
        ({ bytes, packed }, nth) => `${["with", "without"][nth]} src/firm: ${toKb(bytes)}, ${toKb(packed)} packed`,
      );
      process.stdout.write(`The companion's scripts ${lines.join("; ")}.\n`);
      expect(sizes[1]!.bytes).toBeLessThan(sizes[0]!.bytes);
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

  const names = Object.keys(FIRM_SETTINGS);

  it("refuses by name each of a firm's settings in the environment that only it can mean", async () => {
    const program = start(Object.fromEntries(names.map((name) => [name, "left over"])));
    expect(await program.end()).not.toBe(0);
    for (const name of names.filter((each) => each.startsWith("FEED_")))
      expect(program.errors).toContain(`${name} is not a setting.`);
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

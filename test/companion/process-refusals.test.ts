import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { generateCertificates } from "office-addin-dev-certs";
import { readTestKey } from "../support/keys";

const MAIN = join(__dirname, "../../dist/companion/main.mjs");
const PASSPHRASE = "correct horse battery";

const folder = mkdtempSync(join(tmpdir(), "feed-refusals-"));
const { privateKey } = readTestKey("refusals");
const toPath = (name: string) => join(folder, name);
const PLAIN = writeKey("plain.pem");
const LOCKED = writeKey("locked.pem", PASSPHRASE);
const OPEN = writeKey("open.pem");
const started: ChildProcess[] = [];

function writeKey(name: string, passphrase?: string): string {
  const lock = passphrase === undefined ? {} : { cipher: "aes-256-cbc", passphrase };
  const pem = privateKey.export({ type: "pkcs8", format: "pem", ...lock });
  writeFileSync(toPath(name), pem, { mode: 0o600 });
  return toPath(name);
}

interface Run {
  code: number | null;
  output: string;
  errors: string;
}

/** Starts the built companion with a provider and these settings; waits until it ends or is ready. */
async function start(settings: NodeJS.ProcessEnv): Promise<Run> {
  const { PATH } = process.env;
  const own = mkdtempSync(toPath("home-"));
  const folders = { HOME: own, USERPROFILE: own, APPDATA: own, XDG_CONFIG_HOME: own };
  const client = { FEED_BASE_URL: "https://feed.example.com", FEED_CLIENT_ID: "client-1", FEED_KEY_ID: "kid-1" };
  const env = { PATH, ...folders, ...client, PORT: "0", ...settings };
  const child = spawn(process.execPath, [MAIN, "start"], { env });
  started.push(child);
  const run: Run = { code: null, output: "", errors: "" };
  child.stdout.on("data", (part) => {
    run.output += part;
    if (run.output.includes("paired")) child.kill("SIGTERM");
  });
  child.stderr.on("data", (part) => {
    run.errors += part;
  });
  [run.code] = await once(child, "close");
  return run;
}

/** All in parallel, since each start takes time. */
let runs: Record<"absent" | "wrong" | "none" | "readable" | "ending", Run>;

beforeAll(async () => {
  chmodSync(OPEN, 0o640);
  const [authority, cert, key] = [toPath("ca.crt"), toPath("own.crt"), toPath("own.key")];
  await generateCertificates(authority, cert, key, 6, ["localhost"]);
  chmodSync(key, 0o600);
  const locked = { FEED_PRIVATE_KEY_FILE: LOCKED };
  const settings = {
    absent: { FEED_PRIVATE_KEY_FILE: toPath("nowhere.pem") },
    wrong: { ...locked, FEED_PRIVATE_KEY_PASSPHRASE: "wrong horse" },
    none: locked,
    readable: { FEED_PRIVATE_KEY_FILE: OPEN },
    ending: { FEED_PRIVATE_KEY_FILE: PLAIN, TLS_CERT_FILE: cert, TLS_KEY_FILE: key },
  };
  const all = Object.entries(settings).map(async ([name, each]) => [name, await start(each)] as const);
  runs = Object.fromEntries(await Promise.all(all)) as typeof runs;
}, 60_000);
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

describe("the built companion refuses to start, in one line, with", () => {
  it.each<[string, keyof typeof runs, string]>([
    [
      "a key file that is not there",
      "absent",
      `FEED_PRIVATE_KEY_FILE: The key file ${toPath("nowhere.pem")} cannot be read (ENOENT).`,
    ],
    [
      "a wrong passphrase",
      "wrong",
      "FEED_PRIVATE_KEY_FILE: The passphrase does not open the key: see FEED_PRIVATE_KEY_PASSPHRASE.",
    ],
    [
      "an encrypted key and no passphrase",
      "none",
      "FEED_PRIVATE_KEY_FILE: The private key is encrypted: set FEED_PRIVATE_KEY_PASSPHRASE or FEED_PRIVATE_KEY_PASSPHRASE_FILE.",
    ],
    [
      "a key file that others may read",
      "readable",
      `FEED_PRIVATE_KEY_FILE: Others on this machine may read the key file. Run: chmod 600 ${OPEN}`,
    ],
  ])("%s", (_what, name, line) => {
    expect(runs[name]).toEqual({ code: 3, output: "", errors: `Error: The settings do not serve: ${line}\n` });
  });
});

describe("the built companion starts with a configured certificate", () => {
  it("that ends within a week, and warns of it", () => {
    const { code, output } = runs.ending;
    expect([code, output.split("\n")[0]]).toEqual([
      0,
      expect.stringMatching(
        /^The certificate of TLS_CERT_FILE ends on \d{4}-\d\d-\d\d: ask whoever issued it for the next one\.$/,
      ),
    ]);
    expect(output).toContain("FEED for Excel is ready: https://");
  });
});

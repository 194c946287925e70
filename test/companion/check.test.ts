import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { describeCertificate, readCertificate } from "../../src/companion/certificate";
import type { Surroundings } from "../../src/companion/commands/surroundings";
import { ConfigurationError } from "../../src/companion/configuration/reading";
import { createCertificateFolder } from "../support/certificate";
import { readTestKey } from "../support/keys";
import { itOnPosix } from "../support/posix";
import { type RunningProvider, startSandbox } from "../support/provider";
import ROWS from "./checked-settings.json";
import { runToEnd } from "./command-run";
import GATEWAY from "./gateway-answers.json";
import { createPages } from "./pages-folder";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { toPattern } from "./sentence-pattern";

const DAY_MS = 24 * 3600 * 1000;
const DEPLOY = join(__dirname, "../../src/firm/deploy");
const ALL: Record<string, unknown> = GATEWAY.answers;
const webFolder = createPages();

let sandbox: RunningProvider;
let certificateFolder: string;
let folder: string;
let keyFile: string;
let environment: Record<string, string>;
let providerNowMs: () => number;

beforeAll(async () => {
  sandbox = await startSandbox({ companies: 10, nowMs: () => providerNowMs() });
  certificateFolder = await createCertificateFolder();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(certificateFolder, { recursive: true });
});
beforeEach(() => {
  providerNowMs = Date.now;
  folder = mkdtempSync(join(tmpdir(), "feed-check-"));
  keyFile = join(folder, "key.pem");
  const { privateKey, publicKey } = readTestKey("old");
  writeFileSync(keyFile, sandbox.privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  writeFileSync(join(folder, "old.pem"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  writeFileSync(join(folder, "public.pem"), publicKey.export({ type: "spki", format: "pem" }));
  environment = {
    FEED_BASE_URL: sandbox.baseUrl,
    FEED_CLIENT_ID: sandbox.clientId,
    FEED_KEY_ID: sandbox.kid,
    FEED_PRIVATE_KEY_FILE: keyFile,
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (surroundings: Partial<Surroundings> = {}, words: string[] = []) =>
  runToEnd(["check", ...words], { environment, folder, certificateFolder, ...surroundings });

/** Settings and what is said of them. `@` stands for the test's folder, `…` for any text. */
interface Row {
  title: string;
  /** The settings that are changed, null to unset; null for none at all. */
  set: NodeJS.Dict<string | null> | null;
  /** The content of the person's own file. */
  own?: string;
  /** How far this computer's clock is ahead. */
  aheadMs?: number;
  /** All lines that fail. */
  failed: string[];
  /** Other lines. */
  lines: string[];
  /** What no line has. */
  without?: string;
  /** Whether the command ends with an error of the "settings" or of a "check". */
  error?: string;
}

describe("the command check", () => {
  it("passes every check of a sound set-up, in one line each", async () => {
    const { lines, error } = await run();
    const until = new Date(describeCertificate(readCertificate(certificateFolder)!).endsMs).toISOString().slice(0, 10);
    expect(error).toBeUndefined();
    expect(lines).toEqual([
      "pass  The settings are complete.",
      `pass  Nobody else may read ${keyFile}.`,
      expect.stringMatching(/^pass {2}Key "test-key": RSA, 2048 bits, thumbprint [\w-]{43}\.$/),
      'pass  Key "test-key" signs, and its public half verifies the signature.',
      'pass  The provider gives a token for key "test-key", of 300 seconds.',
      expect.stringMatching(/^pass {2}This computer's clock is the provider's \([01] s apart\)\.$/),
      "pass  The client may read companies, financials, taxonomies and rankings.",
      `pass  The certificate of https serves until ${until}.`,
      "note  Each browser has a list of its own of what it trusts. How to add to it: npm run companion -- certs --trust",
    ]);
  });

  // Windows has no such program.
  const rows: Row[] = ROWS.filter(({ title }) => process.platform !== "win32" || !title.includes("does not sign"));
  it.each(rows)("$title", async ({ set, own, aheadMs = 0, failed, lines, without = "nothing of it", error }) => {
    const toPath = (text: string) => text.replace("@", `${folder}/`);
    const toExpected = (text: string) => expect.stringMatching(toPattern(toPath(text)));
    const changed = Object.entries(set ?? {}).map(([name, text]) => [name, text ? toPath(text) : undefined]);
    if (own !== undefined) writeFileSync(join(folder, "companion.json"), own, { mode: 0o600 });
    const found = await run({
      environment: set === null ? {} : { ...environment, ...Object.fromEntries(changed) },
      nowMs: () => Date.now() + aheadMs,
    });
    expect(found.failed).toEqual(failed.map(toExpected));
    expect(found.lines).toEqual(expect.arrayContaining(lines.map(toExpected)));
    expect(found.lines.join()).not.toContain(without);
    expect(found.error instanceof ConfigurationError).toBe(error === "settings");
    const sentence = `${failed.length} of ${found.lines.length} checks failed; each line above says what to do.`;
    expect(found.error?.message).toBe(error && sentence);
  });

  it("reads an administrator's file, as start does", async () => {
    const path = join(folder, "settings.json");
    writeFileSync(path, JSON.stringify(environment), { mode: 0o600 });
    const { failed, lines } = await run({ environment: {} }, ["--settings", path]);
    expect([failed, lines.length]).toEqual([[], 9]);
  });

  itOnPosix("fails for a key file that others may read, with the chmod to fix it", async () => {
    chmodSync(keyFile, 0o644);
    const { error, failed } = await run();
    expect(failed).toEqual([expect.stringContaining(`chmod 600 ${keyFile}`)]);
    expect(error).toBeInstanceOf(ConfigurationError);
  });

  it.each([
    [-31, "31 s behind"],
    [5, "5 s ahead of"],
  ])("fails for a clock that is %d seconds off", async (seconds, words) => {
    // Date has whole seconds, of which half is assumed: running clocks may differ by one.
    const standsAtMs = Math.floor(Date.now() / 1000) * 1000;
    providerNowMs = () => standsAtMs;
    const { failed } = await run({ nowMs: () => standsAtMs + 500 + seconds * 1000 });
    expect(failed).toContainEqual(
      expect.stringMatching(
        new RegExp(`^FAIL {2}This computer's clock is ${words} the provider's\\. Set it by network time`),
      ),
    );
  });

  it.each([
    [503, {}, "the provider refused (503). Try again later."],
    [404, {}, "the provider refused (404). Check FEED_BASE_URL: the token endpoint is taken to be http://127.0.0.1:"],
    [302, { location: "/login" }, "which is not followed. Check FEED_BASE_URL: "],
    [200, {}, "the provider answered without an access token. Check FEED_BASE_URL: "],
  ])("says what to do about an answer of status %d", async (status, headers, sentence) => {
    const provider = await createProviderServer((_request, response) => response.writeHead(status, headers).end("{}"));
    const { failed } = await run({
      environment: { ...environment, FEED_BASE_URL: `http://127.0.0.1:${provider.port}` },
    });
    await provider.close();
    expect(failed).toEqual([expect.stringContaining(sentence)]);
  });

  it("reports an unreachable provider once, however many keys there are", async () => {
    const provider = await createProviderServer(() => {});
    await provider.close();
    const base = { FEED_BASE_URL: `http://127.0.0.1:${provider.port}` };
    const previous = { FEED_PREVIOUS_KEY_ID: "kid-0", FEED_PREVIOUS_PRIVATE_KEY_FILE: join(folder, "old.pem") };
    const { failed, lines } = await run({ environment: { ...environment, ...base, ...previous } });
    expect(failed).toEqual([
      expect.stringContaining(
        "could not be reached (ECONNREFUSED). Check FEED_BASE_URL, the network, and what filters it",
      ),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^note {2}The clock cannot be compared/));
  });
});

describe("the check of the certificate", () => {
  it("fails if it is broken", async () => {
    const empty = mkdtempSync(join(tmpdir(), "feed-check-certificate-"));
    writeFileSync(join(empty, "ca.crt"), "");
    const { failed } = await run({ certificateFolder: empty });
    rmSync(empty, { recursive: true });
    expect(failed).toEqual([expect.stringMatching(/is incomplete\. .* certs --renew$/)]);
  });

  it("is not made of another one where the administrator's own cannot be used", async () => {
    const own = { TLS_CERT_FILE: join(folder, "absent.crt"), TLS_KEY_FILE: keyFile };
    const { lines, failed } = await run({ environment: { ...environment, ...own } });
    expect(failed).toEqual([expect.stringContaining("FAIL  TLS_CERT_FILE: ")]);
    expect(lines.join()).not.toContain("The certificate of https");
  });

  const endMs = () => describeCertificate(readCertificate(certificateFolder)!).endsMs;
  itOnPosix.each<[string, "pass" | "FAIL" | "note", () => Partial<Surroundings> | Promise<Partial<Surroundings>>]>([
    ["is trusted", "pass", () => trust(0)],
    ["is not trusted", "FAIL", () => trust(1)],
    ["is trusted or not, which is not seen", "note", () => ({})],
    ["has ended", "FAIL", () => ({ nowMs: endMs })],
    ["is its proxy's", "note", () => addSettings({ ALLOWED_ORIGINS: "https://feed.example.com" })],
    ["is the administrator's own", "pass", () => addSettings(toTls())],
  ])("gives the same sentence as doctor: %s", async (_title, verdict, change) => {
    const changed = await change();
    const judge = async (word: string) => {
      const words = [word, ...(word === "doctor" ? ["--json"] : [])];
      const settings = { ...environment, ...changed.environment, PORT: "1" }; // where nothing runs
      const { lines } = await runToEnd(words, {
        ...{ folder, certificateFolder, webFolder, ...changed },
        environment: settings,
      });
      return word === "check" ? lines : JSON.parse(lines.join("\n")).map(toLine);
    };
    const [checked, doctors] = [await judge("check"), await judge("doctor")];
    const own = checked.filter((line: string) => isOfCertificate(line));
    expect(own.at(-1)).toMatch(new RegExp(`^${verdict}  `));
    expect(doctors.filter((line: string) => isOfCertificate(line))).toEqual(own);
  });

  it("notes that none has been made, which the playground needs none of", async () => {
    const { lines, failed } = await run({ certificateFolder: join(folder, "nowhere") });
    expect(lines.at(-1)).toMatch(/^note {2}There is no certificate for https, .* Run: npm run companion -- install$/);
    expect(failed).toEqual([]);
  });

  const toLine = ({ verdict, text }: { verdict: string; text: string }) => `${verdict}  ${text}`;
  const isOfCertificate = (line: string) => / certificate[ .]|of what it trusts/.test(line);
  const addSettings = (own: Record<string, string>) => ({ environment: own });
  const toTls = () => ({
    TLS_CERT_FILE: join(certificateFolder, "localhost.crt"),
    TLS_KEY_FILE: join(certificateFolder, "localhost.key"),
  });
  function trust(code: number): Partial<Surroundings> {
    writeFileSync(join(folder, "security"), `#!/bin/sh\nexit ${code}\n`, { mode: 0o700 });
    return { environment: { PATH: folder }, platform: "darwin" };
  }

  it("concerns the administrator's one if set, and fails from a week before its end", async () => {
    const [cert, key] = ["localhost.crt", "localhost.key"].map((name) => join(certificateFolder, name)) as [
      string,
      string,
    ];
    const own = { ...environment, TLS_CERT_FILE: cert, TLS_KEY_FILE: key };
    expect((await run({ environment: own })).lines.at(-1)).toContain(
      "pass  The certificate of TLS_CERT_FILE serves until",
    );
    const { endsMs } = describeCertificate(readCertificate(certificateFolder)!);
    const late = await run({ environment: own, nowMs: () => endsMs - 6 * DAY_MS });
    expect(late.failed).toContainEqual(expect.stringContaining("FAIL  The certificate of TLS_CERT_FILE ends on"));
  });
});

describe("at a provider's gateway", () => {
  let provider: ProviderServer;
  /** The path below which the provider answers; elsewhere its gateway does. */
  let place: string;
  /** The answer for a path: a status, or data. */
  let answers: Record<string, unknown>;
  let statusOfToken: number;

  /** Answers as a gateway that refuses everything without a token, quoting nothing. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? "", "http://provider");
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (pathname === `${place}/token`) return void send(statusOfToken, { access_token: "token-1", expires_in: 300 });
    if (request.headers.authorization !== "Bearer token-1") return void send(401, { error: "invalid_client" });
    const found = answers[pathname.slice(place.length)] ?? 404;
    send(typeof found === "number" ? found : 200, found);
  }

  const check = (path = "") => {
    const own = { FEED_BASE_URL: `http://127.0.0.1:${provider.port}${path}`, FEED_KEY_ID: "kid-1" };
    return run({ environment: { ...environment, ...own } });
  };

  beforeEach(async () => {
    [place, statusOfToken, answers] = ["", 200, ALL];
    provider = await createProviderServer(answer);
  });
  afterEach(() => provider.close());

  describe("a base URL with a surplus path", () => {
    it.each(["/v1/", "/v1", "/asia/private-markets/v1", "/token"])("is named, not client or key: %s", async (path) => {
      const { failed, error } = await check(path);
      expect(failed).toEqual([
        `FAIL  FEED_BASE_URL has a path that does not belong there: the provider gives a token at http://127.0.0.1:${provider.port}/token. Set FEED_BASE_URL to http://127.0.0.1:${provider.port}`,
      ]);
      expect(error?.message).toMatch(/^1 of \d+ checks failed/);
    });

    it("is corrected without losing the part that belongs there", async () => {
      place = "/feed";
      const { lines } = await check("/feed/v1");
      expect(lines).toContainEqual(
        expect.stringMatching(/^FAIL .* Set FEED_BASE_URL to http:\/\/127\.0\.0\.1:\d+\/feed$/),
      );
    });

    it("is reported beside client and key if no part of it yields a token", async () => {
      statusOfToken = 401;
      const { lines } = await check("/v1");
      expect(lines).toContainEqual(
        expect.stringMatching(
          /^FAIL {2}Key "kid-1": .* Check FEED_BASE_URL, whose path \/v1 is rarely right, FEED_CLIENT_ID and/,
        ),
      );
    });
  });

  describe("the client's data access", () => {
    it("is checked by one read of each family, with a token for that alone", async () => {
      const { lines, error } = await check();
      expect(error).toBeUndefined();
      expect(lines.filter((line) => line.includes("may read"))).toEqual([
        expect.stringContaining("Nobody else may read"),
        "pass  The client may read companies, financials, taxonomies and rankings.",
      ]);
      const reads = provider.seen.filter(({ url }) => url !== "/token");
      expect(reads.map(({ url }) => new URL(url, "http://provider").pathname)).toEqual(Object.keys(ALL));
      expect(reads.map(({ url }) => url).join()).toMatch(/page_size=1\b/);
      expect(reads[1]?.body).toContain(GATEWAY.id);
      expect(lines.join()).not.toContain("token-1");
    });

    it.each(GATEWAY.rows)("$title", async (row) => {
      answers = { ...ALL, ...row.answers };
      const { lines, failed, error } = await check();
      for (const line of row.lines) expect(lines).toContain(line);
      expect([failed.length, error?.message]).toEqual(
        row.fails ? [1, expect.stringMatching(/^1 of \d+ checks failed/)] : [0, undefined],
      );
    });
  });
});

describe("the example of a firm's settings, unchanged", () => {
  it("gives no advice on a certificate for https, which its proxy has, while its origin is a placeholder", async () => {
    const path = join(folder, "settings.json");
    copyFileSync(join(DEPLOY, "settings.systemd.json"), path);
    chmodSync(path, 0o600);
    const { failed, lines } = await run({ environment: {} }, ["--settings", path]);
    expect(failed.join()).toContain("ALLOWED_ORIGINS still has the placeholder");
    expect(lines.join()).not.toContain("certificate for https");
  });

  it("lacks only its placeholders and the files to create", async () => {
    const path = join(folder, "settings.json");
    copyFileSync(join(DEPLOY, "settings.docker.json"), path);
    const { failed } = await run({ environment: {} }, ["--settings", path]);
    const toLine = (name: string, text: string) =>
      `FAIL  ${name} still has the placeholder "<${text}>". Put your own value in its place.`;
    expect(failed.filter((line) => line.includes("placeholder"))).toEqual([
      toLine("FEED_BASE_URL", "the provider's host"),
      toLine("FEED_CLIENT_ID", "the client id that the provider issued"),
      toLine("FEED_KEY_ID", "the key id that the provider issued"),
      toLine("FEED_SIGN_IN_ISSUER", "your tenant's id"),
      toLine("FEED_SIGN_IN_CLIENT_ID", "application-client-id"),
    ]);
    expect(failed.filter((line) => !line.includes("placeholder")).sort()).toEqual([
      expect.stringMatching(/^FAIL {2}FEED_PRIVATE_KEY_FILE: .*key\.pem cannot be read \(ENOENT\)/),
      expect.stringMatching(/^FAIL {2}FEED_ROLES_FILE: .*roles\.json cannot be read \(ENOENT\)/),
      expect.stringMatching(/^FAIL {2}FEED_SIGN_IN_CLIENT_SECRET_FILE: .*sign-in\.txt cannot be read \(ENOENT\)/),
    ]);
  });
});

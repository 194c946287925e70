import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { describeCertificate, readCertificate } from "../../src/companion/certificate";
import { describeTrust, installTrust, isTrusted } from "../../src/companion/certificate-trust";
import { runCommand } from "../../src/companion/command";
import type { Surroundings } from "../../src/companion/commands/command";

const DAY_MS = 24 * 3600 * 1000;
let folder: string;
let endsMs: number;

async function run(words: string[], surroundings: Partial<Surroundings> = {}) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const plain = { environment: {}, webFolder: "", print, certificateFolder: folder };
  await runCommand(["certs", ...words], { ...plain, ...surroundings });
  return lines;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feed-certs-"));
  await run(["--renew"]);
  ({ endsMs } = describeCertificate(readCertificate(folder)!));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the command certs", () => {
  it("tells where the certificate is, for what, until when, and who signed it", async () => {
    const day = new Date(endsMs).toISOString().slice(0, 10);
    expect((await run([], { nowMs: () => endsMs - 100 * DAY_MS })).slice(0, 4)).toEqual([
      `Certificate  ${join(folder, "localhost.crt")}`,
      "For          127.0.0.1, localhost",
      `Until        ${day} (100 days)`,
      `Signed by    Developer CA for Microsoft Office Add-ins (${join(folder, "ca.crt")})`,
    ]);
  });

  it("says that it has ended", async () => {
    expect((await run([], { nowMs: () => endsMs + 1 }))[2]).toContain("it has ended: renew it with --renew");
  });

  it("says how one is made where there is none, and makes none", async () => {
    const empty = mkdtempSync(join(tmpdir(), "feed-certs-"));
    expect(await run([], { certificateFolder: empty })).toEqual([
      expect.stringContaining("There is no certificate in"),
    ]);
    expect(readCertificate(empty)).toBeUndefined();
    rmSync(empty, { recursive: true });
  });

  it("makes another one when it is told to, whatever is there", async () => {
    const before = readFileSync(join(folder, "localhost.crt"), "utf8");
    rmSync(join(folder, "ca.crt"));
    expect(await run(["--renew"])).toEqual(expect.arrayContaining([expect.stringMatching(/^Until/)]));
    expect(readCertificate(folder)?.cert).not.toBe(before);
  });

  it("says that a certificate of one's own is used in its place", async () => {
    const lines = await run([], { environment: { TLS_CERT_FILE: "/etc/feed.crt" } });
    expect(lines[0]).toContain("TLS_CERT_FILE is set");
  });

  it("says so too where the person's own settings name it", async () => {
    const own = mkdtempSync(join(tmpdir(), "feed-own-"));
    writeFileSync(join(own, "companion.json"), '{"TLS_CERT_FILE":"/etc/feed.crt"}', { mode: 0o600 });
    const lines = await run([], { folder: own });
    expect(lines[0]).toContain("TLS_CERT_FILE is set");
  });
});

describe("trust", () => {
  let tools: string;

  /** Puts a program of the system's name on the path, which writes down how it was called. */
  function placeTool(name: string, code: number): void {
    writeFileSync(join(tools, name), `#!/bin/sh\necho "$@" >> ${tools}/calls\nexit ${code}\n`, { mode: 0o700 });
  }
  const readCalls = () => readFileSync(join(tools, "calls"), "utf8").trim().split("\n");

  beforeEach(() => {
    tools = mkdtempSync(join(tmpdir(), "feed-tools-"));
  });
  const environment = () => ({ PATH: tools });

  it.each([
    [0, true],
    [1, false],
  ])("is what macOS says of the very certificate by exit code %d: %s", async (code, expected) => {
    placeTool("security", code);
    expect(await isTrusted(folder, environment(), "darwin")).toBe(expected);
    const [cert, authority] = [join(folder, "localhost.crt"), join(folder, "ca.crt")];
    expect(readCalls()).toEqual([`verify-cert -L -q -p ssl -s localhost -c ${cert} -c ${authority}`]);
  });

  it("is what Windows says of the authority's fingerprint", async () => {
    placeTool("certutil", 0);
    expect(await isTrusted(folder, environment(), "win32")).toBe(true);
    expect(readCalls()).toEqual([expect.stringMatching(/^-user -verifystore Root [0-9A-F]{40}$/)]);
  });

  it("cannot be told where the system's tool is missing, and on Linux", async () => {
    expect(await isTrusted(folder, environment(), "darwin")).toBeUndefined();
    expect(await isTrusted(folder, environment(), "linux")).toBeUndefined();
  });

  it("is asked for on macOS for this person alone, without an administrator", async () => {
    placeTool("security", 0);
    expect(await installTrust(folder, environment(), "darwin")).toBe(true);
    expect(readCalls()).toEqual([
      expect.stringMatching(/^add-trusted-cert -r trustRoot -p ssl -k .*login\.keychain-db .*ca\.crt$/),
    ]);
  });

  it("is left to the person on Linux, where it would need root", async () => {
    expect(await installTrust(folder, environment(), "linux")).toBe(false);
  });

  it.each([
    ["linux", 0, /^Each browser/],
    ["darwin", 0, /^This system trusts the certificate/],
    [
      "darwin",
      1,
      /^Error: This system does not trust the certificate yet\.\nRun, and agree:\n {2}security add-trusted/,
    ],
  ] as const)("is the end of --trust on %s where the system's tool ends with %d", async (platform, code, outcome) => {
    placeTool("security", code);
    const text = await run(["--trust"], { environment: environment(), platform }).then((lines) => lines[0], String);
    expect(text).toMatch(outcome);
  });

  it.each(["linux", "darwin", "win32"] as const)("is explained on %s with the authority's own path", (platform) => {
    const text = describeTrust(folder, platform).join("\n");
    expect(text).toContain(join(folder, "ca.crt"));
    expect(text).not.toMatch(/sudo/);
  });
});

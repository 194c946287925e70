import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { describeCertificate, readCertificate } from "../../src/companion/certificate";
import { describeTrust, installTrust, isTrusted } from "../../src/companion/certificate-trust";
import { runCommand } from "../../src/companion/command";
import type { Surroundings } from "../../src/companion/commands/surroundings";
import { createCertificateFolder } from "../support/certificate";
import { describeOnPosix } from "../support/posix";

const DAY_MS = 24 * 3600 * 1000;
let folder: string;
let endsMs: number;

async function run(words: string[], surroundings: Partial<Surroundings> = {}) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const plain = { environment: {}, webFolder: "", print, certificateFolder: folder, folder: join(folder, "own") };
  await runCommand(["certs", ...words], { ...plain, ...surroundings });
  return lines;
}

beforeAll(async () => {
  folder = await createCertificateFolder();
  ({ endsMs } = describeCertificate(readCertificate(folder)!));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the command certs", () => {
  it("prints the certificate's place, names, end and signer", async () => {
    const day = new Date(endsMs).toISOString().slice(0, 10);
    expect((await run([], { nowMs: () => endsMs - 100 * DAY_MS })).slice(0, 4)).toEqual([
      `Certificate  ${join(folder, "localhost.crt")}`,
      "For          127.0.0.1, localhost",
      `Until        ${day} (100 days)`,
      `Signed by    Developer CA for Microsoft Office Add-ins (${join(folder, "ca.crt")})`,
    ]);
  });

  it("reports that it has ended", async () => {
    expect((await run([], { nowMs: () => endsMs + 1 }))[2]).toContain("it has ended: renew it with --renew");
  });

  it("explains how to create one if there is none, and creates none", async () => {
    const empty = mkdtempSync(join(tmpdir(), "feed-certs-"));
    expect(await run([], { certificateFolder: empty })).toEqual([
      expect.stringContaining("There is no certificate in"),
    ]);
    expect(readCertificate(empty)).toBeUndefined();
    rmSync(empty, { recursive: true });
  });

  it("creates a new one with --renew", async () => {
    const before = readFileSync(join(folder, "localhost.crt"), "utf8");
    rmSync(join(folder, "ca.crt"));
    expect(await run(["--renew"])).toEqual(expect.arrayContaining([expect.stringMatching(/^Until/)]));
    expect(readCertificate(folder)?.cert).not.toBe(before);
  });

  it("reports that TLS_CERT_FILE replaces it", async () => {
    const lines = await run([], { environment: { TLS_CERT_FILE: "/etc/feed.crt" } });
    expect(lines[0]).toContain("TLS_CERT_FILE is set");
  });

  it("reports so too if the person's own settings name one", async () => {
    const own = mkdtempSync(join(tmpdir(), "feed-own-"));
    writeFileSync(join(own, "companion.json"), '{"TLS_CERT_FILE":"/etc/feed.crt"}', { mode: 0o600 });
    const lines = await run([], { folder: own });
    expect(lines[0]).toContain("TLS_CERT_FILE is set");
  });
});

describeOnPosix("trust", () => {
  let tools: string;

  /** Puts a program on the PATH that records its calls. */
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
  ])("is macOS's verdict on the certificate by exit code %d: %s", async (code, expected) => {
    placeTool("security", code);
    expect(await isTrusted(folder, environment(), "darwin")).toBe(expected);
    const [cert, authority] = [join(folder, "localhost.crt"), join(folder, "ca.crt")];
    expect(readCalls()).toEqual([`verify-cert -L -q -p ssl -s localhost -c ${cert} -c ${authority}`]);
  });

  it("is Windows's verdict on the authority's fingerprint", async () => {
    placeTool("certutil", 0);
    expect(await isTrusted(folder, environment(), "win32")).toBe(true);
    expect(readCalls()).toEqual([expect.stringMatching(/^-user -verifystore Root [0-9A-F]{40}$/)]);
  });

  it("is unknown without the system's tool, and on Linux", async () => {
    expect(await isTrusted(folder, environment(), "darwin")).toBeUndefined();
    expect(await isTrusted(folder, environment(), "linux")).toBeUndefined();
  });

  it("is installed on macOS for this person alone, without an administrator", async () => {
    placeTool("security", 0);
    expect(await installTrust(folder, environment(), "darwin")).toBe(true);
    expect(readCalls()).toEqual([
      expect.stringMatching(/^add-trusted-cert -r trustRoot -p ssl -k .*login\.keychain-db .*ca\.crt$/),
    ]);
  });

  it("is installed on Windows for this person alone, without an administrator", async () => {
    placeTool("certutil", 0);
    expect(await installTrust(folder, environment(), "win32")).toBe(true);
    expect(readCalls()).toEqual([`-user -addstore Root ${join(folder, "ca.crt")}`]);
  });

  it("is left to the person on Linux, which needs root", async () => {
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
  ] as const)("ends --trust on %s as the system's tool does, with %d", async (platform, code, outcome) => {
    placeTool("security", code);
    const text = await run(["--trust"], { environment: environment(), platform }).then((lines) => lines[0], String);
    expect(text).toMatch(outcome);
  });

  it.each(["linux", "darwin", "win32"] as const)("is explained on %s with the authority's path", (platform) => {
    const text = describeTrust(folder, platform).join("\n");
    expect(text).toContain(join(folder, "ca.crt"));
    expect(text).not.toMatch(/sudo/);
  });
});

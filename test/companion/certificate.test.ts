import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { generateCertificates } from "office-addin-dev-certs";
import {
  type Certificate,
  describeCertificate,
  ensureCertificate,
  readCertificate,
  warnOfEnd,
} from "../../src/companion/certificate";
import type { Surroundings } from "../../src/companion/commands/surroundings";
import { createCertificateFolder } from "../support/certificate";
import { itOnIpv6, itOnPosix } from "../support/posix";
import { runWell } from "./command-run";
import { startPaired } from "./paired-companion";
import { createProviderServer } from "./provider-server";
import { reuseCertificateKeys } from "./quick-keys";
import { createConfiguration } from "./test-configuration";

const DAY_MS = 24 * 3600 * 1000;
const PARTS = ["ca.crt", "localhost.crt", "localhost.key"];
const folders: string[] = [];
let folder: string;
let certificate: Certificate;
let madeMs: number;
let endsMs: number;
/** A folder with another certificate. */
let other: string;

const createFolder = () => {
  folders.push(mkdtempSync(join(tmpdir(), "feed-certificate-")));
  return folders.at(-1)!;
};

/** Copies the certificate folder for a test that changes it. */
function copyFolder(): string {
  const copy = createFolder();
  for (const name of PARTS) copyFileSync(join(folder, name), join(copy, name));
  return copy;
}

beforeAll(async () => {
  folders.push(await createCertificateFolder());
  folder = folders[0]!;
  certificate = readCertificate(folder)!;
  madeMs = Date.now();
  ({ endsMs } = describeCertificate(certificate));
  reuseCertificateKeys();
  other = createFolder();
  await ensureCertificate(other, madeMs);
});
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true });
});

describe("the certificate of https", () => {
  it("is created on first use, with the command to trust it", async () => {
    const { advice } = await ensureCertificate(createFolder(), madeMs);
    expect(advice).toBe("Trust the new certificate: npm run companion -- certs --trust");
  });

  itOnPosix("stays the same afterwards, with a key of its owner alone", async () => {
    chmodSync(join(folder, "localhost.key"), 0o644);
    const again = await ensureCertificate(folder, madeMs);
    expect(again.certificate).toEqual(certificate);
    expect(again.advice).toBe("Once per machine, trust the certificate: npm run companion -- certs --trust");
    expect(statSync(join(folder, "localhost.key")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(PARTS);
  });

  it("is for this machine's names alone, for a year", () => {
    const { names, signedBy, startsMs } = describeCertificate(certificate);
    expect([names.sort(), signedBy]).toEqual([["127.0.0.1", "localhost"], "Developer CA for Microsoft Office Add-ins"]);
    expect((endsMs - startsMs) / DAY_MS).toBeCloseTo(365, 0);
  });

  it("is renewed from 30 days before its end, and needs trust again", async () => {
    const copy = copyFolder();
    expect((await ensureCertificate(copy, endsMs - 30 * DAY_MS)).certificate).toEqual(certificate);
    const renewed = await ensureCertificate(copy, endsMs - 30 * DAY_MS + 1);
    expect(renewed.certificate).not.toEqual(certificate);
    expect(renewed.certificate).toEqual(readCertificate(copy));
    expect(renewed.advice).toMatch(/^The certificate that ends on \d{4}-\d\d-\d\d was replaced\. .* certs --trust$/);
    expect(statSync(join(copy, "localhost.key")).mode & 0o777).toBe(0o600);
    expect(readdirSync(copy).sort()).toEqual(PARTS);
  });

  it("is left alone for three weeks if Office's tools made it for a month", async () => {
    const office = createFolder();
    await generateCertificates(...(PARTS.map((name) => join(office, name)) as [string, string, string]));
    const [before, { startsMs }] = [readCertificate(office)!, describeCertificate(readCertificate(office)!)];
    expect((await ensureCertificate(office, startsMs + 22 * DAY_MS)).certificate).toEqual(before);
    expect((await ensureCertificate(office, startsMs + 23 * DAY_MS)).certificate).not.toEqual(before);
  });

  it.each(PARTS)("is refused, not replaced, when its part %s is missing", async (name) => {
    const broken = copyFolder();
    rmSync(join(broken, name));
    await expect(ensureCertificate(broken, madeMs)).rejects.toThrow(/is incomplete\. .* certs --renew$/);
    expect(existsSync(join(broken, name))).toBe(false);
  });

  it.each(PARTS)("is refused, not replaced, when its part %s does not match", async (name) => {
    const broken = copyFolder();
    copyFileSync(join(other, name), join(broken, name));
    await expect(ensureCertificate(broken, madeMs)).rejects.toThrow(/do not belong together\. .* certs --renew$/);
    expect(readFileSync(join(broken, name))).toEqual(readFileSync(join(other, name)));
  });
});

it("a certificate of the administrator causes a warning from a week before its end", () => {
  const day = new Date(endsMs).toISOString().slice(0, 10);
  expect(warnOfEnd(certificate, endsMs - 7 * DAY_MS)).toBeUndefined();
  expect(warnOfEnd(certificate, endsMs - 7 * DAY_MS + 1)).toContain(`TLS_CERT_FILE ends on ${day}: ask`);
  expect(warnOfEnd(certificate, endsMs)).toContain(`TLS_CERT_FILE ended on ${day}: ask`);
});

/** Relays a read to a provider through a companion with its own certificate. */
async function readThrough(baseUrl: string): Promise<{ status?: number; body: string }> {
  const companion = await startPaired({ configuration: createConfiguration(baseUrl), certificate });
  const { app, port, paired: headers } = companion;
  const path = "/companion/relay/asia/industry-taxonomies/v1/tree";
  const answer = await new Promise<{ status?: number; body: string }>((resolve, reject) => {
    const sent = request({ host: "localhost", port, path, headers, ca: certificate.authority }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode, body: Buffer.concat(parts).toString() }));
    });
    sent.on("error", reject).end();
  });
  await app.close();
  return answer;
}

describe("the companion's own certificate authority", () => {
  it("is not trusted for a provider, not even on the same machine", async () => {
    const provider = await createProviderServer((_request, response) => response.end("{}"), certificate);
    const { status, body } = await readThrough(`https://localhost:${provider.port}`);
    expect([status, JSON.parse(body).error.code]).toEqual([502, "FEED_NETWORK_FAILED"]);
    expect(provider.seen).toEqual([]);
    await provider.close();
  });

  itOnIpv6("does not affect a provider with an IPv6 address", async () => {
    const provider = createServer((_request, response) => response.end('{"data":[]}'));
    await new Promise<void>((resolve) => provider.listen(0, "::1", resolve));
    const { port } = provider.address() as AddressInfo;
    expect(await readThrough(`http://[::1]:${port}`)).toEqual({ status: 200, body: '{"data":[]}' });
    await new Promise((resolve) => {
      provider.close(resolve);
      provider.closeAllConnections();
    });
  });
});

describe("at the command line", () => {
  let folder: string;
  let endsMs: number;

  const run = (words: string[], surroundings: Partial<Surroundings> = {}) =>
    runWell(["certs", ...words], { certificateFolder: folder, folder: join(folder, "own"), ...surroundings });

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

    it("reports that TLS_CERT_FILE replaces it, also if the person's own settings name that", async () => {
      const own = mkdtempSync(join(tmpdir(), "feed-own-"));
      writeFileSync(join(own, "companion.json"), '{"TLS_CERT_FILE":"/etc/feed.crt"}', { mode: 0o600 });
      for (const surroundings of [{ environment: { TLS_CERT_FILE: "/etc/feed.crt" } }, { folder: own }]) {
        expect((await run([], surroundings))[0]).toContain("TLS_CERT_FILE is set");
      }
    });
  });
});

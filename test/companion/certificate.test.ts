import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Certificate, loadCertificate } from "../../src/companion/certificate";
import { createCompanion } from "../../src/companion/companion";
import { createConfiguration } from "./configured";
import { createPages } from "./pages-folder";
import { createProviderServer } from "./provider-server";
import { readPort, sendRaw } from "./raw-request";

const DAY_MS = 24 * 3600 * 1000;
let folder: string;
let certificate: Certificate;
let madeMs: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feed-certificate-"));
  madeMs = Date.now();
  certificate = (await loadCertificate(folder, madeMs)).certificate;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the certificate of https", () => {
  it("is made once, with a key that only its owner may read", async () => {
    chmodSync(join(folder, "localhost.key"), 0o644);
    const again = await loadCertificate(folder, madeMs);
    expect(again.certificate).toEqual(certificate);
    expect(again.advice).toContain(`trust the certificate: add ${join(folder, "ca.crt")}`);
    expect(statSync(join(folder, "localhost.key")).mode & 0o777).toBe(0o600);
  });

  it("warns a week before it ends, and is refused after", async () => {
    expect((await loadCertificate(folder, madeMs + 359 * DAY_MS)).advice).toMatch(/^The certificate ends on \d{4}-/);
    await expect(loadCertificate(folder, madeMs + 366 * DAY_MS)).rejects.toThrow(
      /^The certificate ended on \d{4}-.*start again/,
    );
  });

  it("is refused when a part of it is missing", async () => {
    const broken = mkdtempSync(join(tmpdir(), "feed-certificate-"));
    await loadCertificate(broken, madeMs);
    rmSync(join(broken, "localhost.key"));
    await expect(loadCertificate(broken, madeMs)).rejects.toThrow("is incomplete");
    expect(existsSync(join(broken, "localhost.key"))).toBe(false);
    rmSync(broken, { recursive: true });
  });
});

describe("a provider with a certificate that nobody vouches for", () => {
  it("gets no bearer through the relay", async () => {
    const provider = await createProviderServer((_request, response) => response.end("{}"), certificate);
    const configuration = createConfiguration(`https://localhost:${provider.port}`);
    const app = await createCompanion({ configuration, webFolder: createPages() });
    await app.listen({ host: "127.0.0.1", port: 0 });
    const path = "/companion/relay/asia/industry-taxonomies/v1/tree";
    const { status, body } = await sendRaw(readPort(app), "GET", path, { authorization: "Bearer t-1" });
    expect([status, JSON.parse(body).error.code]).toEqual([502, "FEED_NETWORK_FAILED"]);
    expect(provider.seen).toEqual([]);
    await app.close();
    await provider.close();
  });
});

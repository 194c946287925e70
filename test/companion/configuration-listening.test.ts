import { X509Certificate } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { generateCertificates } from "office-addin-dev-certs";
import { readConfiguration } from "../../src/companion/configuration";
import { itOnPosix } from "../support/posix";
import { COMPLETE, createFiles, PEM, readMistakes } from "./complete-settings";

const write = createFiles();
const ORIGIN = "https://feed.example.com";

describe("the host", () => {
  it.each(["", "localhost", "127.0.0.1", "127.0.0.2", "::1"])(
    "%j is this machine, with a provider and with sample data",
    (HOST) => {
      for (const environment of [COMPLETE, {}]) expect(readMistakes({ ...environment, HOST })).toEqual([]);
    },
  );

  it.each(["0.0.0.0", "::", "192.168.1.5", "feed.example.com", "[::1]x"])(
    "%s is served on a network only with a provider and an https origin",
    (HOST) => {
      const refused = [expect.stringMatching(/^HOST is .*this machine only/)];
      expect(readMistakes({ HOST })).toEqual(refused);
      expect(readMistakes({ HOST, ALLOWED_ORIGINS: ORIGIN })).toEqual(refused);
      expect(readMistakes({ ...COMPLETE, HOST })).toEqual(refused);
      expect(readMistakes({ ...COMPLETE, HOST, ALLOWED_ORIGINS: "http://localhost:8080" })).toEqual(refused);
      expect(readConfiguration({ ...COMPLETE, HOST, ALLOWED_ORIGINS: ORIGIN }).host).toBe(HOST);
    },
  );
});

describe("the port", () => {
  it.each(["0", "65535"])("can be %s", (PORT) => {
    expect(readConfiguration({ PORT }).port).toBe(Number(PORT));
  });

  it.each(["65536", "-1", "3000.5", "1e3", "abc"])("is refused as %s", (PORT) => {
    expect(readMistakes({ PORT })).toEqual([expect.stringContaining("PORT must be")]);
  });
});

describe("the allowed origins", () => {
  it("are read from a list, ignoring blanks and empty items", () => {
    const text = ` ${ORIGIN},https://feed.example.com:8443 ,, http://localhost:8080,http://[::1]:8080`;
    expect(readConfiguration({ ALLOWED_ORIGINS: text }).origins).toEqual([
      ORIGIN,
      "https://feed.example.com:8443",
      "http://localhost:8080",
      "http://[::1]:8080",
    ]);
  });

  it.each([
    ["https://feed.example.com/", `write ${ORIGIN}`],
    ["https://FEED.example.com", `write ${ORIGIN}`],
    ["https://feed.example.com:443", `write ${ORIGIN}`],
    ["https://feed.example.com/path", `write ${ORIGIN}`],
    ["https://me:canary@feed.example.com", `write ${ORIGIN}`],
    ["http://feed.example.com", "must begin with https://"],
    ["ftp://localhost", "must begin with https://"],
    ["feed.example.com", "write each origin out"],
    ["https://*.example.com", "write each origin out"],
    ["null", "write each origin out"],
    ["*", "write each origin out"],
  ])("are refused with %s among them", (text, sentence) => {
    const mistakes = readMistakes({ ALLOWED_ORIGINS: `${ORIGIN},${text}` });
    expect(mistakes).toEqual([expect.stringMatching(/^ALLOWED_ORIGINS: .*\(number 2\)\.$/)]);
    expect(mistakes[0]).toContain(sentence);
    expect(mistakes[0]).not.toContain("canary");
  });
});

describe("a configured certificate", () => {
  const folder = mkdtempSync(join(tmpdir(), "feed-tls-"));
  const TLS = { TLS_CERT_FILE: join(folder, "localhost.crt"), TLS_KEY_FILE: join(folder, "localhost.key") };
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(async () => {
    await generateCertificates(join(folder, "ca.crt"), TLS.TLS_CERT_FILE, TLS.TLS_KEY_FILE, 30, ["localhost"]);
    chmodSync(TLS.TLS_KEY_FILE, 0o600);
  });

  it("is read with its key", () => {
    const { tls } = readConfiguration(TLS);
    expect(tls).toEqual({ cert: readFileSync(TLS.TLS_CERT_FILE, "utf8"), key: readFileSync(TLS.TLS_KEY_FILE, "utf8") });
    expect(readConfiguration({}).tls).toBeUndefined();
  });

  it("is accepted until it ends", () => {
    const endsMs = Date.parse(new X509Certificate(readFileSync(TLS.TLS_CERT_FILE)).validTo);
    expect(readMistakes(TLS, {}, endsMs - 1)).toEqual([]);
    const day = new Date(endsMs).toISOString().slice(0, 10);
    expect(readMistakes(TLS, {}, endsMs)).toEqual([
      `TLS_CERT_FILE: The certificate ended on ${day}. Give one that is valid.`,
    ]);
  });

  it.each(["TLS_CERT_FILE", "TLS_KEY_FILE"])("is refused without %s", (name) => {
    expect(readMistakes({ ...TLS, [name]: undefined })).toEqual([expect.stringMatching(`^${name} is missing`)]);
  });

  it.each(["hello", "AAAA"])("is refused with a chain that contains %s", (text) => {
    const [begin, end] = ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"];
    const chain = `${readFileSync(TLS.TLS_CERT_FILE, "utf8")}\n${begin}\n${text}\n${end}\n`;
    expect(readMistakes({ ...TLS, TLS_CERT_FILE: write("chain.crt", chain) })).toEqual([
      expect.stringMatching(/^TLS_CERT_FILE: .* whole/),
    ]);
  });

  it("is refused with the key of another one", () => {
    expect(readMistakes({ ...TLS, TLS_KEY_FILE: write("other.key", PEM) })).toEqual([
      expect.stringMatching(/^TLS_KEY_FILE is not the key of the certificate/),
    ]);
  });

  itOnPosix("is refused with a key that others may read", () => {
    const path = write("open.key", readFileSync(TLS.TLS_KEY_FILE, "utf8"), 0o644);
    expect(readMistakes({ ...TLS, TLS_KEY_FILE: path })).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
  });

  it("is refused if neither file holds PEM, with both mistakes", () => {
    const [cert, key] = [write("no.crt", "hello"), write("no.key", "hello")];
    expect(readMistakes({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key })).toEqual([
      expect.stringMatching(/^TLS_CERT_FILE: The file holds no certificate/),
      expect.stringMatching(/^TLS_KEY_FILE: The file holds no private key/),
    ]);
  });
});

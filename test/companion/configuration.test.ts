import { createPublicKey, verify, X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { readConfiguration } from "../../src/companion/configuration";
import { NO_FIRM, readRolesFile } from "../../src/companion/configuration/firm";
import { KINDS, SETTING_NAMES } from "../../src/companion/configuration/settings";
import { readTestCertificate } from "../support/certificate";
import {
  COMPLETE,
  createFiles,
  otherKey,
  PASSPHRASE,
  PEM,
  PUBLIC_PEM,
  readMistakes,
  SIGN_IN,
  toEncrypted,
  toPem,
} from "./complete-settings";
import DEFAULTS from "./default-settings.json";
import { privateKey, publicKey } from "./test-configuration";

const ORIGIN = "https://feed.example.com";
const TENANT = "6f1c2ae0-0c2b-4f6e-9a5d-2d1b3c4e5f60";
const write = createFiles();
const writeJson = (name: string, settings: object, mode?: number) => write(name, JSON.stringify(settings), mode);
const { FEED_PRIVATE_KEY, ...KEYLESS } = COMPLETE;
const PREVIOUS = {
  FEED_PREVIOUS_KEY_ID: "kid-0",
  FEED_PREVIOUS_PRIVATE_KEY_FILE: write("former.pem", toPem(otherKey)),
};
const readSigners = (settings: NodeJS.ProcessEnv) => readConfiguration(settings).provider!.client.signers;
const readKeyIds = (settings: NodeJS.ProcessEnv) => readSigners(settings).map(({ keyId }) => keyId);

describe("the configuration", () => {
  it("has no provider when no FEED_ setting is present", () => {
    const expected = { ...DEFAULTS.person, firm: NO_FIRM, given: new Set() };
    expect(readConfiguration({ PATH: "/bin" })).toEqual(expected);
  });

  it("treats an empty setting of its own as not set", () => {
    expect(readConfiguration({ HOST: "", PORT: "", LOG_LEVEL: "" })).toEqual(readConfiguration({}));
  });

  it("reads a complete provider", () => {
    const { provider, transport } = readConfiguration({ ...COMPLETE, FEED_TRANSPORT: "direct" });
    expect(provider).toMatchObject({
      baseUrl: "https://feed.example.com",
      client: { clientId: "client-1", signers: [{ keyId: "kid-1" }] },
    });
    expect(provider?.client.signers[0].publicKey.equals(createPublicKey(privateKey))).toBe(true);
    expect(transport).toBe("direct");
  });

  it.each([
    ["http://localhost:8080/feed/", "http://localhost:8080/feed"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/", "http://[::1]:8080"],
    ["https://FEED.example.com/base//", "https://feed.example.com/base"],
  ])("accepts %s as base URL", (baseUrl, read) => {
    expect(readConfiguration({ ...COMPLETE, FEED_BASE_URL: baseUrl }).provider?.baseUrl).toBe(read);
  });

  it("accepts a key file that its owner alone may read", () => {
    expect(readMistakes({ ...KEYLESS, FEED_PRIVATE_KEY_FILE: write("own.pem", PEM) })).toEqual([]);
  });

  it("logs its work with a provider, and warnings alone with sample data", () => {
    expect([readConfiguration({}).logLevel, readConfiguration(COMPLETE).logLevel]).toEqual(["warn", "info"]);
    expect(readConfiguration({ ...COMPLETE, LOG_LEVEL: "error" }).logLevel).toBe("error");
  });

  it("never shares tokens in relay mode, which uses the proxy transport", () => {
    expect(readConfiguration(COMPLETE).mode).toBe("sign");
    expect(readConfiguration({ ...COMPLETE, FEED_MODE: "relay" })).toMatchObject({ mode: "relay", transport: "proxy" });
  });

  it("names every provider setting that the environment gives", () => {
    const { given } = readConfiguration({ ...COMPLETE, FEED_MODE: "relay", PORT: "3001" });
    for (const name of [...Object.keys(COMPLETE), "FEED_MODE", "FEED_PRIVATE_KEY_FILE"]) expect(given).toContain(name);
    for (const name of ["FEED_TRANSPORT", "FEED_PRIVATE_KEY_PASSPHRASE", "PORT"]) expect(given).not.toContain(name);
  });
});

describe("the keys", () => {
  const ENCRYPTED = { ...KEYLESS, FEED_PRIVATE_KEY: toEncrypted(privateKey) };

  it("are opened by a passphrase as a text", () => {
    const [{ publicKey: read }] = readSigners({ ...ENCRYPTED, FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE });
    expect(read.equals(publicKey)).toBe(true);
  });

  it.each(["", "\n", "\r\n"])("are opened by a passphrase from a file that ends with %j", (ending) => {
    const path = write(`passphrase-${ending.length}`, PASSPHRASE + ending);
    const [{ publicKey: read }] = readSigners({ ...ENCRYPTED, FEED_PRIVATE_KEY_PASSPHRASE_FILE: path });
    expect(read.equals(publicKey)).toBe(true);
  });

  it("are the newest, and the previous one after it, opened by the same passphrase", () => {
    expect(readKeyIds({ ...COMPLETE, ...PREVIOUS })).toEqual(["kid-1", "kid-0"]);
    const path = write("former-encrypted.pem", toEncrypted(otherKey));
    const encrypted = { ...ENCRYPTED, ...PREVIOUS, FEED_PREVIOUS_PRIVATE_KEY_FILE: path };
    expect(readSigners({ ...encrypted, FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE })).toHaveLength(2);
  });

  it("can be replaced by a signing program with the public key beside it, and follow it", async () => {
    const command = ["openssl", "dgst", "-sha256", "-sign", write("program.pem", PEM)];
    const files = { FEED_PUBLIC_KEY_FILE: write("public.pem", PUBLIC_PEM, 0o644) };
    const settings = { ...KEYLESS, ...files, FEED_SIGNER_COMMAND: JSON.stringify(command) };
    const [signer] = readSigners(settings);
    const bytes = Buffer.from("bytes");
    expect(signer.keyId).toBe("kid-1");
    expect(verify("sha256", bytes, publicKey, await signer.sign(bytes))).toBe(true);
    expect(readKeyIds({ ...settings, ...PREVIOUS })).toEqual(["kid-1", "kid-0"]);
  });
});

describe("settings from a file", () => {
  it("are read from the person's own file, which the pane may change", () => {
    const own = writeJson("own.json", { ...COMPLETE, PORT: "3001" });
    const { provider, port, given } = readConfiguration({}, { own });
    expect([provider?.client.clientId, port, [...given]]).toEqual(["client-1", 3001, []]);
  });

  it("are empty if the person's own file does not exist", () => {
    expect(readConfiguration({}, { own: "/absent/companion.json" })).toEqual(readConfiguration({}));
  });

  it("can be checked before they are written", () => {
    expect(readConfiguration({}, { own: COMPLETE }).provider?.baseUrl).toBe(COMPLETE.FEED_BASE_URL);
    expect(readMistakes({}, { own: { ...COMPLETE, FEED_KEY_ID: "", FEED_BASE_URL: "ftp://x" } })).toHaveLength(2);
  });

  it("are overridden by the environment, whose provider settings are then locked", () => {
    const own = { ...COMPLETE, FEED_BASE_URL: "https://other.example.com", PORT: "3001", LOG_LEVEL: "debug" };
    const environment = { FEED_BASE_URL: "https://feed.example.com", PORT: "3002", LOG_LEVEL: "" };
    const { provider, port, logLevel, given } = readConfiguration(environment, { own });
    expect([provider?.baseUrl, port, logLevel]).toEqual(["https://feed.example.com", 3002, "debug"]);
    expect([...given]).toEqual(["FEED_BASE_URL"]);
  });

  it("never replace a provider setting that the environment empties", () => {
    expect(readMistakes({ FEED_CLIENT_ID: "" }, { own: COMPLETE })).toEqual([
      expect.stringMatching(/^FEED_CLIENT_ID is missing/),
    ]);
  });

  it("give no key, key id or previous key beside a key of the environment", () => {
    const own = { ...KEYLESS, FEED_PRIVATE_KEY_FILE: write("file.pem", PEM), ...PREVIOUS };
    expect(readConfiguration({}, { own }).provider?.client.signers).toHaveLength(2);
    expect(readMistakes({ FEED_PRIVATE_KEY }, { own })).toEqual([expect.stringMatching(/^FEED_KEY_ID is missing/)]);
    const { provider, given } = readConfiguration({ FEED_PRIVATE_KEY: toPem(otherKey), FEED_KEY_ID: "kid-2" }, { own });
    expect(provider?.client.signers.map(({ keyId }) => keyId)).toEqual(["kid-2"]);
    expect([...given].sort()).toEqual([...KINDS[0]!].sort());
  });

  it("of an administrator are locked as a whole, and the person's own file is not read", () => {
    const administrators = writeJson("administrators.json", COMPLETE);
    const own = writeJson("ignored.json", { FEED_MODE: "relay", PORT: "nine" });
    const { mode, given } = readConfiguration({}, { administrators, own });
    expect(mode).toBe("sign");
    expect([...given]).toEqual(SETTING_NAMES.filter((name) => name.startsWith("FEED_")));
    const { provider } = readConfiguration({ FEED_CLIENT_ID: "client-2" }, { administrators });
    expect(provider?.client.clientId).toBe("client-2");
  });

  it("count in any letter case as on Windows, as those of the environment do", () => {
    const environment = Object.entries(COMPLETE).map(([name, text]) => [name.toLowerCase(), text]);
    expect(readConfiguration(Object.fromEntries(environment)).provider?.client.clientId).toBe("client-1");
  });

  it("can begin with a UTF-8 byte order mark", () => {
    const own = write("marked.json", `\uFEFF${JSON.stringify({ PORT: "3001" })}`);
    expect(readConfiguration({}, { own }).port).toBe(3001);
  });

  it("can be read by others if they hold no secret", () => {
    expect(readMistakes({}, { own: writeJson("open.json", { PORT: "3001" }, 0o644) })).toEqual([]);
  });
});

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

  it.each(["0", "65535"])("has a port, which can be %s", (PORT) => {
    expect(readConfiguration({ PORT }).port).toBe(Number(PORT));
  });

  it("has allowed origins from a list, ignoring blanks and empty items", () => {
    const text = ` ${ORIGIN},https://feed.example.com:8443 ,, http://localhost:8080,http://[::1]:8080`;
    expect(readConfiguration({ ALLOWED_ORIGINS: text }).origins).toEqual([
      ORIGIN,
      "https://feed.example.com:8443",
      "http://localhost:8080",
      "http://[::1]:8080",
    ]);
  });
});

describe("a configured certificate", () => {
  let pair: { cert: string; key: string };
  let settings: Record<string, string>;
  beforeAll(async () => {
    const { cert, key } = await readTestCertificate();
    pair = { cert, key };
    settings = { TLS_CERT_FILE: write("localhost.crt", cert), TLS_KEY_FILE: write("localhost.key", key) };
  });

  it("is read with its key", () => {
    expect(readConfiguration(settings).tls).toEqual(pair);
    expect(readConfiguration({}).tls).toBeUndefined();
  });

  it("is accepted until it ends", () => {
    const endsMs = Date.parse(new X509Certificate(pair.cert).validTo);
    expect(readMistakes(settings, {}, endsMs - 1)).toEqual([]);
    const day = new Date(endsMs).toISOString().slice(0, 10);
    expect(readMistakes(settings, {}, endsMs)).toEqual([
      `TLS_CERT_FILE: The certificate ended on ${day}. Give one that is valid.`,
    ]);
  });
});

describe("the settings of a firm", () => {
  it.each(["ALL", ["JPN", "KOR"]])("give a role of its file the countries %j", (countries) => {
    const path = writeJson("roles.json", { Analyst: { families: ["financials"], countries } });
    expect(readRolesFile(path).Analyst?.countries).toEqual(countries);
  });

  it("take the store's password from its file with any characters, without the line end", () => {
    const path = write("password.txt", "p@ss/w:rd%1 #2\n");
    const store = { FEED_STORE: "redis://valkey:6379/1", FEED_STORE_PASSWORD_FILE: path };
    const url = new URL(readConfiguration({ ...COMPLETE, ...store }).firm.store ?? "");
    expect([decodeURIComponent(url.password), url.host, url.pathname]).toEqual(["p@ss/w:rd%1 #2", "valkey:6379", "/1"]);
  });

  it.each(["10.0.0.5", "10.1.0.0/16, fd00::/8", "0.0.0.0/0", "::1/128", "10.0.0.1/32"])(
    "can have the trusted proxies %s",
    (list) => {
      expect(readMistakes({ ...COMPLETE, FEED_TRUSTED_PROXIES: list })).toEqual([]);
    },
  );

  it.each([
    ["http://localhost:4318", "relay", "http://localhost:4318/v1/traces"],
    ["http://localhost:4318/", "relay", "http://localhost:4318/v1/traces"],
    [undefined, "relay", undefined],
    ["http://localhost:4318", "sign", undefined],
    ["another program's", "sign", undefined],
  ])("send traces below %s in %s mode, where the companion reads, to %s", (endpoint, mode, traces) => {
    const settings = { ...COMPLETE, FEED_MODE: mode, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    expect(readConfiguration(settings).firm.traces).toBe(traces);
  });

  it("sign people in by an issuer and a client id, with defaults for the rest", () => {
    expect(readConfiguration(SIGN_IN).firm.signIn).toEqual({ ...DEFAULTS.signIn, clientSecret: undefined });
  });

  it.each(["com", "us"])("accept one tenant of Microsoft by its id: login.microsoftonline.%s", (end) => {
    const FEED_SIGN_IN_ISSUER = `https://login.microsoftonline.${end}/${TENANT}/v2.0`;
    expect(readMistakes({ ...SIGN_IN, FEED_SIGN_IN_PROFILE: "entra", FEED_SIGN_IN_ISSUER })).toEqual([]);
  });
});

import { verify, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { makeSecret } from "../../src/companion/api/pairing";
import { readConfiguration } from "../../src/companion/configuration";
import { ConfigurationError } from "../../src/companion/configuration/reading";
import { KINDS } from "../../src/companion/configuration/settings";
import { KNOWN_SETTINGS, SETTING_NAMES } from "../../src/companion/configuration/sources";
import { readRolesFile } from "../../src/firm/configuration";
import { readTestCertificate } from "../support/certificate";
import { itOnPosix } from "../support/posix";
import ACCEPTED from "./accepted-settings.json";
import { runToEnd } from "./command-run";
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
import ROWS from "./refused-settings.json";
import { toPattern } from "./sentence-pattern";
import { privateKey, publicKey, toFirm } from "./test-configuration";
import WRONG from "./wrong-settings.json";

/** A configuration that is refused. `%s` is each of the values, `$NAME` a text, `@name` the path of a file. */
interface Row {
  title: string;
  /** The name of the settings that are changed; default COMPLETE. */
  of?: string;
  values?: string[];
  /** The settings that are changed; null to unset. */
  set?: NodeJS.Dict<string | null>;
  files?: NodeJS.Dict<string>;
  /** The mode of the files, which Windows does not have; default 600. */
  mode?: string;
  own?: string;
  administrators?: string;
  /** The sentences in order; `…` stands for any text. */
  mistakes: string[];
}

const rows: readonly Row[] = ROWS;
const wrong: Readonly<Record<string, { of: string; changed: NodeJS.ProcessEnv }>> = WRONG;
const write = createFiles();

const TEXTS: Record<string, string> = {
  PEM,
  PASSPHRASE,
  PUBLIC: PUBLIC_PEM,
  ENCRYPTED: toEncrypted(privateKey),
  OTHER_ENCRYPTED: toEncrypted(otherKey),
  LONG: "x".repeat(201),
};
const { FEED_PRIVATE_KEY, ...KEYLESS } = COMPLETE;
const PREVIOUS = {
  FEED_PREVIOUS_KEY_ID: "kid-0",
  FEED_PREVIOUS_PRIVATE_KEY_FILE: write("former.pem", toPem(otherKey)),
};

/** What the rows change, each so that the named settings alone are invalid. */
const SETS: Record<string, NodeJS.ProcessEnv> = {
  NONE: {},
  COMPLETE,
  KEYLESS,
  SIGN_IN,
  STORE: { ...COMPLETE, FEED_MODE: "relay", FEED_SIGN_IN_KEY_FILE: write("sign-in.key", makeSecret()) },
  ENCRYPTED: { ...KEYLESS, FEED_PRIVATE_KEY: TEXTS.ENCRYPTED },
  PREVIOUS: { ...COMPLETE, ...PREVIOUS },
  PROGRAM: {
    ...KEYLESS,
    FEED_SIGNER_COMMAND: '["signer"]',
    FEED_PUBLIC_KEY_FILE: write("public.pem", PUBLIC_PEM, 0o644),
  },
};

beforeAll(async () => {
  const { cert, key } = await readTestCertificate();
  Object.assign(TEXTS, { CERT: cert, CERT_KEY: key });
  SETS.TLS = { TLS_CERT_FILE: write("whole.crt", cert), TLS_KEY_FILE: write("whole.key", key) };
});

const ORIGIN = "https://feed.example.com";
const writeJson = (name: string, settings: object, mode?: number) => write(name, JSON.stringify(settings), mode);
const readSigners = (settings: NodeJS.ProcessEnv) => readConfiguration(settings).provider!.client.signers;
const readKeyIds = (settings: NodeJS.ProcessEnv) => readSigners(settings).map(({ keyId }) => keyId);

it.each(ACCEPTED)("a configuration is accepted with $title", ({ of = "COMPLETE", set, expected }) => {
  expect(readConfiguration({ ...SETS[of], ...set })).toMatchObject(expected);
});

describe("the configuration", () => {
  it("has no provider when no FEED_ setting is present", () => {
    const expected = {
      ...DEFAULTS.person,
      features: [expect.objectContaining({ firm: expect.objectContaining(DEFAULTS.firm) })],
      network: expect.any(Object),
      given: new Set(),
    };
    expect(readConfiguration({ PATH: "/bin" })).toEqual(expected);
  });

  it("names every provider setting that the environment gives", () => {
    const { given } = readConfiguration({ ...COMPLETE, FEED_MODE: "relay", PORT: "3001" });
    for (const name of [...Object.keys(COMPLETE), "FEED_MODE", "FEED_PRIVATE_KEY_FILE"]) expect(given).toContain(name);
    for (const name of ["FEED_TRANSPORT", "FEED_PRIVATE_KEY_PASSPHRASE", "PORT"]) expect(given).not.toContain(name);
  });
});

describe("the keys", () => {
  const ENCRYPTED = { ...KEYLESS, FEED_PRIVATE_KEY: toEncrypted(privateKey) };

  it("are read as a text, and opened by a passphrase as one", () => {
    for (const settings of [COMPLETE, { ...ENCRYPTED, FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE }]) {
      expect(readSigners(settings)[0].publicKey.equals(publicKey)).toBe(true);
    }
  });

  it.each(["", "\n", "\r\n"])("are opened by a passphrase from a file that ends with %j", (ending) => {
    const path = write(`passphrase-${ending.length}`, PASSPHRASE + ending);
    const [{ publicKey: read }] = readSigners({ ...ENCRYPTED, FEED_PRIVATE_KEY_PASSPHRASE_FILE: path });
    expect(read.equals(publicKey)).toBe(true);
  });

  it("are opened by the same passphrase, the previous one too", () => {
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
    const expected = {
      ...readConfiguration({}),
      features: [expect.objectContaining({ firm: expect.objectContaining(DEFAULTS.firm) })],
      network: expect.any(Object),
    };
    expect(readConfiguration({}, { own: "/absent/companion.json" })).toEqual(expected);
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

  it("can be read by others if they hold no secret", () => {
    expect(readMistakes({}, { own: writeJson("open.json", { PORT: "3001" }, 0o644) })).toEqual([]);
  });
});

describe("the host", () => {
  it.each(["", "localhost", "127.0.0.1", "127.0.0.2", "::1"])("%j is this machine, provider or none", (HOST) => {
    for (const environment of [COMPLETE, {}]) expect(readMistakes({ ...environment, HOST })).toEqual([]);
  });

  const others = ["0.0.0.0", "::", "192.168.1.5", "feed.example.com", "[::1]x"];
  it.each(others)("%s is served on a network only with a provider and an https origin", (HOST) => {
    const refused = [expect.stringMatching(/^HOST is .*this machine only/)];
    expect(readMistakes({ HOST })).toEqual(refused);
    expect(readMistakes({ HOST, ALLOWED_ORIGINS: ORIGIN })).toEqual(refused);
    expect(readMistakes({ ...COMPLETE, HOST })).toEqual(refused);
    expect(readMistakes({ ...COMPLETE, HOST, ALLOWED_ORIGINS: "http://localhost:8080" })).toEqual(refused);
    expect(readConfiguration({ ...COMPLETE, HOST, ALLOWED_ORIGINS: ORIGIN }).host).toBe(HOST);
  });
});

it("a configured certificate is read with its key, and accepted until it ends", async () => {
  const { cert, key } = await readTestCertificate();
  const { TLS = {} } = SETS;
  expect(readConfiguration(TLS).tls).toEqual({ cert, key });
  expect(readConfiguration({}).tls).toBeUndefined();
  const endsMs = Date.parse(new X509Certificate(cert).validTo);
  expect(readMistakes(TLS, {}, endsMs - 1)).toEqual([]);
  const day = new Date(endsMs).toISOString().slice(0, 10);
  expect(readMistakes(TLS, {}, endsMs)).toEqual([
    `TLS_CERT_FILE: The certificate ended on ${day}. Give one that is valid.`,
  ]);
});

describe("the settings of a firm", () => {
  it.each(["ALL", ["JPN", "KOR"]])("give a role of its file the countries %j", (countries) => {
    const path = writeJson("roles.json", { Analyst: { families: ["financials"], countries } });
    expect(readRolesFile(path).Analyst?.countries).toEqual(countries);
  });

  it("take the store's password from its file with any characters, without the line end", () => {
    const path = write("password.txt", "p@ss/w:rd%1 #2\n");
    const store = { FEED_STORE: "redis://valkey:6379/1", FEED_STORE_PASSWORD_FILE: path };
    const url = new URL(toFirm(readConfiguration({ ...SETS.STORE, ...store })).store ?? "");
    expect([decodeURIComponent(url.password), url.host, url.pathname]).toEqual(["p@ss/w:rd%1 #2", "valkey:6379", "/1"]);
  });

  it("send no traces in sign mode, where the companion reads nothing, and none without an address", () => {
    const readTraces = (OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined, FEED_MODE: string) =>
      toFirm(readConfiguration({ ...COMPLETE, FEED_MODE, OTEL_EXPORTER_OTLP_ENDPOINT })).traces;
    expect(readTraces("http://localhost:4318", "sign")).toBeUndefined();
    expect(readTraces("another program's", "sign")).toBeUndefined();
    expect(readTraces(undefined, "relay")).toBeUndefined();
  });

  it("sign people in by an issuer and a client id, with defaults for the rest", () => {
    expect(toFirm(readConfiguration(SIGN_IN)).signIn).toEqual({ ...DEFAULTS.signIn, clientSecret: undefined });
  });
});

/** Gives the mistakes of a row with one of its values, and what they should be. */
function readRow({ of = "COMPLETE", set = {}, files = {}, mode = "600", mistakes, ...row }: Row, value: string) {
  const paths: Record<string, string> = {};
  const fill = (text: string) => {
    const filled = text.replace("%s", () => value).replace(/\$([A-Z_]+)/g, (all, name) => TEXTS[name] ?? all);
    return Object.entries(paths).reduce((whole, [name, path]) => whole.replace(`@${name}`, path), filled);
  };
  for (const [name, text] of Object.entries(files))
    paths[name] = write(name, fill(text ?? ""), Number.parseInt(mode, 8));
  const settings = Object.entries(set).map(([name, text]) => [name, text ? fill(text) : (text ?? undefined)]);
  const places = { own: row.own && fill(row.own), administrators: row.administrators };
  const found = readMistakes({ ...SETS[of], ...Object.fromEntries(settings) }, places);
  return { found, expected: mistakes.map((sentence) => expect.stringMatching(toPattern(fill(sentence)))) };
}

describe("a configuration is refused", () => {
  const each = rows.flatMap((row) => (row.values ?? [""]).map((value) => ({ row, value })));
  const toTitle = ({ row, value }: (typeof each)[number]) => row.title.replace("%s", JSON.stringify(value));
  for (const { row, value } of each) {
    (row.mode ? itOnPosix : it)(toTitle({ row, value }), () => {
      const { found, expected } = readRow(row, value);
      expect(found).toEqual(expected);
      for (const secret of ["canary", PASSPHRASE]) expect(found.join()).not.toContain(secret);
    });
  }

  it("with an unreadable address of the store, of which nothing is quoted", () => {
    const settings = { ...SETS.STORE, FEED_STORE: "http://:secret@localhost" };
    expect(readMistakes(settings)).toEqual(["FEED_STORE is not an address like redis://localhost:6379."]);
  });

  it("in one line for one mistake, and with a line for each of several", () => {
    expect(new ConfigurationError(["PORT"]).message).toBe("The settings do not serve: PORT");
    expect(new ConfigurationError(["PORT", "HOST"]).message.split("\n")).toHaveLength(3);
  });

  itOnPosix.each(["FEED_PRIVATE_KEY", "FEED_PRIVATE_KEY_PASSPHRASE"])("with %s in a file open to others", (name) => {
    const settings = { ...COMPLETE, FEED_PRIVATE_KEY_FILE: "", [name]: PEM };
    const own = write(`${name}.json`, JSON.stringify(settings), 0o644);
    expect(readMistakes({}, { own })).toEqual([expect.stringContaining(`chmod 600 ${own}`)]);
  });

  it("with the mistakes of a file listed once, beside those of the environment", () => {
    const settings = { ...COMPLETE, HOSTS: "localhost", LOG_LEVEL: 3, FEED_MODE: null, FEED_KEY_ID: "" };
    expect(readMistakes({ PORT: "nine" }, { own: write("mistakes.json", JSON.stringify(settings)) })).toEqual([
      expect.stringMatching(/^HOSTS \(in .*mistakes\.json\) is not a setting\. Did you mean HOST\?$/),
      expect.stringMatching(/^LOG_LEVEL \(in .*\) must be a text/),
      expect.stringMatching(/^FEED_MODE \(in .*\) must be a text/),
      expect.stringMatching(/^PORT/),
      expect.stringMatching(/^FEED_KEY_ID is missing/),
    ]);
  });
});

describe("sample data", () => {
  it.each([
    ...["FEED_BASE_URL", "FEED_CLIENT_ID", "FEED_KEY_ID", "FEED_PRIVATE_KEY_FILE", "FEED_PRIVATE_KEY"],
    ...["FEED_PRIVATE_KEY_PASSPHRASE", "FEED_TRANSPORT", "FEED_BASEURL"],
  ])("is never served when %s alone is present, even empty", (name) => {
    for (const text of ["", "proxy"]) expect(readMistakes({ [name]: text }).length).toBeGreaterThan(0);
  });

  it.each(Object.keys(COMPLETE))("is never served when %s is lost", (name) => {
    for (const text of [undefined, " "]) expect(readMistakes({ ...COMPLETE, [name]: text }).join("\n")).toContain(name);
  });

  it.each(["FEED_MODE", "FEED_MODUS", "feed_mode"])("is never served when %s is in the person's file", (name) => {
    const own = write("alone.json", JSON.stringify({ [name]: "sign" }));
    expect(readMistakes({}, { own }).length).toBeGreaterThan(3);
    expect(readMistakes({}, { own: { [name]: "" } }).length).toBeGreaterThan(3);
  });
});

describe("the table of settings", () => {
  const document = readFileSync(join(__dirname, "../../docs/settings.md"), "utf8");

  it("equals that of docs/settings.md in words and order", () => {
    const chapter = document.split(/^(?=## )/m).find((part) => part.startsWith("## All settings\n")) ?? "";
    const lines = chapter.split("\n").filter((line) => line.startsWith("| `"));
    expect(lines).toEqual(
      Object.entries(KNOWN_SETTINGS).map(([name, description]) => `| \`${name}\` | ${description} |`),
    );
  });

  it("is printed by start --help", async () => {
    const { lines } = await runToEnd(["start", "--help"]);
    for (const [name, description] of Object.entries(KNOWN_SETTINGS))
      expect(lines.join("\n")).toContain(`${name}\n      ${description}\n`);
  });

  it.each(Object.keys(KNOWN_SETTINGS))("has %s, which is read", (name) => {
    const { of = "NONE", changed } = wrong[name] ?? {};
    expect(readMistakes({ ...SETS[of], ...changed })).toEqual([expect.stringContaining(name)]);
  });
});

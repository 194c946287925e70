import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { ConfigurationError } from "../../src/companion/configuration";
import { SETTINGS } from "../../src/companion/configuration/settings";
import { readTestCertificate } from "../support/certificate";
import { itOnPosix } from "../support/posix";
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
import ROWS from "./refused-settings.json";
import { toPattern } from "./sentence-pattern";
import { privateKey } from "./test-configuration";
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

/** What the rows change, each so that the named settings alone are invalid. */
const SETS: Record<string, NodeJS.ProcessEnv> = {
  NONE: {},
  COMPLETE,
  KEYLESS,
  SIGN_IN,
  ENCRYPTED: { ...KEYLESS, FEED_PRIVATE_KEY: TEXTS.ENCRYPTED },
  PREVIOUS: {
    ...COMPLETE,
    FEED_PREVIOUS_KEY_ID: "kid-0",
    FEED_PREVIOUS_PRIVATE_KEY_FILE: write("former.pem", toPem(otherKey)),
  },
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

  it("in one line for one mistake, and with a line for each of several", () => {
    expect(new ConfigurationError(["PORT"]).message).toBe("The settings do not serve: PORT");
    expect(new ConfigurationError(["PORT", "HOST"]).message.split("\n")).toHaveLength(3);
  });

  itOnPosix.each(["FEED_PRIVATE_KEY", "FEED_PRIVATE_KEY_PASSPHRASE"])(
    "with %s in a settings file that others may read",
    (name) => {
      const settings = { ...COMPLETE, FEED_PRIVATE_KEY_FILE: "", [name]: PEM };
      const own = write(`${name}.json`, JSON.stringify(settings), 0o644);
      expect(readMistakes({}, { own })).toEqual([expect.stringContaining(`chmod 600 ${own}`)]);
    },
  );

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
    expect(lines).toEqual(Object.entries(SETTINGS).map(([name, description]) => `| \`${name}\` | ${description} |`));
  });

  it("is printed by start --help", async () => {
    const lines: string[] = [];
    await runCommand(["start", "--help"], { environment: {}, webFolder: "", print: (line) => lines.push(line) });
    for (const [name, description] of Object.entries(SETTINGS))
      expect(lines.join("\n")).toContain(`${name}\n      ${description}\n`);
  });

  it.each(Object.keys(SETTINGS))("has %s, which is read", (name) => {
    const { of = "NONE", changed } = wrong[name] ?? {};
    expect(readMistakes({ ...SETS[of], ...changed })).toEqual([expect.stringContaining(name)]);
  });
});

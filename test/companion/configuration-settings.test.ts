import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { SETTINGS } from "../../src/companion/configuration/settings";
import { COMPLETE, PEM, readMistakes } from "./complete-settings";

const NAMES = SETTINGS.map(({ name }) => name);
const README = readFileSync(join(__dirname, "../../README.md"), "utf8");
const { FEED_PRIVATE_KEY, ...KEYLESS } = COMPLETE;

/** Settings that are wrong in the named one alone. */
const WRONG: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  FEED_BASE_URL: { ...COMPLETE, FEED_BASE_URL: "feed" },
  FEED_CLIENT_ID: { ...COMPLETE, FEED_CLIENT_ID: PEM },
  FEED_KEY_ID: { ...COMPLETE, FEED_KEY_ID: PEM },
  FEED_PRIVATE_KEY_FILE: { ...KEYLESS, FEED_PRIVATE_KEY_FILE: "/absent" },
  FEED_PRIVATE_KEY: { ...COMPLETE, FEED_PRIVATE_KEY: "key" },
  FEED_PRIVATE_KEY_PASSPHRASE: { ...COMPLETE, FEED_PRIVATE_KEY_PASSPHRASE: "a", FEED_PRIVATE_KEY_PASSPHRASE_FILE: "b" },
  FEED_PRIVATE_KEY_PASSPHRASE_FILE: { ...COMPLETE, FEED_PRIVATE_KEY_PASSPHRASE_FILE: "/absent" },
  FEED_PREVIOUS_KEY_ID: { ...COMPLETE, FEED_PREVIOUS_KEY_ID: "kid-0" },
  FEED_PREVIOUS_PRIVATE_KEY_FILE: { ...COMPLETE, FEED_PREVIOUS_PRIVATE_KEY_FILE: "/absent" },
  FEED_SIGNER_COMMAND: { ...COMPLETE, FEED_SIGNER_COMMAND: "[]" },
  FEED_PUBLIC_KEY_FILE: { ...COMPLETE, FEED_PUBLIC_KEY_FILE: "/absent" },
  FEED_MODE: { ...COMPLETE, FEED_MODE: "" },
  FEED_TRANSPORT: { ...COMPLETE, FEED_TRANSPORT: "" },
  HOST: { HOST: "0.0.0.0" },
  PORT: { PORT: "nine" },
  TLS_CERT_FILE: { TLS_CERT_FILE: "/absent" },
  TLS_KEY_FILE: { TLS_KEY_FILE: "/absent" },
  ALLOWED_ORIGINS: { ALLOWED_ORIGINS: "feed" },
  LOG_LEVEL: { LOG_LEVEL: "loud" },
};

describe("the table of settings", () => {
  it("has the same rows as the README, in the same words and order", () => {
    const chapter = README.split(/^(?=## )/m).find((part) => part.startsWith("## With a provider\n")) ?? "";
    const rows = chapter.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(SETTINGS.map(({ name, meaning }) => `| \`${name}\` | ${meaning} |`));
  });

  it("is what start --help prints", async () => {
    const lines: string[] = [];
    await runCommand(["start", "--help"], { environment: {}, webFolder: "", print: (line) => lines.push(line) });
    for (const { name, meaning } of SETTINGS) expect(lines.join("\n")).toContain(`${name}\n      ${meaning}\n`);
  });

  it.each(NAMES)("has %s, which is read", (name) => {
    expect(readMistakes(WRONG[name] ?? {})).toEqual([expect.stringContaining(name)]);
  });
});

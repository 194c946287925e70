import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { SETTINGS } from "../../src/companion/configuration/settings";
import { COMPLETE, PEM, readMistakes } from "./complete-settings";

const NAMES = Object.keys(SETTINGS);
const DOCUMENT = readFileSync(join(__dirname, "../../docs/settings.md"), "utf8");
const { FEED_PRIVATE_KEY, ...KEYLESS } = COMPLETE;

const SIGN_IN = {
  ...COMPLETE,
  FEED_MODE: "relay",
  FEED_SIGN_IN_ISSUER: "https://login.example.com",
  FEED_SIGN_IN_CLIENT_ID: "feed",
};

/** Settings that are invalid in the named one alone. */
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
  FEED_STORE: { ...COMPLETE, FEED_STORE: "localhost:6379" },
  FEED_STORE_PASSWORD_FILE: { ...COMPLETE, FEED_STORE: "redis://localhost", FEED_STORE_PASSWORD_FILE: "/absent" },
  FEED_SIGN_IN_ISSUER: { ...SIGN_IN, FEED_SIGN_IN_ISSUER: "login" },
  FEED_SIGN_IN_PROFILE: { ...SIGN_IN, FEED_SIGN_IN_PROFILE: "saml" },
  FEED_SIGN_IN_CLIENT_ID: { ...SIGN_IN, FEED_SIGN_IN_CLIENT_ID: "" },
  FEED_SIGN_IN_CLIENT_SECRET_FILE: { ...SIGN_IN, FEED_SIGN_IN_CLIENT_SECRET_FILE: "/absent" },
  FEED_SIGN_IN_AUDIENCE: { ...SIGN_IN, FEED_SIGN_IN_AUDIENCE: "two words" },
  FEED_SIGN_IN_SCOPE: { ...SIGN_IN, FEED_SIGN_IN_SCOPE: "two words" },
  FEED_SIGN_IN_APPS: { ...SIGN_IN, FEED_SIGN_IN_APPS: "two words" },
  FEED_SIGN_IN_ROLES_CLAIM: { ...SIGN_IN, FEED_SIGN_IN_ROLES_CLAIM: "two words" },
  FEED_SIGN_IN_HOURS: { ...SIGN_IN, FEED_SIGN_IN_HOURS: "169" },
  FEED_ROLES_FILE: { ...SIGN_IN, FEED_ROLES_FILE: "/absent" },
  FEED_PROVIDER_PER_MINUTE: { ...COMPLETE, FEED_PROVIDER_PER_MINUTE: "0" },
  FEED_PERSON_PER_MINUTE: { ...COMPLETE, FEED_PERSON_PER_MINUTE: "many" },
  FEED_REFRESH_SECONDS: { ...COMPLETE, FEED_REFRESH_SECONDS: "never" },
  FEED_TRUSTED_PROXIES: { ...COMPLETE, FEED_TRUSTED_PROXIES: "nginx" },
  FEED_AUDIT_FILE: { ...COMPLETE, FEED_AUDIT_FILE: "/absent/audit.log" },
  FEED_METRICS: { ...COMPLETE, FEED_METRICS: "here" },
  OTEL_EXPORTER_OTLP_ENDPOINT: { ...COMPLETE, FEED_MODE: "relay", OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
  HOST: { HOST: "0.0.0.0" },
  PORT: { PORT: "nine" },
  TLS_CERT_FILE: { TLS_CERT_FILE: "/absent" },
  TLS_KEY_FILE: { TLS_KEY_FILE: "/absent" },
  ALLOWED_ORIGINS: { ALLOWED_ORIGINS: "feed" },
  PLAYGROUND: { PLAYGROUND: "yes" },
  PRIVACY_URL: { PRIVACY_URL: "http://intranet/privacy" },
  SUPPORT_URL: { SUPPORT_URL: "help desk" },
  TERMS_URL: { TERMS_URL: "javascript:void 0" },
  LOG_LEVEL: { LOG_LEVEL: "loud" },
};

describe("the table of settings", () => {
  it("equals that of docs/settings.md in words and order", () => {
    const chapter = DOCUMENT.split(/^(?=## )/m).find((part) => part.startsWith("## All settings\n")) ?? "";
    const rows = chapter.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(Object.entries(SETTINGS).map(([name, description]) => `| \`${name}\` | ${description} |`));
  });

  it("is printed by start --help", async () => {
    const lines: string[] = [];
    await runCommand(["start", "--help"], { environment: {}, webFolder: "", print: (line) => lines.push(line) });
    for (const [name, description] of Object.entries(SETTINGS))
      expect(lines.join("\n")).toContain(`${name}\n      ${description}\n`);
  });

  it.each(NAMES)("has %s, which is read", (name) => {
    expect(readMistakes(WRONG[name] ?? {})).toEqual([expect.stringContaining(name)]);
  });
});

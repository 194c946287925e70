import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { ConfigurationError } from "../../src/companion/configuration";

const EXAMPLE = join(__dirname, "../../src/companion/deploy/settings.docker.json");
const SYSTEMD_EXAMPLE = join(__dirname, "../../src/companion/deploy/settings.systemd.json");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-check-settings-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function check(environment: Record<string, string>, ...words: string[]) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const places = { folder, certificateFolder: folder, webFolder: "", platform: "linux" } as const;
  const error = await runCommand(["check", ...words], { environment, print, ...places }).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { lines, error, failed: lines.filter((line) => line.startsWith("FAIL")) };
}

describe("an unknown setting", () => {
  it.each([
    ["FEED_CLIENT", "FEED_CLIENT_ID"],
    ["FEED_BASEURL", "FEED_BASE_URL"],
    ["FEED_PRIVATE_KEY_FLIE", "FEED_PRIVATE_KEY_FILE"],
    ["feed_mod", "FEED_MODE"],
  ])("is reported with the closest one: %s", async (written, meant) => {
    const { failed } = await check({ [written]: "x" });
    expect(failed[0]).toBe(`FAIL  ${written.toUpperCase()} is not a setting. Did you mean ${meant}?`);
  });

  it("is reported with the command that lists all, if no known setting is close", async () => {
    const { failed } = await check({ FEED_COLOUR_OF_CELLS: "red" });
    expect(failed[0]).toBe("FAIL  FEED_COLOUR_OF_CELLS is not a setting. See: npm run companion -- start --help");
  });
});

describe("settings that cannot be read", () => {
  it.each(["{", '{"FEED_CLIENT_ID": "client-1",}', ""])(
    "are reported, without any word of sample data: %j",
    async (text) => {
      writeFileSync(join(folder, "companion.json"), text, { mode: 0o600 });
      const { lines, failed, error } = await check({});
      expect(failed).toEqual([expect.stringContaining("companion.json is no JSON object")]);
      expect(lines.join()).not.toContain("sample data");
      expect(error).toBeInstanceOf(ConfigurationError);
    },
  );
});

describe("the example of a firm's settings, unchanged", () => {
  it("gives no advice on a certificate for https, which its proxy has, while its origin is a placeholder", async () => {
    const path = join(folder, "settings.json");
    copyFileSync(SYSTEMD_EXAMPLE, path);
    chmodSync(path, 0o600);
    const { failed, lines } = await check({}, "--settings", path);
    expect(failed.join()).toContain("ALLOWED_ORIGINS still has the placeholder");
    expect(lines.join()).not.toContain("certificate for https");
  });

  it("lacks only its placeholders and the files to create", async () => {
    const path = join(folder, "settings.json");
    copyFileSync(EXAMPLE, path);
    const { failed } = await check({}, "--settings", path);
    const toLine = (name: string, text: string) =>
      `FAIL  ${name} still has the placeholder "<${text}>". Put your own value in its place.`;
    expect(failed.filter((line) => line.includes("placeholder"))).toEqual([
      toLine("FEED_BASE_URL", "the provider's host"),
      toLine("FEED_CLIENT_ID", "the client id that the provider issued"),
      toLine("FEED_KEY_ID", "the key id that the provider issued"),
      toLine("FEED_SIGN_IN_ISSUER", "your tenant's id"),
      toLine("FEED_SIGN_IN_CLIENT_ID", "application-client-id"),
    ]);
    expect(failed.filter((line) => !line.includes("placeholder")).sort()).toEqual([
      expect.stringMatching(/^FAIL {2}FEED_PRIVATE_KEY_FILE: .*key\.pem cannot be read \(ENOENT\)/),
      expect.stringMatching(/^FAIL {2}FEED_ROLES_FILE: .*roles\.json cannot be read \(ENOENT\)/),
      expect.stringMatching(/^FAIL {2}FEED_SIGN_IN_CLIENT_SECRET_FILE: .*sign-in\.txt cannot be read \(ENOENT\)/),
    ]);
  });

  it("accepts angle brackets in passphrases and programs", async () => {
    const program = JSON.stringify(["sh", "-c", "sign <in >out"]);
    const { failed } = await check({ FEED_PRIVATE_KEY_PASSPHRASE: "<angle brackets>", FEED_SIGNER_COMMAND: program });
    expect(failed.join()).not.toContain("placeholder");
  });

  it("shows no part of a password", async () => {
    const { failed } = await check({ FEED_STORE: "redis://:a<secret>b@valkey:6379" });
    expect(failed.join()).not.toContain("secret");
  });
});

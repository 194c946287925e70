import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { describeOnPosix } from "../support/posix";
import { type RunningProvider, startSandbox } from "../support/provider";
import { readText } from "./examples";

const PAGE = readText("docs/connect-provider.md");
const [, commands = ""] = PAGE.match(/^```\n(install [\s\S]*?)^```$/m) ?? [];
const [, settings = ""] = PAGE.match(/^ +```json\n([\s\S]*?)^ +```$/m) ?? [];

let provider: RunningProvider;
let home: string;
beforeAll(async () => {
  provider = await startSandbox({ companies: 10 });
  home = mkdtempSync(join(tmpdir(), "feed-own-key-"));
});
afterAll(async () => {
  rmSync(home, { recursive: true });
  await provider.close();
});

/** The certificate is the proxy's, so that the check judges none here. */
const BEHIND_A_PROXY = { ALLOWED_ORIGINS: "https://feed.example.org" };

describeOnPosix("a private key that somebody has already", () => {
  it("is put away and named by the page's commands and settings, so that the check passes", async () => {
    const pem = provider.privateKey.export({ type: "pkcs8", format: "pem" });
    writeFileSync(join(home, "KEY.pem"), pem, { mode: 0o644 });
    execFileSync("sh", ["-euc", commands], { cwd: home, env: { ...process.env, HOME: home } });
    const folder = join(home, ".config/feed-for-excel");
    const { FEED_PRIVATE_KEY_PASSPHRASE_FILE, ...written } = JSON.parse(settings);
    const own = { FEED_BASE_URL: provider.baseUrl, FEED_CLIENT_ID: provider.clientId, FEED_KEY_ID: provider.kid };
    const key = { FEED_PRIVATE_KEY_FILE: written.FEED_PRIVATE_KEY_FILE.replace("/home/mori", home) };
    expect(FEED_PRIVATE_KEY_PASSPHRASE_FILE).toMatch(/^\/home\/mori\/\.config\/feed-for-excel\//);
    writeFileSync(join(folder, "companion.json"), JSON.stringify({ ...written, ...own, ...key }), { mode: 0o600 });
    const lines: string[] = [];
    const places = { webFolder: "", folder, certificateFolder: home, platform: "linux" } as const;
    await runCommand(["check"], { environment: BEHIND_A_PROXY, print: (line) => void lines.push(line), ...places });
    expect(lines).toContain("pass  The client may read companies, financials, taxonomies and rankings.");
  });
});

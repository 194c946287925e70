import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { findProgram } from "../support/program-path.mjs";

const ROOT = join(__dirname, "../..");
const FOLDER = "src/companion/deploy";
const readPath = (path: string) => readFileSync(join(ROOT, path), "utf8");
const unit = readPath(`${FOLDER}/feed-for-excel@.service`);
const page = readPath("src/companion/DEPLOY.md");

const folder = mkdtempSync(join(tmpdir(), "feed-systemd-"));
afterAll(() => rmSync(folder, { recursive: true }));

const listAll = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, part = ""]) => part);

describe("the service", () => {
  const tool = findProgram(["systemd-analyze"]);
  it("has lines that systemd knows, as its own tool reads them", () => {
    const verify = (text: string) => {
      writeFileSync(join(folder, "feed-for-excel@.service"), text.replace("/usr/bin/node", process.execPath));
      const verified = spawnSync(tool ?? "true", ["verify", join(folder, "feed-for-excel@1.service")]);
      return String(verified.stderr)
        .split("\n")
        .filter((line) => line.includes("feed-for-excel@"));
    };
    expect(verify(unit)).toEqual([]);
    // Machines without systemd have no tool to ask.
    const mistaken = tool === undefined ? [] : [expect.stringContaining("Unknown key 'ProtectSytem'")];
    expect(verify(unit.replace("ProtectSystem", "ProtectSytem"))).toEqual(mistaken);
  });

  it("has an nginx.conf without containers by the page's command", () => {
    const [command = ""] = page.match(/^sed -E -e [\s\S]*?nginx\.conf(?= >)/m) ?? [];
    const local = command.replace("/opt/feed-for-excel/deploy", join(ROOT, FOLDER));
    const adapted = execFileSync("sh", ["-c", local], { encoding: "utf8" });
    expect(adapted).not.toMatch(/resolver|resolve;/);
    expect(adapted).not.toMatch(/companion-\d|\/dev\/std|\/run\/secrets|\/tmp\/nginx\.pid/);
    const places = listAll(adapted, /^\s*(?:server|listen) (\S+) (?:max_fails|ssl)/gm);
    expect([...new Set(places)]).toEqual(["127.0.0.1:3001", "127.0.0.1:3002", "443"]);
  });
});

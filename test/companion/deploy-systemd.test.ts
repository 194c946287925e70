import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { Settings } from "../../src/companion/configuration/settings";

const ROOT = join(__dirname, "../..");
const FOLDER = "src/companion/deploy";
const readPath = (path: string) => readFileSync(join(ROOT, path), "utf8");
const unit = readPath(`${FOLDER}/feed-for-excel@.service`);
const systemd: Settings = JSON.parse(readPath(`${FOLDER}/settings.systemd.json`));
const page = readPath("src/companion/DEPLOY.md");
const operating = readPath("src/companion/OPERATE.md");

const listAll = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, part = ""]) => part);

describe("the service", () => {
  it("starts the built program with the service manager's copies of secrets", () => {
    expect(unit).toMatch(
      /^ExecStart=\/usr\/bin\/node \/opt\/feed-for-excel\/feed\.mjs start --settings %d\/settings\.json$/m,
    );
    expect(listAll(unit, /^LoadCredential=([\w.-]+):/gm)).toEqual([
      ...["settings.json", "key.pem", "sign-in.txt", "store.txt"],
    ]);
    // The settings name the copies without a folder, which is each instance's own.
    expect(unit).toMatch(/^WorkingDirectory=%d$/m);
    const { FEED_PRIVATE_KEY_FILE, FEED_SIGN_IN_CLIENT_SECRET_FILE, FEED_STORE_PASSWORD_FILE } = systemd;
    const files = [FEED_PRIVATE_KEY_FILE, FEED_SIGN_IN_CLIENT_SECRET_FILE, FEED_STORE_PASSWORD_FILE];
    expect(files).toEqual(["key.pem", "sign-in.txt", "store.txt"]);
    expect(unit).toContain("ExecReload=/bin/kill -HUP $MAINPID");
  });

  it("gives each instance its own port, metrics and audit log", () => {
    const places = ["PORT", "FEED_METRICS", "FEED_AUDIT_FILE"].map((name) => {
      expect(systemd).not.toHaveProperty(name);
      return unit.match(new RegExp(`^Environment=${name}=(.+)$`, "m"))?.[1]?.replace("%i", "2");
    });
    expect(places).toEqual(["3002", "127.0.0.1:9462", "/var/log/feed-for-excel/audit-2.jsonl"]);
    expect(operating).toContain("/var/log/feed-for-excel/audit-*.jsonl");
    // Instances that share folders need one user, which a dynamic one is by its name.
    expect(unit).toMatch(/^User=feed-for-excel$/m);
  });

  it("cannot reach cloud metadata addresses, write memory to disk or see other mounts", () => {
    expect(unit).toMatch(/^IPAddressDeny=link-local multicast .*100\.100\.100\.200\/32 fd00:ec2::254\/128$/m);
    for (const line of ["LimitCORE=0", "MemorySwapMax=0", "PrivateMounts=yes", "PrivateIPC=yes", "KeyringMode=private"])
      expect(unit).toMatch(new RegExp(`^${line}$`, "m"));
    expect(page).toContain("IPAddressDeny=any");
  });

  it("stores its pairings in a folder that survives a restart", () => {
    expect(unit).toMatch(/^StateDirectory=feed-for-excel$/m);
    expect(unit).toMatch(/^StateDirectoryMode=0700$/m);
    // A dynamic user has no home folder, and the pairings are below it.
    expect(unit).toMatch(/^Environment=HOME=\/var\/lib\/feed-for-excel$/m);
    expect(operating).toContain("-p StateDirectory=feed-for-excel -E HOME=/var/lib/feed-for-excel");
  });
});

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { parse } from "yaml";
import { findRedis } from "../support/redis.mjs";

const FILE = join(__dirname, "../../src/companion/deploy/compose.yaml");
const PASSWORD = "0123456789abcdef0123456789abcdef";

const folder = mkdtempSync(join(tmpdir(), "feed-deploy-store-"));
let server: ChildProcess;
afterEach(() => {
  server.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Starts the store by the composition's own command in temporary folders, and gives its port. */
async function start(): Promise<number> {
  const { command } = parse(readFileSync(FILE, "utf8"), { merge: true }).services.valkey;
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  writeFileSync(join(folder, "store.txt"), `${PASSWORD}\n`, { mode: 0o600 });
  const script = command[2]
    .replaceAll("$$", "$")
    .replace("valkey-server", `"${findRedis()}" --bind 127.0.0.1 --port ${port}`)
    .replace("/run/secrets/store-password", join(folder, "store.txt"));
  server = spawn(command[0], [command[1], script], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(server.stdout!)) if (line.includes("Ready to accept connections")) break;
  server.stdout?.resume();
  return port;
}

describe("the store of the composition", () => {
  it("requires its password, which is no argument of its process, and writes nothing to disk", async () => {
    const port = await start();
    const stranger = new Redis(port, "127.0.0.1", { lazyConnect: true });
    const refusal = once(stranger, "error");
    await expect(stranger.get("feed:x")).rejects.toThrow();
    expect(String(await refusal)).toContain("NOAUTH");
    stranger.disconnect();
    const known = new Redis(`redis://:${PASSWORD}@127.0.0.1:${port}`);
    expect(await known.set("feed:x", "1")).toBe("OK");
    expect(await known.config("GET", "save")).toEqual(["save", ""]);
    expect(await known.config("GET", "maxmemory-policy")).toEqual(["maxmemory-policy", "volatile-lru"]);
    known.disconnect();
    const words = readFileSync(`/proc/${server.pid}/cmdline`, "utf8");
    expect(words).toContain("-server");
    expect(words).not.toContain(PASSWORD);
  });
});

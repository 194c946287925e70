import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { readSecretFile, readTrustedFile } from "../../src/companion/trusted-file";
import { describeOnPosix } from "../support/posix";

const READS = 30_000;
/** Switches the link between the files atomically and continuously until it is killed. */
const SWAPPER = `
  const { renameSync, symlinkSync } = require("node:fs");
  const [link, ...targets] = process.argv.slice(1);
  for (let count = 0; count < 50_000_000; count += 1) {
    symlinkSync(targets[count % 2], link + ".new");
    renameSync(link + ".new", link);
    if (count === 10) process.stdout.write("swapping");
  }`;

let folder: string;
let link: string;
let swapper: ChildProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trusted-race-"));
  link = join(folder, "link");
  writeFileSync(join(folder, "own"), "own", { mode: 0o600 });
  writeFileSync(join(folder, "open"), "open");
});
afterEach(() => {
  swapper.kill("SIGKILL");
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

describeOnPosix("a link that a program swaps during the read", () => {
  it.each([
    ["secret", 0o644, readSecretFile],
    ["trusted", 0o666, readTrustedFile],
  ])("never gives a %s file that would be refused by itself", async (_kind, mode, read) => {
    chmodSync(join(folder, "open"), mode);
    symlinkSync("own", link);
    swapper = spawn(process.execPath, ["-e", SWAPPER, link, "own", "open"]);
    await once(swapper.stdout!, "data");
    const counts = new Map<string, number>();
    for (let count = 0; count < READS; count += 1) {
      const seen = readOnce(() => read(link, "own file"));
      counts.set(seen, (counts.get(seen) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(["Others on this machine may", "own"]);
  });
});

/** Gives the content, or the beginning of the error. */
function readOnce(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return (error as Error).message.split(" ").slice(0, 5).join(" ");
  }
}

import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A cap on the memory of each of a firm's instances. */
export interface MemoryCap {
  /** How it is enforced, for people. */
  by: string;
  /** Gives the command that runs an instance under its cap; it takes the instance's own command after it. */
  within(place: number): readonly string[];
  /** Removes what it took of the system, after the instances have ended. */
  remove(): void;
}

const ROOT = "/sys/fs/cgroup";

/** Each form of Linux's control groups: its root for memory, and the file of the limit. */
const GROUPS = [
  { by: "control groups, version 1", root: join(ROOT, "memory"), limit: "memory.limit_in_bytes" },
  { by: "control groups, version 2", root: ROOT, limit: "memory.max" },
];

/**
 * Creates a cap by the kernel, as systemd's MemoryMax and a container's limit are, by whichever way the system allows.
 * Without any, the instances run without a limit, and only the measured memory counts.
 */
export function createMemoryCap(bytes: number): MemoryCap {
  return createGroups(bytes) ?? createScopes(bytes) ?? { by: "", within: () => [], remove() {} };
}

function createGroups(bytes: number): MemoryCap | undefined {
  for (const { by, root, limit } of GROUPS) {
    const toFolder = (place: number) => join(root, `feed-firm-${process.pid}-${place}`);
    const made = new Set<string>();
    const make = (place: number): string => {
      const folder = toFolder(place);
      if (!made.has(folder)) mkdirSync(folder);
      made.add(folder);
      writeFileSync(join(folder, limit), String(bytes));
      return folder;
    };
    try {
      accessSync(join(root, "cgroup.procs"), constants.W_OK);
      if (readFileSync(join(make(0), limit), "utf8").trim() !== String(bytes)) throw new Error("no limit");
    } catch {
      for (const folder of made) rmdirSync(folder);
      continue;
    }
    return {
      by,
      // The process joins the group before it becomes Node, which sizes its heap by the limit.
      within: (place) => ["/bin/sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', make(place)],
      remove() {
        for (const folder of made) rmdirSync(folder);
      },
    };
  }
  return undefined;
}

function createScopes(bytes: number): MemoryCap | undefined {
  const words = ["--user", "--scope", "--quiet", "-p", `MemoryMax=${bytes}`, "-p", "MemorySwapMax=0", "--"];
  if (spawnSync("systemd-run", [...words, "true"], { stdio: "ignore" }).status !== 0) return undefined;
  return { by: "systemd", within: () => ["systemd-run", ...words], remove() {} };
}

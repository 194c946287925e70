import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { createFileReader } from "../../src/companion/file-value";
import { describeOnPosix } from "../support/posix";

/** The time of a test's texts; whole seconds, so that a test can set it exactly. */
const WRITTEN_SECONDS = 1_700_000_000;
/** Longer than a tick of the file system's clock. */
const TICK_MS = 20;

let folder: string;
let path: string;
/** Milliseconds since the file's last change, by a test's clock. */
let ageMs: number;
let elapsedMs: number;
let reads: number;
let readValue: () => string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "file-value-"));
  path = join(folder, "state.txt");
  write(path, "one");
  [ageMs, elapsedMs, reads] = [60_000, 0, 0];
  const read = () => {
    reads += 1;
    return readFileSync(path, "utf8");
  };
  const nowMs = () => Math.ceil(statSync(path).ctimeMs) + ageMs;
  readValue = createFileReader(path, read, { nowMs, elapsedMs: () => elapsedMs });
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(to: string, text: string): void {
  writeFileSync(to, text, { mode: 0o600 });
  utimesSync(to, WRITTEN_SECONDS, WRITTEN_SECONDS);
}

describeOnPosix("a file's value", () => {
  it("is read once while the file is unchanged", () => {
    expect([readValue(), readValue(), readValue()]).toEqual(["one", "one", "one"]);
    expect(reads).toBe(1);
  });

  it.each([
    ["has another text", () => writeFileSync(path, "three")],
    ["has another text as long as before", () => writeFileSync(path, "two")],
    ["has another text as long as before and its former time", () => write(path, "two")],
    [
      "was replaced by another one of the same time",
      () => {
        write(`${path}.new`, "two");
        renameSync(`${path}.new`, path);
      },
    ],
    [
      "is in another folder under its path",
      () => {
        renameSync(folder, `${folder}.old`);
        mkdirSync(folder);
        writeFileSync(path, "two");
        rmSync(`${folder}.old`, { recursive: true });
      },
    ],
    ["may be read by others", () => chmodSync(path, 0o644)],
    ["has a second name", () => linkSync(path, `${path}.other`)],
    [
      "is behind a link that now leads elsewhere",
      () => {
        writeFileSync(`${path}.other`, "two");
        rmSync(path);
        symlinkSync(`${path}.other`, path);
      },
    ],
  ])("is read again if the file %s", async (_what, change) => {
    readValue();
    await setTimeout(TICK_MS);
    change();
    expect(readValue()).toBe(readFileSync(path, "utf8"));
    expect(reads).toBe(2);
  });

  it("is read each time until the file's last change is two seconds old", () => {
    ageMs = 1_999;
    readValue();
    readValue();
    ageMs = 2_001;
    readValue();
    readValue();
    expect(reads).toBe(3);
  });

  it("is read each time while the clock is behind the file's last change", () => {
    ageMs = -60_000;
    readValue();
    readValue();
    expect(reads).toBe(2);
  });

  it("is read again after a second", () => {
    readValue();
    elapsedMs = 999;
    readValue();
    expect(reads).toBe(1);
    elapsedMs = 1_000;
    readValue();
    expect(reads).toBe(2);
  });

  it("is that of a file which was removed, and created again", () => {
    readValue();
    rmSync(path);
    expect(readValue).toThrow("ENOENT");
    expect(readValue).toThrow("ENOENT");
    writeFileSync(path, "two");
    expect(readValue()).toBe("two");
  });

  it("is never an earlier one than another process has written", async () => {
    const writeEach = `
      const { renameSync, writeFileSync } = require("node:fs");
      const path = process.argv[1];
      process.stdin.on("data", (said) => {
        const text = String(said).trim();
        writeFileSync(path + ".new", text);
        renameSync(path + ".new", path);
        process.stdout.write(text + "\\n");
      });`;
    const other = spawn(process.execPath, ["-e", writeEach, path], { stdio: ["pipe", "pipe", "inherit"] });
    const said = createInterface({ input: other.stdout })[Symbol.asyncIterator]();
    // As if the file had been left alone for a minute: only its state can show a change.
    for (let text = 1000; text < 1300; text++) {
      readValue();
      other.stdin.write(`${text}\n`);
      await said.next();
      expect(readValue()).toBe(String(text));
    }
    other.stdin.end();
    await once(other, "exit");
  });
});

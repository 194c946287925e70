import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createFileReader, createFileStore, createMemoryStore, writeWhole } from "../../src/companion/store";
import { describeOnPosix, itOnPosix } from "../support/posix";

const INITIAL = { count: 0 };
const add = ({ count }: typeof INITIAL) => ({ value: { count: count + 1 }, result: count + 1 });

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "store-"));
  path = join(folder, "deep", "state.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const readMode = (of: string) => statSync(of).mode & 0o777;

describe.each([
  ["memory", () => createMemoryStore(INITIAL)],
  ["a file", () => createFileStore(path, INITIAL)],
])("a store in %s", (_title, create) => {
  it("has its initial value until it is changed", async () => {
    const store = create();
    expect(await store.read()).toEqual({ count: 0 });
    expect(await store.change(add)).toBe(1);
    expect(await store.read()).toEqual({ count: 1 });
  });

  it("loses none of several simultaneous changes", async () => {
    const store = create();
    const results = await Promise.all(Array.from({ length: 50 }, () => store.change(add)));
    expect(new Set(results).size).toBe(50);
    expect(await store.read()).toEqual({ count: 50 });
  });
});

describe("a store in a file", () => {
  itOnPosix("belongs to its owner alone, with its folder", async () => {
    const store = createFileStore(path, INITIAL);
    await store.change(add);
    expect([readMode(path), readMode(join(folder, "deep"))]).toEqual([0o600, 0o700]);
    expect(readdirSync(join(folder, "deep"))).toEqual(["state.json"]);
  });

  it("creates no file if nothing changes", async () => {
    const store = createFileStore(path, INITIAL);
    await store.read();
    await store.change((value) => ({ value, result: undefined }));
    expect(existsSync(path)).toBe(false);
  });

  it("sees at once what another program wrote or removed", async () => {
    const store = createFileStore(path, INITIAL);
    const other = createFileStore(path, INITIAL);
    await store.change(add);
    await other.change(add);
    expect(await store.read()).toEqual({ count: 2 });
    expect(await store.change(add)).toBe(3);
    rmSync(path);
    expect(await store.read()).toEqual({ count: 0 });
  });

  it("waits for another process that is changing it", async () => {
    const store = createFileStore(path, INITIAL);
    await store.change(add);
    // The other process holds the lock, and writes only after this one had to wait.
    const held = `
      const { readFileSync, rmSync, writeFileSync } = require("node:fs");
      const path = process.argv[1];
      writeFileSync(path + ".lock", "", { flag: "wx" });
      const { count } = JSON.parse(readFileSync(path));
      process.stdout.write("held");
      process.stdin.once("data", () => {
        writeFileSync(path, JSON.stringify({ count: count + 1 }));
        rmSync(path + ".lock");
        process.exit();
      });`;
    const other = spawn(process.execPath, ["-e", held, path], { stdio: ["pipe", "pipe", "inherit"] });
    await once(other.stdout, "data");
    const changed = store.change(add);
    other.stdin.write("go");
    expect(await changed).toBe(3);
    if (other.exitCode === null) await once(other, "exit");
  });

  it("takes over from a program that was killed while changing it", async () => {
    const store = createFileStore(path, INITIAL);
    await store.change(add);
    writeFileSync(`${path}.lock`, "");
    const changed = store.change(add);
    // As if that had been a while ago.
    utimesSync(`${path}.lock`, 1_700_000_000, 1_700_000_000);
    expect(await changed).toBe(2);
    expect(readdirSync(join(folder, "deep"))).toEqual(["state.json"]);
  });

  it("explains the remedy if another program changes it again and again", async () => {
    const store = createFileStore(path, INITIAL, () => true, 3);
    await store.change(add);
    writeFileSync(`${path}.lock`, "");
    const later = Date.now() / 1000 + 3600;
    utimesSync(`${path}.lock`, later, later);
    await expect(store.change(add)).rejects.toThrow(
      `Another program keeps changing ${path}. If none runs, delete ${path}.lock and try again.`,
    );
    expect(await store.read()).toEqual({ count: 1 });
  });

  it("can be changed again after a failed edit", async () => {
    const store = createFileStore(path, INITIAL);
    const fail = () => {
      throw new Error("no");
    };
    await expect(store.change(fail)).rejects.toThrow("no");
    expect(await store.change(add)).toBe(1);
  });

  it.each(["", "{", "null", "[]", "{}", '"secret words"'])("refuses the text '%s' without quoting it", async (text) => {
    writeWhole(path, text);
    const sentence = `${path} does not hold what this program wrote. Mend it, or delete it and set up again.`;
    const store = createFileStore(path, INITIAL);
    await expect(store.read()).rejects.toThrow(sentence);
    await expect(store.change(add)).rejects.toThrow(sentence);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  itOnPosix.each(["640", "604", "620", "602"])("refuses a file of mode %s, which others may use", async (mode) => {
    const store = createFileStore(path, INITIAL);
    await store.change(add);
    chmodSync(path, Number.parseInt(mode, 8));
    await expect(store.read()).rejects.toThrow(
      `Others on this machine may read the file of this program. Run: chmod 600 ${path}`,
    );
  });

  it("reports where it cannot write, and leaves nothing behind", async () => {
    writeFileSync(join(folder, "deep"), "a file in the folder's place");
    await expect(createFileStore(path, INITIAL).change(add)).rejects.toThrow(
      `${path} cannot be written (EEXIST). Check the folder's rights and the disk, and try again.`,
    );
    const taken = join(folder, "taken");
    mkdirSync(taken);
    expect(() => writeWhole(taken, "text")).toThrow(`${taken} cannot be written (EISDIR).`);
    expect(readdirSync(folder)).toEqual(["deep", "taken"]);
  });
});

describeOnPosix("a file's value", () => {
  /** The time of a test's texts; whole seconds, so that a test can set it exactly. */
  const WRITTEN_SECONDS = 1_700_000_000;
  /** Longer than a tick of the file system's clock. */
  const TICK_MS = 20;

  let path: string;
  /** Milliseconds since the file's last change, by a test's clock. */
  let ageMs: number;
  let elapsedMs: number;
  let reads: number;
  let readValue: () => string;

  beforeEach(() => {
    path = join(folder, "state.txt");
    write(path, "one");
    [ageMs, elapsedMs, reads] = [60_000, 0, 0];
    const read = () => {
      reads += 1;
      return readFileSync(path, "utf8");
    };
    jest.spyOn(Date, "now").mockImplementation(() => Math.ceil(statSync(path).ctimeMs) + ageMs);
    jest.spyOn(performance, "now").mockImplementation(() => elapsedMs);
    readValue = createFileReader(path, read);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  function write(to: string, text: string): void {
    writeFileSync(to, text, { mode: 0o600 });
    utimesSync(to, WRITTEN_SECONDS, WRITTEN_SECONDS);
  }

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

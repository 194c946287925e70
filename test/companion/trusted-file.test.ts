import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs, {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import { createFileStore } from "../../src/companion/store";
import { isAbsent, readSecretFile, readTrustedFile } from "../../src/companion/trusted-file";
import { describeOnPosix, itOnPosix } from "../support/posix";
import { until } from "../support/until";

const user = process.getuid?.() ?? 0;
const NOBODY = 65_534;
let folder: string;
let path: string;
let swapper: ChildProcess | undefined;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "trusted-")));
  path = join(folder, "own.json");
  writeFileSync(path, '{"count":1}', { mode: 0o600 });
});
afterEach(() => {
  jest.restoreAllMocks();
  pretended.clear();
  swapper?.kill("SIGKILL");
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

/** Only the superuser can give a file away; other users change their own effective id instead. */
function giveAway(): number {
  if (user === 0) chownSync(path, NOBODY, NOBODY);
  else {
    pretend(folder, { uid: NOBODY });
    jest.spyOn(process as Required<NodeJS.Process>, "getuid").mockReturnValue(NOBODY);
  }
  return user === 0 ? 0 : NOBODY;
}

const { lstatSync } = fs;
const pretended = new Map<string, Partial<fs.Stats>>();

/** Makes the system report facts of a path that only the superuser could create. */
function pretend(of: string, facts: Partial<fs.Stats>): void {
  pretended.set(of, facts);
  jest.spyOn(fs, "lstatSync").mockImplementation(((path: string, options?: fs.StatSyncOptions) => {
    const stats = lstatSync(path, options);
    return stats && Object.assign(stats, pretended.get(path));
  }) as typeof lstatSync);
}

const READERS: [string, string, () => unknown][] = [
  ["secret", "own file", () => readSecretFile(path, "own file")],
  ["trusted", "own file", () => readTrustedFile(path, "own file")],
  ["stored", "file of this program", () => createFileStore(path, { count: 0 }).read()],
];

describeOnPosix.each(READERS)("a %s file", (_kind, what, read) => {
  it("is read if it belongs to the user, also with a byte order mark", async () => {
    const expected = await read();
    expect(JSON.stringify(expected)).toContain("count");
    writeFileSync(path, '\uFEFF{"count":1}');
    expect(await read()).toEqual(expected);
  });

  it("is refused if it is another user's", async () => {
    const pending = giveAway();
    await expect(async () => read()).rejects.toThrow(
      `${path} is another user's, who may change it. Look at what it holds, then run: sudo chown ${pending} ${path}`,
    );
  });

  it("is refused in a folder where everybody can replace it, unless only its owner can delete it", async () => {
    chmodSync(folder, 0o707);
    await expect(async () => read()).rejects.toThrow(`in the place of ${path}. Run: chmod o-w ${folder}`);
    chmodSync(folder, 0o1777);
    expect(JSON.stringify(await read())).toContain("count");
  });

  it("is refused in a folder where another group can replace it, and not if the user's own group can", async () => {
    chmodSync(folder, 0o770);
    pretend(folder, { gid: NOBODY - 1 });
    await expect(async () => read()).rejects.toThrow(
      `The group ${NOBODY - 1} may put another ${what} in the place of ${path}. Run: chmod g-w ${folder}`,
    );
    pretend(folder, { gid: user });
    expect(JSON.stringify(await read())).toContain("count");
  });

  it("is refused in a folder of another user, anywhere on its path", async () => {
    mkdirSync(join(folder, "deep", "deeper"), { recursive: true });
    const moved = join(folder, "deep", "deeper", "own.json");
    fs.renameSync(path, moved);
    path = moved;
    expect(JSON.stringify(await read())).toContain("count");
    pretend(join(folder, "deep"), { uid: NOBODY - 1 });
    await expect(async () => read()).rejects.toThrow(
      `The folder ${join(folder, "deep")} is another user's, who may put another ${what} in the place of ${path}.`,
    );
  });

  it("is refused behind another user's link, and read behind the superuser's or the user's own", async () => {
    const target = path;
    path = join(folder, "link.json");
    symlinkSync(target, path);
    expect(JSON.stringify(await read())).toContain("count");
    pretend(path, { uid: NOBODY - 1 });
    await expect(async () => read()).rejects.toThrow(
      `The link ${path}, which leads to the ${what}, is another user's. Give the ${what}'s own path, or run: sudo chown -h ${user} ${path}`,
    );
    pretend(path, { uid: 0 });
    expect(JSON.stringify(await read())).toContain("count");
  });

  it("is refused by a hard link in a folder where everybody can create one", async () => {
    const target = path;
    path = join(folder, "shared", "own.json");
    mkdirSync(join(folder, "shared"));
    linkSync(target, path);
    expect(JSON.stringify(await read())).toContain("count");
    chmodSync(join(folder, "shared"), 0o1777);
    await expect(async () => read()).rejects.toThrow(`The ${what} ${path} has another name too`);
  });

  it("is read from a secrets mount, through links of the superuser in a folder all may write", async () => {
    mkdirSync(join(folder, "mount", "..2026"), { recursive: true });
    chmodSync(join(folder, "mount"), 0o1777);
    fs.renameSync(path, join(folder, "mount", "..2026", "own.json"));
    symlinkSync("..2026", join(folder, "mount", "..data"));
    symlinkSync("..data/own.json", join(folder, "mount", "own.json"));
    path = join(folder, "mount", "own.json");
    for (const entry of ["mount", "mount/..2026", "mount/..data", "mount/own.json"]) {
      pretend(join(folder, entry), { uid: 0 });
    }
    expect(JSON.stringify(await read())).toContain("count");
  });

  it("is refused if it is a pipe, without waiting", async () => {
    rmSync(path);
    execFileSync("mkfifo", [path]);
    await expect(async () => read()).rejects.toThrow(`${path} is no file.`);
  });

  it("is refused if links form a circle or lead nowhere, which is no absence", async () => {
    rmSync(path);
    symlinkSync("own.json", path);
    await expect(async () => read()).rejects.toThrow(`${path} cannot be read (ELOOP).`);
    rmSync(path);
    symlinkSync("nowhere.json", path);
    expect(isAbsent(path, what)).toBe(false);
    await expect(async () => read()).rejects.toThrow(`${path} cannot be read (ENOENT).`);
  });
});

describeOnPosix("a file that is replaced while it is opened", () => {
  it("is checked as opened, even if its path has another file by then", () => {
    const other = join(folder, "other.json");
    writeFileSync(other, "other", { mode: 0o600 });
    chmodSync(path, 0o666);
    const { openSync } = fs;
    jest.spyOn(fs, "openSync").mockImplementation((...args) => {
      const file = openSync(...args);
      fs.renameSync(other, path);
      return file;
    });
    expect(() => readTrustedFile(path, "own file")).toThrow("Others on this machine may write the own file.");
  });

  it("is refused if the replacement is a link", () => {
    const { openSync } = fs;
    symlinkSync("other.json", join(folder, "link"));
    writeFileSync(join(folder, "other.json"), "other", { mode: 0o600 });
    jest.spyOn(fs, "openSync").mockImplementation((...args) => {
      fs.renameSync(join(folder, "link"), path);
      return openSync(...args);
    });
    expect(() => readTrustedFile(path, "own file")).toThrow(`${path} cannot be read (ELOOP).`);
  });
});

itOnPosix("a settings file with a secret is judged for readers as it was opened", () => {
  chmodSync(path, 0o644);
  const holdsSecret = (text: string) => {
    chmodSync(path, 0o600);
    return text.includes("count");
  };
  expect(() => readTrustedFile(path, "settings file", holdsSecret)).toThrow("Others on this machine may read");
});

describeOnPosix("a secret that the superuser gives to a program of another user, as secrets mounts do", () => {
  /** Only the superuser can create such a file; otherwise the companion's user is changed. */
  const become = () => jest.spyOn(process as Required<NodeJS.Process>, "getuid").mockReturnValue(NOBODY);
  const read = (mode: number) => {
    chmodSync(path, mode);
    return readSecretFile(path, "key file");
  };

  it("can be readable by a group, which the user's own cannot", () => {
    expect(() => read(0o440)).toThrow("Others on this machine may read the key file.");
    if (user === 0) become();
    expect(user === 0 ? read(0o440) : read(0o400)).toContain("count");
  });

  it.each([0o444, 0o460, 0o441])("is refused with the mode %i", (mode) => {
    if (user === 0) become();
    expect(() => read(mode)).toThrow("Others on this machine may read the key file.");
  });
});

itOnPosix("a path that needs quoting is quoted in the remedy", () => {
  const odd = join(folder, "it's odd");
  mkdirSync(odd);
  writeFileSync(join(odd, "key.pem"), "");
  chmodSync(join(odd, "key.pem"), 0o644);
  expect(() => readSecretFile(join(odd, "key.pem"), "key file")).toThrow(
    `Run: chmod 600 '${folder}/it'\\''s odd/key.pem'`,
  );
});

const READS = 2_000;
/** Switches the link between the files atomically and continuously until it is killed. */
const SWAPPER = `
  const { renameSync, symlinkSync } = require("node:fs");
  const [link, ...targets] = process.argv.slice(1);
  for (let count = 0; count < 50_000_000; count += 1) {
    symlinkSync(targets[count % 2], link + ".new");
    renameSync(link + ".new", link);
    if (count === 10) process.stdout.write("swapping");
  }`;

itOnPosix.each([
  ["secret", 0o644, readSecretFile],
  ["trusted", 0o666, readTrustedFile],
])("a swapped link never gives a %s file that would be refused by itself", async (_kind, mode, read) => {
  const link = join(folder, "link");
  writeFileSync(join(folder, "own"), "own", { mode: 0o600 });
  writeFileSync(join(folder, "open"), "open");
  chmodSync(join(folder, "open"), mode);
  symlinkSync("own", link);
  swapper = spawn(process.execPath, ["-e", SWAPPER, link, "own", "open"]);
  await once(swapper.stdout!, "data");
  const seen = new Set<string>();
  let reads = 0;
  await until(() => {
    for (let each = 0; each < 100; each++) seen.add(readOnce(() => read(link, "own file")));
    reads += 100;
    return reads >= READS && seen.size > 1;
  });
  expect([...seen].sort()).toEqual(["Others on this machine may", "own"]);
});

/** Gives the content, or the beginning of the error. */
function readOnce(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return (error as Error).message.split(" ").slice(0, 5).join(" ");
  }
}

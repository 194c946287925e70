import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createFileStore } from "../../src/companion/store";
import { readSecretFile, readTrustedFile } from "../../src/companion/trusted-file";

const user = process.getuid!();
const NOBODY = 65_534;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trusted-"));
  path = join(folder, "own.json");
  writeFileSync(path, '{"count":1}', { mode: 0o600 });
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Only the superuser can give a file away; for anybody else, the one who asks becomes somebody else. */
function giveAway(): number {
  if (user === 0) chownSync(path, NOBODY, NOBODY);
  else jest.spyOn(process as Required<NodeJS.Process>, "getuid").mockReturnValue(NOBODY);
  return user === 0 ? 0 : NOBODY;
}

const READERS: [string, () => unknown][] = [
  ["secret", () => readSecretFile(path, "own file")],
  ["trusted", () => readTrustedFile(path, "own file")],
  ["stored", () => createFileStore(path, { count: 0 }).read()],
];

describe.each(READERS)("a %s file", (_kind, read) => {
  it("is read where it is one's own", async () => {
    expect(JSON.stringify(await read())).toContain("count");
  });

  it("is refused where it is another user's", async () => {
    const asking = giveAway();
    await expect(async () => read()).rejects.toThrow(
      `${path} is another user's, who may change it. Look at what it holds, then run: sudo chown ${asking} ${path}`,
    );
  });

  it("is refused in a folder where everybody may put another in its place, unless only its owner may take it away", async () => {
    chmodSync(folder, 0o777);
    await expect(async () => read()).rejects.toThrow(`in the place of ${path}. Run: chmod o-w ${folder}`);
    chmodSync(folder, 0o1777);
    expect(JSON.stringify(await read())).toContain("count");
  });
});

describe("a secret that the superuser hands to a program of another user, as mounts of secrets are", () => {
  /** Only the superuser can make such a file: the companion is somebody else then. */
  const become = () => jest.spyOn(process as Required<NodeJS.Process>, "getuid").mockReturnValue(NOBODY);
  const read = (mode: number) => {
    chmodSync(path, mode);
    return readSecretFile(path, "key file");
  };

  it("may be readable by a group, which one's own may not", () => {
    expect(() => read(0o440)).toThrow("Others on this machine may read the key file.");
    if (user === 0) become();
    expect(user === 0 ? read(0o440) : read(0o400)).toContain("count");
  });

  it.each([0o444, 0o460, 0o441])("is refused with the mode %i", (mode) => {
    if (user === 0) become();
    expect(() => read(mode)).toThrow("Others on this machine may read the key file.");
  });
});

describe("a path", () => {
  it("that needs quoting is quoted in the cure", () => {
    const odd = join(folder, "it's odd");
    mkdirSync(odd);
    writeFileSync(join(odd, "key.pem"), "");
    chmodSync(join(odd, "key.pem"), 0o644);
    expect(() => readSecretFile(join(odd, "key.pem"), "key file")).toThrow(
      `Run: chmod 600 '${folder}/it'\\''s odd/key.pem'`,
    );
  });
});

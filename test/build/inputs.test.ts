import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { hashInputs, isBuilt, recordBuild } from "../../src/build/inputs.mjs";

const ROOT = join(__dirname, "../..");
const FILES = [
  ...["src/functions/index.ts", "src/taskpane/index.ts", "docs/analyst.md", "assets/icon-32.png", "manifest.xml"],
  ...["package.json", "package-lock.json", "tsconfig.json", "webpack.config.js", ".swcrc", "LICENSE"],
];
const BUILT = ["dist/companion/main.mjs", "dist/web/functions.js", "dist/web/playground.js"];

let folder: string;
const place = (path: string) => join(folder, path);

/** A checkout of a few files, with a recorded build. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-build-"));
  for (const path of [...FILES, ...BUILT]) {
    mkdirSync(join(place(path), ".."), { recursive: true });
    writeFileSync(place(path), path);
  }
  recordBuild(folder, hashInputs(folder));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a recorded build", () => {
  it("is of the present files", () => {
    expect(isBuilt(folder)).toBe(true);
  });

  it.each(FILES)("is no longer if %s changes", (path) => {
    writeFileSync(place(path), "changed");
    expect(isBuilt(folder)).toBe(false);
  });

  it("is no longer if a file changed while webpack ran", () => {
    const inputs = hashInputs(folder);
    writeFileSync(place("src/functions/index.ts"), "changed");
    recordBuild(folder, inputs);
    expect(isBuilt(folder)).toBe(false);
  });

  it("is no longer if a file appears, is renamed or disappears", () => {
    writeFileSync(place("src/functions/more.ts"), "");
    expect(isBuilt(folder)).toBe(false);
    rmSync(place("src/functions/more.ts"));
    expect(isBuilt(folder)).toBe(true);
    renameSync(place("src/functions/index.ts"), place("src/functions/main.ts"));
    expect(isBuilt(folder)).toBe(false);
    rmSync(place("src/functions/main.ts"));
    expect(isBuilt(folder)).toBe(false);
  });

  it.each([...BUILT, "dist/inputs.sha256"])("is no longer without %s", (path) => {
    rmSync(place(path));
    expect(isBuilt(folder)).toBe(false);
  });
});

it("webpack removes the record as it begins, in each mode", () => {
  for (const path of ["package.json", "webpack.config.js"]) copyFileSync(join(ROOT, path), place(path));
  cpSync(join(ROOT, "src"), place("src"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), place("node_modules"));
  const configure = `require("./webpack.config.js")({}, { mode: "development" })`;
  expect(spawnSync(process.execPath, ["-e", configure], { cwd: folder }).status).toBe(0);
  expect(existsSync(place("dist/inputs.sha256"))).toBe(false);
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { unzipSync } from "fflate";
import pkg from "../../package.json";
import { listFiles } from "../../src/build/package/files.mjs";
import { pack } from "../../src/build/package/pack.mjs";

const ROOT = join(__dirname, "../..");
const NAME = `feed-for-excel-${pkg.version}`;
const MEBIBYTE = 2 ** 20;

let target: string;
let folder: string;
let files: string[];

/** Packs the build, and gives the archives' bytes by name. */
function packBuild(): Record<string, Buffer> {
  return Object.fromEntries(pack(ROOT, target).map((path) => [basename(path), readFileSync(path)]));
}

let packed: Record<string, Buffer>;
beforeAll(() => {
  target = mkdtempSync(join(tmpdir(), "feed-package-"));
  folder = join(target, "feed-for-excel");
  packed = packBuild();
  files = listFiles(folder);
}, 120_000);
afterAll(() => rmSync(target, { recursive: true }));

describe("the packed build", () => {
  it("has the same files in its tarball, its zip and its folder", () => {
    const tarball = execFileSync("tar", ["--list", "--gzip", "--file", join(target, `${NAME}.tgz`)], {
      encoding: "utf8",
    });
    expect(tarball.trim().split("\n").sort()).toEqual(files.map((path) => `package/${path}`).sort());
    const entries = Object.entries(unzipSync(packed[`${NAME}.zip`]!));
    expect(entries.map(([name]) => name)).toEqual(files.map((path) => `${NAME}/${path}`));
    const isSame = ([name, bytes]: [string, Uint8Array]) =>
      readFileSync(join(folder, name.slice(NAME.length + 1))).equals(bytes);
    expect(entries.filter((entry) => !isSame(entry)).map(([name]) => name)).toEqual([]);
  });

  it("is at most 15 MB, and 60 MB unpacked", () => {
    expect(packed[`${NAME}.tgz`]!.length).toBeLessThan(15 * MEBIBYTE);
    expect(packed[`${NAME}.zip`]!.length).toBeLessThan(15 * MEBIBYTE);
    const bytes = files.map((path) => statSync(join(folder, path)).size).reduce((sum, size) => sum + size);
    expect(bytes).toBeLessThan(60 * MEBIBYTE);
  });

  it("passes the check of its own sums, and of its archives'", () => {
    const check = (at: string) => execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: at, encoding: "utf8" });
    const others = files.filter((path) => path !== "SHA256SUMS");
    expect(check(folder).trim().split("\n").sort()).toEqual(others.map((path) => `${path}: OK`).sort());
    expect(check(target).trim().split("\n")).toEqual([`${NAME}.tgz: OK`, `${NAME}.zip: OK`]);
  });

  it("has the same bytes when the same build is packed again, at another time and place", () => {
    for (const path of ["web/functions.js", "companion/main.mjs"]) utimesSync(join(ROOT, "dist", path), 1e9, 1e9);
    const { TZ } = process.env;
    process.env.TZ = "Asia/Tokyo";
    try {
      expect(Object.entries(packBuild()).filter(([name, bytes]) => !bytes.equals(packed[name]!))).toEqual([]);
    } finally {
      process.env.TZ = TZ;
    }
  }, 120_000);

  it("lists its packages by CycloneDX's own schema", () => {
    const list = JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8"));
    const schemas = join(dirname(require.resolve("@cyclonedx/cyclonedx-library/package.json")), "res/schema");
    const load = (name: string) => JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), "utf8"));
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    for (const name of ["spdx", "jsf-0.82"])
      ajv.addSchema(load(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    ajv.addFormat("iri-reference", true).addFormat("idn-email", true);
    const isValid = ajv.compile(load(`bom-${list.specVersion}`));
    expect([isValid(list), isValid.errors]).toEqual([true, null]);
    expect(isValid({ ...list, serialNumber: "1" })).toBe(false);
  });

  it("has the command feed once installed, of one package, with no registry to ask", () => {
    const prefix = join(target, "installed");
    const archive = join(target, `${NAME}.tgz`);
    execFileSync("npm", ["install", "--global", "--offline", "--prefix", prefix, archive], {
      env: { ...process.env, npm_config_cache: join(target, "cache") },
    });
    const packages = readdirSync(join(prefix, "lib/node_modules"));
    const version = execFileSync(join(prefix, "bin/feed"), ["--version"], { cwd: tmpdir(), encoding: "utf8" });
    expect([packages, version]).toEqual([["feed-for-excel"], `${pkg.version}\n`]);
  });

  it("is called feed and finds its pages, wherever it is called from, by a link as npm makes one too", () => {
    const [link, shellLink, secondLink] = ["feed", "feed-shell", "feed-second"].map((name) => join(target, name));
    symlinkSync(join(folder, "feed.mjs"), link!);
    symlinkSync(join(folder, "feed"), shellLink!);
    symlinkSync("feed-shell", secondLink!);
    for (const program of [join(folder, "feed"), join(folder, "feed.mjs"), link!, shellLink!, secondLink!]) {
      const run = (words: string) => execFileSync(program, words.split(" "), { cwd: tmpdir(), encoding: "utf8" });
      expect(run("--help")).toMatch(/^Usage: feed .*\n(.*\n)+Commands\n/);
      expect(run("manifest --origin https://localhost:3000")).toContain("<OfficeApp");
    }
  });
});

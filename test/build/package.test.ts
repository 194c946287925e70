import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { unzipSync } from "fflate";
import pkg from "../../package.json";
import { listFiles } from "../../src/build/package/files.mjs";
import { pack } from "../../src/build/package/pack.mjs";
import { startPackaged } from "./packaged-companion";

const ROOT = join(__dirname, "../..");
const NAME = `feed-for-excel-${pkg.version}`;
const MEBIBYTE = 2 ** 20;
const PARTS = ["pages", "playground", "companion"];

let target: string;
let folder: string;
let files: string[];
const read = (path: string) => readFileSync(join(folder, path), "utf8");

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
});
afterAll(() => rmSync(target, { recursive: true }));

describe("the package", () => {
  it("has the same files in its tarball, its zip and its folder", () => {
    const tarball = execFileSync("tar", ["--list", "--gzip", "--file", join(target, `${NAME}.tgz`)], {
      encoding: "utf8",
    });
    expect(tarball.trim().split("\n").sort()).toEqual(files.map((path) => `package/${path}`).sort());
    const entries = Object.entries(unzipSync(packed[`${NAME}.zip`]!));
    expect(entries.map(([name]) => name)).toEqual(files.map((path) => `${NAME}/${path}`));
    for (const [name, bytes] of entries)
      expect([name, Buffer.from(bytes).equals(readFileSync(join(folder, name.slice(NAME.length + 1))))]).toEqual([
        name,
        true,
      ]);
  });

  it("is at most 15 MB, and 60 MB unpacked", () => {
    expect(packed[`${NAME}.tgz`]!.length).toBeLessThan(15 * MEBIBYTE);
    expect(packed[`${NAME}.zip`]!.length).toBeLessThan(15 * MEBIBYTE);
    const bytes = files.map((path) => statSync(join(folder, path)).size).reduce((sum, size) => sum + size);
    expect(bytes).toBeLessThan(60 * MEBIBYTE);
  });

  it("depends on nothing, and runs nothing when it is installed", () => {
    expect(JSON.parse(read("package.json"))).toEqual({
      name: "feed-for-excel",
      version: pkg.version,
      description: pkg.description,
      license: "MIT",
      engines: pkg.engines,
      type: "module",
      bin: { feed: "feed.mjs" },
    });
  });

  it("has the companion, the pages and the administrator's files, and no source, map, test or key", () => {
    expect(files).toEqual(
      expect.arrayContaining([
        ...["feed.mjs", "feed", "feed.cmd", "LICENSE", "README.md", "SHA256SUMS", "sbom.cdx.json"],
        ...["companion/main.mjs", "web/functions.js", "web/playground-engine.js", "deploy/Dockerfile"],
        ...PARTS.map((part) => `web/licences/${part}.txt`),
      ]),
    );
    expect(files.filter((path) => /\.(map|tsx?|pem|key|crt)$|node_modules|(^|\/)(test|src)\//.test(path))).toEqual([]);
    const texts = files.filter((path) => /\.(m?js|json|css|html)$/.test(path));
    const marked = texts.filter((path) => /PRIVATE KEY-----\s+MI|node-forge/.test(read(path)));
    expect([texts.length > 40, marked]).toEqual([true, []]);
  });

  it("names the sum of each of its files, and of its archives", () => {
    const check = (at: string) => execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: at, encoding: "utf8" });
    expect(check(folder).trim().split("\n").sort()).toEqual(
      files
        .filter((path) => path !== "SHA256SUMS")
        .map((path) => `${path}: OK`)
        .sort(),
    );
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
  });
});

describe("the list of packages in the package", () => {
  const readList = () => JSON.parse(read("sbom.cdx.json"));

  it("is of CycloneDX's own schema", () => {
    const list = readList();
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

  it("has each package whose licence the package has, and no other", () => {
    const listed = readList().components.map(({ name, version }: Record<string, string>) => `${name} ${version}`);
    const heads = PARTS.map((part) => read(`web/licences/${part}.txt`).split(/^={100}$/m)[0] ?? "");
    const licensed = heads.flatMap((head) =>
      [...head.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+ \d\S*) {2}/gm)].map(([, who]) => who),
    );
    expect(listed.sort()).toEqual([...new Set(licensed)].sort());
    expect(listed.length).toBeGreaterThan(100);
  });

  it("has no package that only builds or tests", () => {
    const names: string[] = readList().components.map(({ name }: { name: string }) => name);
    const development = [
      "node-forge",
      "mkcert",
      "@swc/core",
      "webpack-cli",
      "typescript",
      "jest",
      "office-addin-dev-certs",
    ];
    expect(names.filter((name) => development.includes(name))).toEqual([]);
  });
});

describe("the installed package", () => {
  it("has the command feed, of one package, with no registry to ask", () => {
    const prefix = join(target, "installed");
    const archive = join(target, `${NAME}.tgz`);
    execFileSync("npm", ["install", "--global", "--offline", "--prefix", prefix, archive], {
      env: { ...process.env, npm_config_cache: join(target, "cache") },
    });
    const packages = readdirSync(join(prefix, "lib/node_modules"));
    const version = execFileSync(join(prefix, "bin/feed"), ["--version"], { cwd: tmpdir(), encoding: "utf8" });
    expect([packages, version]).toEqual([["feed-for-excel"], `${pkg.version}\n`]);
  });
});

describe("the unpacked zip", () => {
  it("serves the playground and exchanges a token, with an empty home and no network", async () => {
    const place = mkdtempSync(join(tmpdir(), "feed-unpacked-"));
    for (const [name, bytes] of Object.entries(unzipSync(packed[`${NAME}.zip`]!))) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), bytes);
    }
    const companion = await startPackaged(join(place, NAME, "feed.mjs"), join(place, "home"));
    try {
      const page = await fetch(`${companion.origin}/playground.html`);
      expect([page.status, await page.text()]).toEqual([200, read("web/playground.html")]);
      expect(await companion.exchangeToken()).toEqual({
        status: 200,
        body: expect.objectContaining({ token_type: "bearer", access_token: expect.any(String) }),
      });
      expect(companion.foreignAddresses()).toEqual([]);
    } finally {
      await companion.close();
      rmSync(place, { recursive: true });
    }
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

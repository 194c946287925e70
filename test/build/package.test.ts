import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { unzipSync } from "fflate";
import pkg from "../../package.json";
import { packZip } from "../../src/build/package/archives.mjs";
import { collectFiles } from "../../src/build/package/contents.mjs";
import { listFiles } from "../../src/build/package/files.mjs";
import { listSums } from "../../src/build/package/sums.mjs";
import { readToken } from "../support/direct-reading";
import { startPackaged } from "./packaged-companion";

const ROOT = join(__dirname, "../..");
const PARTS = ["pages", "playground", "companion"];

let target: string;
let folder: string;
let files: string[];
const read = (path: string) => readFileSync(join(folder, path), "utf8");

beforeAll(() => {
  target = mkdtempSync(join(tmpdir(), "feed-package-"));
  folder = join(target, "feed-for-excel");
  collectFiles(ROOT, folder);
  files = listFiles(folder);
});
afterAll(() => rmSync(target, { recursive: true }));

describe("the package", () => {
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
        ...["feed.mjs", "feed", "feed.cmd", "LICENSE", "README.md", "sbom.cdx.json"],
        ...["companion/main.mjs", "web/functions.js", "web/playground-engine.js", "deploy/Dockerfile"],
        ...PARTS.map((part) => `web/licences/${part}.txt`),
      ]),
    );
    expect(files.filter((path) => /\.(map|tsx?|pem|key|crt)$|node_modules|(^|\/)(test|src)\//.test(path))).toEqual([]);
    const texts = files.filter((path) => /\.(m?js|json|css|html)$/.test(path));
    const marked = texts.filter((path) => /PRIVATE KEY-----\s+MI|node-forge/.test(read(path)));
    expect([texts.length > 40, marked]).toEqual([true, []]);
  });

  it("leads from its README to the guide for a firm, which is in it", () => {
    const links = [...read("README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
    expect(links).toEqual(["web/reference/firm.html", "web/reference/firm.html"]);
    expect(links.filter((path) => !files.includes(path))).toEqual([]);
  });

  it("names the sum of each of its files", () => {
    const sum = (path: string) =>
      createHash("sha256")
        .update(readFileSync(join(folder, path)))
        .digest("hex");
    expect(listSums(folder)).toBe(files.map((path) => `${sum(path)}  ${path}\n`).join(""));
  });

  it("serves the playground and exchanges a token, with an empty home and no network", async () => {
    const companion = await startPackaged(join(folder, "feed.mjs"), join(target, "home"));
    try {
      const page = await fetch(`${companion.origin}/playground.html`);
      expect([page.status, await page.text()]).toEqual([200, read("web/playground.html")]);
      expect(await readToken(companion.origin)).toEqual(expect.any(String));
      expect(companion.foreignAddresses()).toEqual([]);
    } finally {
      await companion.close();
    }
  });
});

describe("a zip", () => {
  it("has the same bytes of the same files, at another time and place too", () => {
    const small = join(target, "small");
    mkdirSync(join(small, "web"), { recursive: true });
    for (const path of ["feed", "web/a.js"]) writeFileSync(join(small, path), path);
    chmodSync(join(small, "feed"), 0o755);
    const pack = () => readFileSync(packZip(small, join(target, "small.zip"), "name"));
    const first = pack();
    expect(Object.keys(unzipSync(first))).toEqual(["name/feed", "name/web/a.js"]);
    utimesSync(join(small, "feed"), 1e9, 1e9);
    const { TZ } = process.env;
    process.env.TZ = "Asia/Tokyo";
    try {
      expect(pack().equals(first)).toBe(true);
    } finally {
      process.env.TZ = TZ;
    }
  });
});

describe("the list of packages in the package", () => {
  const listComponents = (): Record<string, string>[] => JSON.parse(read("sbom.cdx.json")).components;

  it("has each package whose licence the package has, and no other", () => {
    const listed = listComponents().map(({ name, version }) => `${name} ${version}`);
    const heads = PARTS.map((part) => read(`web/licences/${part}.txt`).split(/^={100}$/m)[0] ?? "");
    const licensed = heads.flatMap((head) =>
      [...head.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+ \d\S*) {2}/gm)].map(([, who]) => who),
    );
    expect(listed.sort()).toEqual([...new Set(licensed)].sort());
    expect(listed.length).toBeGreaterThan(100);
  });

  it("has no package that only builds or tests", () => {
    const development = "node-forge mkcert @swc/core webpack-cli typescript jest office-addin-dev-certs".split(" ");
    const names = listComponents().map(({ name = "" }) => name);
    expect(names.filter((name) => development.includes(name))).toEqual([]);
  });
});

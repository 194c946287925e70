import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSbom } from "./sbom.mjs";

/** Files of the package by their place in the checkout; folders are copied whole. */
const SOURCES = {
  companion: "dist/companion",
  web: "dist/web",
  deploy: "src/firm/deploy",
  "feed.mjs": "src/companion/packaged.mjs",
  feed: "src/build/package/feed.sh",
  "feed.cmd": "src/build/package/feed.cmd",
  "README.md": "src/build/package/README.md",
  LICENSE: "LICENSE",
};
const PROGRAMS = ["feed", "feed.mjs"];
/** What a build for development leaves, and what is of the repository alone. */
const LEFT_OUT = /\.map$|\.gitignore$/;

/** Puts the package's files into a folder, which it empties first. */
export function collectFiles(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const [place, source] of Object.entries(SOURCES)) {
    const target = join(folder, place);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, source), target, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  }
  for (const name of PROGRAMS) chmodSync(join(folder, name), 0o755);
  writeFileSync(join(folder, "package.json"), toJson(toDescription(root)));
  writeFileSync(join(folder, "sbom.cdx.json"), toJson(createSbom(root)));
}

/** The package's own description: it depends on nothing, and installing it runs nothing. */
function toDescription(root) {
  const { name, version, description, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { name, version, description, license, engines, type: "module", bin: { feed: "feed.mjs" } };
}

const toJson = (value) => `${JSON.stringify(value, null, 2)}\n`;

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { scripts } from "../../package.json";
import { ERRORS, type FeedCode } from "../../src/client/errors";
import { HELP } from "../../src/companion/command";
import { CURES } from "../../src/feed/cures";
import { FORMULAS } from "../../src/reference/formulas";
import { toTexts } from "../../src/taskpane/texts";
import metadata from "../functions/functions.golden.json";

const ROOT = join(__dirname, "../..");
const readText = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readme = readText("README.md");

describe("README.md", () => {
  it("lists every error as in the code", () => {
    const listed = [...readme.matchAll(/^\| `(FEED_[A-Z_]+)` \| `(#[^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
    const rows = listed.map(([, code, cell, retried, cure]) => [code, { cell, retried, cure }]);
    const known = Object.entries(ERRORS).map(([code, { cell }]) => {
      const { retried, en } = CURES[code as FeedCode];
      return [code, { cell, retried, cure: en }];
    });
    expect(rows).toEqual(known);
  });

  it("lists every formula with its arguments, result and cost as in the reference", () => {
    const rows = [...readme.matchAll(/^\| `(FEED\.[A-Z.]+\([^`]*\))` \| ([^|]+) \| ([^|]+) \|$/gm)];
    const known = [...FORMULAS].map(([id, { gives, requests }]) => {
      const { parameters } = metadata.functions.find((each) => each.id === id) as (typeof metadata.functions)[number];
      const names = parameters.map((parameter) => ("optional" in parameter ? `[${parameter.name}]` : parameter.name));
      return [`FEED.${id}(${names.join(", ")})`, gives.en, requests.en];
    });
    expect(rows.map(([, ...cells]) => cells)).toEqual(known);
  });

  it("lists every command as in the companion's help", () => {
    const chapter = readme.split("\n## Command line\n")[1]?.split("\n## ")[0] ?? "";
    const listed = [...chapter.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, does]) => [name, does]);
    const [known = ""] = HELP.split("Commands\n")[1]?.split("\n\n") ?? [];
    expect(listed).toEqual([...known.matchAll(/^ {2}(\w+) +(.+)$/gm)].map(([, ...cells]) => cells));
  });

  it("lists the pane's parts and the commands of ribbon and cell menu by their names", () => {
    const chapter = readme.split("\n## The pane\n")[1]?.split("\n## ")[0] ?? "";
    const listed = [...chapter.matchAll(/^\| ([A-Z][^|]+) \|(?: [^|]*\|)? [^|]+ \|$/gm)].map(([, name]) => name);
    const manifest = readText("manifest.xml");
    const labels = [...manifest.matchAll(/id="(\w+)\.Label" DefaultValue="([^"]+)"/g)];
    const commands = labels.flatMap(([, id, label]) => (["Group", "More", "Cell"].includes(id as string) ? [] : label));
    expect(listed).toEqual([...Object.values(toTexts("en-US").parts), "Settings", ...commands]);
  });

  it("names only existing scripts", () => {
    const named = [...readme.matchAll(/npm (?:run )?(?!ci\b)([a-z][a-z:]+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !((name as string) in scripts))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(["start", "test", "dev", "check"]));
  });
});

describe("the guides", () => {
  it.each(["README.md", "src/README.md", "src/contract/README.md"])("in %s name only existing files", (path) => {
    const text = readText(path);
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => join(dirname(path), target as string));
    const named = [...text.matchAll(/`?\b((?:src|test|assets)\/[\w./-]*\w\.\w+)\b`?/g)].map(
      ([, target]) => target as string,
    );
    expect([...links, ...named].filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });

  it("in src/README.md describe the journeys by existing files", () => {
    const journeys = readText("src/README.md").split("\n## The journeys\n")[1]?.split("\n## ")[0] ?? "";
    const named = [...journeys.matchAll(/(?<![\w-])[a-z-]+\/[a-zA-Z-]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(30);
    const isFile = (name: string) =>
      ["", "client/", "feed/", "functions/", "companion/", "companion/reads/", "taskpane/"].some((folder) =>
        [".ts", ".tsx"].some((ending) => existsSync(join(ROOT, "src", folder + name + ending))),
      );
    expect(named.filter((name) => !isFile(name))).toEqual([]);
  });
});

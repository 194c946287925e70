import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";

const ROOT = join(__dirname, "../..");

interface FunctionsMetadata {
  functions: { id: string; name: string; helpUrl: string; options?: { stream?: boolean } }[];
  allowCustomDataForDataTypeAny?: boolean;
}

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const CHUNKS = readdirSync(join(ROOT, "dist/web")).filter((name) => /^[\w-]+\.[0-9a-f]{8}\.js$/.test(name));

/** React, Fluent and the pane's frame; its parts are scripts of their own. */
const PANE = CHUNKS.find((name) => name.startsWith("pane.")) ?? "";

/** Strings that survive minification and mark a library or a secret in a bundle. */
const MARKS = {
  react: /react\.(transitional\.)?element|react-dom|__REACT_DEVTOOLS_GLOBAL_HOOK__/i,
  fluent: /fluentui|griffel|data-tabster/i,
  signing: /SignJWT|private_key_jwt|"RS256"|RSASSA-PKCS1/,
  privateKey: /PRIVATE KEY|pkcs8/, // matches files and code; sentences may mention a private key
} as const;

type Mark = keyof typeof MARKS;

const listMarks = (text: string) => (Object.keys(MARKS) as Mark[]).filter((mark) => MARKS[mark].test(text));

function listAssociated(text: string): string[] {
  return [...text.matchAll(/CustomFunctions\.associate\(\s*["']([^"']+)["']/g)].map((found) => found[1]!).sort();
}

describe("the marks", () => {
  it.each([
    ["react", "node_modules/react-dom/cjs/react-dom-client.production.js"],
    ["fluent", `dist/web/${PANE}`],
    ["signing", "node_modules/jose/dist/webapi/jwt/sign.js"],
    ["privateKey", "node_modules/jose/dist/webapi/key/import.js"],
  ])("of %s are found in %s", (mark, path) => {
    expect(listMarks(read(path))).toContain(mark);
  });
});

/** Finds a script; one that loads later has a hash in its name. */
const findScript = (name: string) => CHUNKS.find((chunk) => chunk.startsWith(`${name}.`)) ?? `${name}.js`;
const measure = (name: string) => gzipSync(read(`dist/web/${findScript(name)}`)).length / 1024;

/** The tools with a file. */
const listTools = (file: string) =>
  readdirSync(join(ROOT, "src/tools")).filter((tool) => existsSync(join(ROOT, "src/tools", tool, file)));

/** The scripts that tools load later, by the names in their sources. */
const listChunksOfTools = () =>
  readdirSync(join(ROOT, "src/tools"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) =>
      [...read(`src/tools/${name}`).matchAll(/webpackChunkName: "([\w-]+)"/g)].map(([, chunk = ""]) => chunk),
    );

const EVERYTHING: Mark[] = ["react", "fluent", "signing", "privateKey"];

describe("a script", () => {
  it.each<[name: string, largestKb: number, without: Mark[], hasFormulas?: boolean]>([
    ["functions", 56, EVERYTHING, true],
    ["taskpane", 6, EVERYTHING],
    ["pane", 182, ["signing", "privateKey"]],
    ["names", 12, EVERYTHING], // the worker's
    ["matching", 20, EVERYTHING], // which the worker loads for the first list
    ...listTools("worker.ts").map((tool): [string, number, Mark[]] => [tool, 24, EVERYTHING]), // of workers
    ["office-token", 70, ["privateKey"]], // Microsoft's library for Office tokens
  ])("%s is at most %d KB compressed, and has no %j", (name, largestKb, without, hasFormulas = false) => {
    const text = read(`dist/web/${findScript(name)}`);
    expect(measure(name)).toBeLessThanOrEqual(largestKb);
    expect(listMarks(text).filter((mark) => without.includes(mark))).toEqual([]);
    expect(listAssociated(text).length > 0).toBe(hasFormulas);
  });

  it("of the pane is at most 246 KB with functions.js and taskpane.js, which it requires", () => {
    const sizes = ["pane", "functions", "taskpane"].map(measure);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(246);
  });

  it("of the matcher is the one that names.js loads", () => {
    expect(read("dist/web/names.js")).toContain(findScript("matching").split(".")[1]);
  });
});

describe("the scripts that are loaded on demand", () => {
  const isOfficeToken = (name: string) => name.startsWith("office-token.");

  it("are named by content hash, so that two builds do not mix", () => {
    expect(CHUNKS.map((name) => name.slice(0, -".12345678.js".length)).sort()).toEqual(
      [
        ...listChunksOfTools(),
        ...["answers", "build", "cell", "changes", "company", "contents", "frozen", "japanese", "lists", "matching"],
        ...["names-here", "new-sheet"],
        ...["office-token", "pane", "set-up", "settings", "sheets", "sign-in", "trends", "unseen", "views"],
      ].sort(),
    );
    const functions = read("dist/web/functions.js");
    expect(CHUNKS.filter((name) => !functions.includes(name.split(".")[1] as string))).toEqual([]);
  });

  it("are at most 31 KB each compressed, sign nothing and contain no private key", () => {
    const isLarge = (name: string) => gzipSync(read(`dist/web/${name}`)).length > 31 * 1024;
    const isMarked = (name: string) => /signing|privateKey/.test(listMarks(read(`dist/web/${name}`)).join());
    const own = CHUNKS.filter((name) => !isOfficeToken(name) && name !== PANE);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((name) => isLarge(name) || isMarked(name))).toEqual([]);
  });

  it("have Microsoft's library in one of its own", () => {
    const [library = "", ...others] = CHUNKS.filter(isOfficeToken);
    expect(others).toEqual([]);
    const isLibrary = (name: string) => read(`dist/web/${name}`).includes("nestedAppAuthBridge");
    expect([...CHUNKS, "functions.js", "taskpane.js"].filter(isLibrary)).toEqual([library]);
  });
});

describe("functions.json", () => {
  const metadata: FunctionsMetadata = JSON.parse(read("dist/web/functions.json"));

  it("names exactly the functions that functions.js associates", () => {
    const ids = metadata.functions.map((each) => each.id).sort();
    expect(ids.length).toBeGreaterThan(0);
    expect(listAssociated(read("dist/web/functions.js"))).toEqual(ids);
  });

  it("has each id once, in capitals and dots", () => {
    const ids = metadata.functions.map((each) => each.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Z]+(\.[A-Z]+)*$/);
  });

  it("allows errors inside ranges", () => {
    expect(metadata.allowCustomDataForDataTypeAny).toBe(true);
  });

  it("makes every function stream", () => {
    expect(metadata.functions.filter((each) => each.options?.stream !== true)).toEqual([]);
  });

  it("equals its golden list, since Excel caches signatures and files store ids", () => {
    expect(metadata).toEqual(JSON.parse(read("test/functions/functions.golden.json")));
  });
});

describe("the help of functions", () => {
  it.each(["functions.json", "functions-ja.json"])("linked from %s is a page of the build", (name) => {
    const { functions }: FunctionsMetadata = JSON.parse(read(`dist/web/${name}`));
    const pages = functions.map(({ helpUrl }) => join("dist/web", new URL(helpUrl).pathname));
    expect(new Set(pages).size).toBe(functions.length);
    expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
  });

  it("is at the address of the add-in in the manifest", () => {
    const [, pane = ""] = /<SourceLocation DefaultValue="([^"]+)"/.exec(read("manifest.xml")) ?? [];
    const { functions }: FunctionsMetadata = JSON.parse(read("dist/web/functions.json"));
    expect(new Set(functions.map(({ helpUrl }) => new URL(helpUrl).origin))).toEqual(new Set([new URL(pane).origin]));
  });
});

describe("the companion", () => {
  it("contains no React", () => {
    const marks = listMarks(read("dist/companion/main.mjs"));
    expect(marks).not.toContain("react");
    expect(marks).not.toContain("fluent");
  });

  it("loads the client of a shared server only if one is configured", () => {
    expect(read("dist/companion/main.mjs")).not.toContain('from "ioredis"');
  });

  it("loads the SDK of traces only if they are sent somewhere", () => {
    const mark = "class BatchSpanProcessor";
    const parts = readdirSync(join(ROOT, "dist/companion")).filter((name) =>
      read(`dist/companion/${name}`).includes(mark),
    );
    expect(parts).toEqual([expect.stringMatching(/^part-/)]);
  });
});

describe("the pages", () => {
  it.each(["taskpane.html", "playground.html"])("include %s", (name) => {
    expect(existsSync(join(ROOT, "dist/web", name))).toBe(true);
  });

  it("contain no private key and sign nothing", () => {
    const scripts = ["taskpane.js", "playground.js"].map((name) => listMarks(read(`dist/web/${name}`)));
    expect(scripts.flat().filter((mark) => mark === "signing" || mark === "privateKey")).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { LARGEST_GZIP_BYTES } from "./bundle-limits";

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

const listMarks = (text: string) =>
  (Object.keys(MARKS) as (keyof typeof MARKS)[]).filter((mark) => MARKS[mark].test(text));

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

describe("functions.js", () => {
  const text = read("dist/web/functions.js");

  it("contains no React, no Fluent, no signing and no private key", () => {
    expect(listMarks(text)).toEqual([]);
  });

  it("is at most 53.5 KB compressed", () => {
    expect(gzipSync(text).length).toBeLessThanOrEqual(LARGEST_GZIP_BYTES.functions);
  });
});

describe("taskpane.js", () => {
  const text = read("dist/web/taskpane.js");

  it("contains no React, no Fluent, no signing and no private key", () => {
    expect(listMarks(text)).toEqual([]);
  });

  it("is at most 8 KB compressed", () => {
    expect(gzipSync(text).length).toBeLessThanOrEqual(LARGEST_GZIP_BYTES.taskpane);
  });
});

describe("the script of the pane", () => {
  it("is at most 197.25 KB compressed, and 258 KB with functions.js and taskpane.js, which it requires", () => {
    const sizes = [PANE, "functions.js", "taskpane.js"].map((name) => gzipSync(read(`dist/web/${name}`)).length);
    expect(sizes[0]).toBeLessThanOrEqual(LARGEST_GZIP_BYTES.pane);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(LARGEST_GZIP_BYTES.page);
  });

  it("signs nothing and contains no private key", () => {
    expect(listMarks(read(`dist/web/${PANE}`)).filter((mark) => mark === "signing" || mark === "privateKey")).toEqual(
      [],
    );
  });
});

describe("names.js, the worker's script", () => {
  it("contains the index alone: no React, no Fluent, no signing, no private key and no formula", () => {
    const text = read("dist/web/names.js");
    expect(listMarks(text)).toEqual([]);
    expect(listAssociated(text)).toEqual([]);
    expect(gzipSync(text).length).toBeLessThanOrEqual(LARGEST_GZIP_BYTES.worker);
  });
});

describe("the matcher's script, which the worker loads for a list of names", () => {
  it("is the one that names.js loads, and holds no formula and no private key", () => {
    const name = CHUNKS.find((each) => each.startsWith("matching.")) ?? "";
    const text = read(`dist/web/${name}`);
    expect(read("dist/web/names.js")).toContain(name.split(".")[1]);
    expect(listMarks(text)).toEqual([]);
    expect(listAssociated(text)).toEqual([]);
    expect(gzipSync(text).length).toBeLessThanOrEqual(LARGEST_GZIP_BYTES.matching);
  });
});

describe("check.js, the script of the worker that checks the model", () => {
  it("contains grammar and rules alone: no React, no Fluent, no signing, no private key and no formula", () => {
    const text = read("dist/web/check.js");
    expect(listMarks(text)).toEqual([]);
    expect(listAssociated(text)).toEqual([]);
    expect(gzipSync(text).length).toBeLessThanOrEqual(LARGEST_GZIP_BYTES.check);
  });
});

describe("the scripts that are loaded on demand", () => {
  const isOfficeToken = (name: string) => name.startsWith("office-token.");

  it("are named by content hash, so that two builds do not mix", () => {
    const parts = ["build", "cell", "changes", "settings", "sheets"];
    expect(CHUNKS.map((name) => name.slice(0, -".12345678.js".length)).sort()).toEqual(
      [
        "adopt",
        "alert-list",
        "alert-rules",
        "alerts",
        "answers",
        "check-here",
        "contents",
        "japanese",
        "lists",
        "match",
        "matching",
        "model-check",
        "names-here",
        "new-sheet",
        "office-token",
        "pane",
        ...parts,
        "probes",
        "set-up",
        "sign-in",
        "trends",
        "unseen",
        "views",
      ].sort(),
    );
    const functions = read("dist/web/functions.js");
    expect(CHUNKS.filter((name) => !functions.includes(name.split(".")[1] as string))).toEqual([]);
  });

  it("are at most 30 KB each compressed, sign nothing and contain no private key", () => {
    const isLarge = (name: string) => gzipSync(read(`dist/web/${name}`)).length > LARGEST_GZIP_BYTES.chunk;
    const isMarked = (name: string) => /signing|privateKey/.test(listMarks(read(`dist/web/${name}`)).join());
    const own = CHUNKS.filter((name) => !isOfficeToken(name) && name !== PANE);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((name) => isLarge(name) || isMarked(name))).toEqual([]);
  });

  it("are at most 70 KB for Microsoft's library, which nothing else loads", () => {
    const [library = "", ...others] = CHUNKS.filter(isOfficeToken);
    expect(others).toEqual([]);
    expect(gzipSync(read(`dist/web/${library}`)).length).toBeLessThanOrEqual(LARGEST_GZIP_BYTES.officeToken);
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
  it.each(["taskpane.html", "taskpane.js", "playground.html", "playground.js", "functions.js", "names.js"])(
    "include %s",
    (name) => {
      expect(existsSync(join(ROOT, "dist/web", name))).toBe(true);
    },
  );

  it("contain no private key and sign nothing", () => {
    const scripts = ["taskpane.js", "playground.js"].map((name) => listMarks(read(`dist/web/${name}`)));
    expect(scripts.flat().filter((mark) => mark === "signing" || mark === "privateKey")).toEqual([]);
  });
});

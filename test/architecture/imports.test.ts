import { describe, expect, it } from "@jest/globals";
import { readModules, toModules } from "../support/module-graph";
import CASES from "./import-cases.json";
import {
  listCycles,
  listForeignGlobals,
  listForeignPackages,
  listForeignRooms,
  listForeignTools,
  listImpurities,
  listLongFiles,
  listLongFunctions,
  ROOMS,
} from "./import-rules";

const sources = readModules("src");
const all = [...sources, ...readModules("test")];

describe("the source", () => {
  it("is in the rooms of the table and in no other", () => {
    expect(new Set(sources.map((module) => module.path.split("/")[1]))).toEqual(new Set(Object.keys(ROOMS)));
  });

  it("imports between rooms as the table allows", () => {
    expect(listForeignRooms(sources)).toEqual([]);
  });

  it("imports a tool by the list of tools alone", () => {
    expect(listForeignTools(sources)).toEqual([]);
    const foreign = toModules({ "src/tools/a/door.ts": `import "../b/part";`, "src/tools/b/part.ts": "" });
    expect(listForeignTools(foreign)).toEqual(["src/tools/a/door.ts imports src/tools/b/part.ts"]);
  });

  it("is tested tool by tool, so that a tool goes with its tests", () => {
    const isOfTool = ({ path = "" }: { path?: string }) => /^(src|test)\/tools\/\w+\//.test(path);
    const outside = all.filter(({ path }) => path.startsWith("test/") && !path.startsWith("test/tools/"));
    expect(outside.filter(({ imports }) => imports.some(isOfTool)).map(({ path }) => path)).toEqual([]);
  });

  it("has no state in the modules that several rooms call", () => {
    expect(listImpurities(sources)).toEqual([]);
    const impure = toModules({
      "src/feed/financials/metrics.ts": `import { createToken } from "../token";`,
      "src/client/auth/token.ts": "",
    });
    expect(listImpurities(impure)).toEqual(["src/feed/financials/metrics.ts imports ../token"]);
  });

  it("uses each package in the rooms that own it", () => {
    expect(listForeignPackages(sources)).toEqual([]);
  });

  it("uses Office.js's globals only where they exist", () => {
    expect(listForeignGlobals(sources)).toEqual([]);
  });

  it("has no import cycle", () => {
    expect(listCycles(all)).toEqual([]);
  });

  it("has no file longer than 500 lines", () => {
    expect(listLongFiles(all)).toEqual([]);
  });

  it("has no function longer than 60 lines", () => {
    expect(listLongFunctions(sources)).toEqual([]);
  });
});

describe("the table", () => {
  const foreign = (path: string, text: string) =>
    listForeignRooms(toModules({ "src/client/errors.ts": "", "src/client/auth/token.ts": "", [path]: text }));

  it.each(CASES.refusedImports as [string, string][])("refuses in %s: %s", (path, text) => {
    expect(foreign(path, text)).toEqual([expect.stringContaining(`${path} imports `)]);
  });

  it.each(CASES.allowedImports as [string, string][])("allows in %s: %s", (path, text) => {
    expect(foreign(path, text)).toEqual([]);
  });
});

describe("the owners of packages", () => {
  it.each(CASES.refusedPackages as [string, string][])("prevent %s from using %s", (path, name) => {
    expect(listForeignPackages(toModules({ [path]: `import a from "${name}";` }))).toEqual([`${path} imports ${name}`]);
  });

  it.each(CASES.allowedPackages as [string, string][])("let %s use %s", (path, name) => {
    expect(listForeignPackages(toModules({ [path]: `import a from "${name}";` }))).toEqual([]);
  });
});

describe("the globals of Office.js", () => {
  it.each(CASES.globals as [string, string, string][])("are detected in %s: %s", (path, text, name) => {
    expect(listForeignGlobals(toModules({ [path]: text }))).toEqual([`${path} names ${name}`]);
  });

  it("are not detected in texts, comments and properties", () => {
    const text = `const a = { Excel: "Office.run" }; a.Excel; // CustomFunctions`;
    expect(listForeignGlobals(toModules({ "src/feed/a.ts": text }))).toEqual([]);
  });

  it("are allowed where they exist", () => {
    const texts = {
      "src/taskpane/sheet.ts": "Excel.run(fill)",
      "src/functions/cells.ts": "CustomFunctions.associate(Office)",
    };
    expect(listForeignGlobals(toModules(texts))).toEqual([]);
  });
});

describe("a cycle", () => {
  it("is found across files, through types too", () => {
    const texts = {
      "src/feed/a.ts": `import { b } from "./b";`,
      "src/feed/b.ts": `import type { C } from "./c";`,
      "src/feed/c.ts": `export * from "./a";`,
    };
    expect(listCycles(toModules(texts))).toEqual(["src/feed/a.ts > src/feed/b.ts > src/feed/c.ts > src/feed/a.ts"]);
  });

  it("is not two paths to one file", () => {
    const texts = {
      "src/feed/a.ts": `import "./b"; import "./c";`,
      "src/feed/b.ts": `import "./c";`,
      "src/feed/c.ts": "",
    };
    expect(listCycles(toModules(texts))).toEqual([]);
  });
});

describe("the length of a file", () => {
  it("is refused from 501 lines on", () => {
    const modules = toModules({
      "src/feed/a.ts": `${"\n".repeat(299)}a;\n`,
      "src/feed/b.ts": `${"\n".repeat(500)}b;\n`,
    });
    expect(listLongFiles(modules)).toEqual(["src/feed/b.ts has 501 lines"]);
  });
});

describe("the length of a function", () => {
  const body = (lines: number) => `{${"\n".repeat(lines - 1)}}`;

  it.each(CASES.functions as [string, string][])("is refused from 61 lines on, in any notation: %j", (text, name) => {
    expect(listLongFunctions(toModules({ "src/feed/a.ts": text.replace("{}", body(61)) }))).toEqual([
      `src/feed/a.ts: ${name} has 61 lines`,
    ]);
  });

  it("counts a component with its elements", () => {
    const text = `const Pane = () => (\n${"  <p />\n".repeat(60)});`;
    expect(listLongFunctions(toModules({ "src/taskpane/Pane.tsx": text }))).toHaveLength(1);
  });

  it("can be 60 lines", () => {
    expect(listLongFunctions(toModules({ "src/feed/a.ts": `function run() ${body(60)}` }))).toEqual([]);
  });
});

import { describe, expect, it } from "@jest/globals";
import { readModules, toModules } from "../support/module-graph";
import {
  listCycles,
  listForeignGlobals,
  listForeignPackages,
  listForeignRooms,
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

  it("has no file longer than 300 lines", () => {
    expect(listLongFiles(all)).toEqual([]);
  });

  it("has no function longer than 60 lines", () => {
    expect(listLongFunctions(sources)).toEqual([]);
  });
});

describe("the table", () => {
  const foreign = (path: string, text: string) =>
    listForeignRooms(toModules({ "src/client/errors.ts": "", "src/client/auth/token.ts": "", [path]: text }));

  it.each([
    ["src/contract/types.ts", `export type { A } from "../feed/token";`],
    ["src/client/http.ts", `import { a } from "../session/session";`],
    ["src/client/http.ts", `const a = await import("../functions/financial");`],
    ["src/functions/cells.ts", `import { a } from "../taskpane/connect";`],
    ["src/functions/cells.ts", `import { createToken } from "../feed/token";`],
    ["src/functions/cells.ts", `import { type Token, createToken } from "../feed/token";`],
    ["src/functions/cells.ts", `import "../feed/token";`],
    ["src/functions/cells.ts", `export * from "../feed/token";`],
    ["src/taskpane/connect.tsx", `import { a } from "../functions/cells";`],
    ["src/sandbox/index.ts", `import type { Token } from "../feed/token";`],
    ["src/sandbox/index.ts", `let a: import("../feed/token").Token;`],
    ["src/companion/index.ts", `const a = require("../feed/token");`],
    ["src/playground/index.ts", `import { a } from "../functions/index";`],
    ["src/client/http.ts", `import { a } from "../../test/support/browser";`],
    ["src/client/http.ts", `import { version } from "../../package.json";`],
    ["src/shared/text.ts", `import { a } from "./other";`],
  ])("refuses in %s: %s", (path, text) => {
    expect(foreign(path, text)).toEqual([expect.stringContaining(`${path} imports `)]);
  });

  it.each([
    ["src/client/http.ts", `import { a } from "./token"; import { b } from "../contract/constants";`],
    ["src/functions/cells.ts", `import type { Token } from "../feed/token";`],
    [
      "src/functions/cells.ts",
      `import { type Token } from "../client/auth/token"; import { E } from "../client/errors";`,
    ],
    ["src/companion/index.ts", `import { createSandbox } from "../sandbox/index";`],
    ["src/companion/index.ts", `import { version } from "../../package.json";`],
  ])("allows in %s: %s", (path, text) => {
    expect(foreign(path, text)).toEqual([]);
  });
});

describe("the owners of packages", () => {
  it.each([
    ["src/functions/index.ts", "react"],
    ["src/session/session.ts", "react-dom/client"],
    ["src/companion/index.ts", "@fluentui/react-components"],
    ["src/client/auth/assertion.ts", "jose"],
    ["src/taskpane/connect.tsx", "jose/jwt/sign"],
    ["src/client/http.ts", "node:https"],
    ["src/client/http.ts", "https"],
    ["src/sandbox/index.ts", "node:fs"],
    ["src/taskpane/sheet.tsx", "@odoo/o-spreadsheet"],
    ["src/functions/stream.ts", "idb"],
    ["src/functions/stream.ts", "reactive-thing"],
  ])("prevent %s from using %s", (path, name) => {
    expect(listForeignPackages(toModules({ [path]: `import a from "${name}";` }))).toEqual([`${path} imports ${name}`]);
  });

  it.each([
    ["src/taskpane/render.tsx", "react-dom/client"],
    ["src/sandbox/token.ts", "node:crypto"],
    ["src/companion/key.ts", "node:fs"],
  ])("let %s use %s", (path, name) => {
    expect(listForeignPackages(toModules({ [path]: `import a from "${name}";` }))).toEqual([]);
  });
});

describe("the globals of Office.js", () => {
  it.each([
    ["src/client/errors.ts", "throw new CustomFunctions.Error();", "CustomFunctions"],
    ["src/session/session.ts", "let a: CustomFunctions.Invocation;", "CustomFunctions"],
    ["src/functions/cells.ts", "await Excel.run(fill);", "Excel"],
    ["src/session/session.ts", "await window.Office.onReady();", "Office"],
    ["src/functions/stream.ts", "await Office.onReady();", "Office"],
    ["src/functions/cells.ts", "await Excel.run(fill);", "Excel"],
  ])("are detected in %s: %s", (path, text, name) => {
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
  it("is refused from 301 lines on", () => {
    const modules = toModules({
      "src/feed/a.ts": `${"\n".repeat(299)}a;\n`,
      "src/feed/b.ts": `${"\n".repeat(300)}b;\n`,
    });
    expect(listLongFiles(modules)).toEqual(["src/feed/b.ts has 301 lines"]);
  });
});

describe("the length of a function", () => {
  const body = (lines: number) => `{${"\n".repeat(lines - 1)}}`;

  it.each([
    [`export function run() ${body(61)}`, "run"],
    [`const run = () => ${body(61)};`, "run"],
    [`const a = { async run() ${body(61)} };`, "run"],
    [`const a = { run: () => ${body(61)} };`, "run"],
    [`class A { run() ${body(61)} }`, "run"],
    [`call(() => ${body(61)});`, "a function"],
  ])("is refused from 61 lines on, in any notation: %j", (text, name) => {
    expect(listLongFunctions(toModules({ "src/feed/a.ts": text }))).toEqual([`src/feed/a.ts: ${name} has 61 lines`]);
  });

  it("counts a component with its elements", () => {
    const text = `const Pane = () => (\n${"  <p />\n".repeat(60)});`;
    expect(listLongFunctions(toModules({ "src/taskpane/Pane.tsx": text }))).toHaveLength(1);
  });

  it("can be 60 lines", () => {
    expect(listLongFunctions(toModules({ "src/feed/a.ts": `function run() ${body(60)}` }))).toEqual([]);
  });
});

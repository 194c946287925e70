import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import webpack from "webpack";
import { NoticesPlugin } from "../../src/build/notices.cjs";
import { readModules } from "../support/module-graph";

const ROOT = join(__dirname, "../..");
const WEB = join(ROOT, "dist/web");
const PLACES = ["pages", "playground", "companion"] as const;
type Place = (typeof PLACES)[number];
/** The readable notices, independent of the build's list. */
const FREE =
  /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|\(OFL-1\.1 AND MIT\)|\(BSD-3-Clause OR GPL-2\.0\))$/;
const ENGINE = ["@odoo/o-spreadsheet", "@odoo/owl"];

const readNotices = (place: Place) => readFileSync(join(WEB, `licences/${place}.txt`), "utf8");

interface Listed {
  name: string;
  version: string;
  licence: string;
}

/** The packages listed at the top of a notices file. */
function list(place: Place): Listed[] {
  const [head = ""] = readNotices(place).split(/^={100}$/m);
  const lines = [...head.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d\S*) {2}(\S.*?) {2}/gm)];
  return lines.map(([, name = "", version = "", licence = ""]) => ({ name, version, licence }));
}

const sources = readModules("src");

/** The packages that these rooms use for more than types. */
function listUsed(folders: readonly string[]): string[] {
  const modules = sources.filter(({ path }) => folders.includes(path.split("/")[1] ?? "") && !/\.[cm]js$/.test(path));
  const imports = modules.flatMap((module) => module.imports).filter(({ path, isTypeOnly }) => !path && !isTypeOnly);
  const names = imports.map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "");
  return [...new Set(names)].filter((name) => !/^(\.|node:)/.test(name));
}

describe("a shipped bundle", () => {
  it.each(PLACES)("has free licences alone, and the engine's outside the add-in: %s", (place) => {
    const others = list(place).filter(({ licence }) => !FREE.test(licence));
    expect(others.map(({ name }) => name)).toEqual(place === "pages" ? [] : ENGINE);
    expect(list(place).length).toBeGreaterThan(5);
  });

  it.each(PLACES)("includes the text of each licence: %s", (place) => {
    const [, ...parts] = readNotices(place).split(/^={100}$/m);
    const texts = new Map<string, string>();
    for (let at = 0; at < parts.length; at += 2)
      for (const who of (parts[at] ?? "").trim().split(", ")) texts.set(who, parts[at + 1]?.trim() ?? "");
    for (const { name, version } of list(place))
      expect([name, (texts.get(`${name} ${version}`) ?? "").length > 200]).toEqual([name, true]);
  });

  it.each<[Place, folders: string[], least: number]>([
    ["pages", ["functions", "session", "feed", "taskpane"], 5],
    ["playground", ["playground"], 1],
    ["companion", ["companion", "sandbox", "client", "refresh", "xlsx"], 10],
  ])("lists every package that is used there: %s", (place, folders, least) => {
    const names = list(place).map(({ name }) => name);
    // Only parts of an umbrella package are in the pages; each part is listed.
    const listed = [...names, ...(names.includes("@fluentui/react-button") ? ["@fluentui/react-components"] : [])];
    const used = listUsed(folders);
    expect(used.filter((name) => !listed.includes(name))).toEqual([]);
    expect(used.length).toBeGreaterThanOrEqual(least);
  });

  it("has its own licence beside those of others", () => {
    expect(readFileSync(join(WEB, "licences/feed-for-excel.txt"), "utf8")).toBe(
      readFileSync(join(ROOT, "LICENSE"), "utf8"),
    );
  });
});

describe("the spreadsheet engine", () => {
  const FILES = ["web/playground-engine.js", "companion/engine.mjs"];
  const script = readFileSync(join(WEB, "playground-engine.js"), "utf8");

  it("is in a file of its own, which no page of the add-in loads", () => {
    const scripts = readdirSync(WEB).filter((name) => name.endsWith(".js") && name !== "playground-engine.js");
    const texts = scripts.map((name) => [name, readFileSync(join(WEB, name), "utf8")] as const);
    expect(script).toContain("o-spreadsheet build tools");
    expect(texts.filter(([, text]) => /o-spreadsheet build tools|odoo\/owl/.test(text)).map(([name]) => name)).toEqual(
      [],
    );
    expect(readFileSync(join(WEB, "playground.html"), "utf8")).toContain('src="playground-engine.js"');
    for (const page of ["taskpane.html", "playground-pane.html"])
      expect(readFileSync(join(WEB, page), "utf8")).not.toContain("engine");
  });

  it("is in a file of its own at the companion, which no other of its files begins with", () => {
    const folder = join(ROOT, "dist/companion");
    const names = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
    const isEngine = (name: string) =>
      /o-spreadsheet build tools|odoo\/owl\/dist/.test(readFileSync(join(folder, name), "utf8"));
    expect(names.filter(isEngine)).toEqual(["engine.mjs"]);
    expect(readFileSync(join(folder, "main.mjs"), "utf8")).not.toMatch(/from "\.\/engine\.mjs"/);
  });

  it.each(FILES)("is unmodified: %s", (path) => {
    const file = join(ROOT, "node_modules/@odoo/o-spreadsheet/dist/o_spreadsheet.esm.js");
    const read = (text: string) => text.split("\n").map((line) => line.trim());
    const lines = read(readFileSync(file, "utf8"));
    const shipped = new Set(read(readFileSync(join(ROOT, "dist", path), "utf8")));
    // The build writes the module wrappers.
    const changed = lines.filter((line) => !shipped.has(line));
    expect([lines.length > 50_000, changed.length / lines.length < 0.01]).toEqual([true, true]);
  });

  it.each(["playground", "companion"] as const)("has its licences, and the address of its source: %s", (place) => {
    const notices = readNotices(place);
    expect(notices).toMatch(/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/);
    expect(notices).toMatch(/GNU GENERAL PUBLIC LICENSE\s+Version 3/);
    expect(notices).toContain("https://github.com/odoo/o-spreadsheet");
    expect(notices).toContain("https://github.com/odoo/owl");
  });
});

describe("a build", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "feed-notices-"));
    const write = (path: string, text: string) => {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    const add = (name: string, license: string, text = "", code = `export const who = () => "${name}" + Date();`) => {
      write(
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: "1.0.0", license, author: "Somebody" }),
      );
      write(`node_modules/${name}/index.js`, code);
      if (text) write(`node_modules/${name}/LICENSE`, text);
    };
    add("deep", "ISC", "The text of deep.");
    add("outer", "MIT", "", `import { who as deep } from "deep"; export const who = () => deep() + "outer" + Date();`);
    add("copyleft", "GPL-3.0-only", "The text of copyleft.");
    add("bare", "Apache-2.0");
    add("other-engine", "LGPL-3.0-only", "The text of another.");
    for (const name of ["outer", "copyleft", "bare", "other-engine"])
      write(`${name}.js`, `import { who } from "${name}"; console.log(who());`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Builds one script; gives its errors and notices. */
  async function build(name: string): Promise<{ errors: string[]; notices: string }> {
    const output = { path: join(folder, "dist", name), filename: "main.js" };
    const plugins = [new NoticesPlugin({ file: "notices.txt", what: "a test" })];
    const entry = join(folder, `${name}.js`);
    const compiler = webpack({ mode: "production", context: folder, entry, output, plugins, cache: false });
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) =>
      compiler.run((error, result) => (error ? reject(error) : resolve(result))),
    );
    await new Promise((resolve) => compiler.close(resolve));
    const path = join(output.path, "notices.txt");
    const notices = existsSync(path) ? readFileSync(path, "utf8") : "";
    return { errors: stats?.compilation.errors.map(({ message }) => message) ?? [], notices };
  }

  it("lists transitive packages, and gives one without a text that of its licence", async () => {
    const { errors, notices } = await build("outer");
    expect(errors).toEqual([]);
    expect(notices).toContain("deep 1.0.0  ISC");
    expect(notices).toContain("The text of deep.");
    expect(notices).toMatch(/outer 1\.0\.0\n=+\n\nCopyright \(c\) Somebody\n\nPermission is hereby granted/);
  });

  it.each([
    ["copyleft", 'copyleft 1.0.0 has the licence "GPL-3.0-only", under which nothing may be shipped here.'],
    ["other-engine", 'other-engine 1.0.0 has the licence "LGPL-3.0-only", under which nothing may be shipped here.'],
    ["bare", "bare 1.0.0 comes without the text of its licence (Apache-2.0)."],
  ])("fails for %s", async (name, message) => {
    expect((await build(name)).errors).toEqual([message]);
  });
});

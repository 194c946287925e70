import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import loadTemplates from "../../src/playground/templates-loader.cjs";

interface Compiled {
  templates: Record<string, unknown>;
  written: ReadonlyMap<string, unknown>;
}

const FILE = require.resolve("@odoo/o-spreadsheet/dist/o_spreadsheet.xml");
const [XML, SCRIPT] = [FILE, FILE.replace(".xml", ".esm.js")].map((file) => readFileSync(file, "utf8"));

/** What the build makes of the engine's templates. */
async function compile(): Promise<Compiled> {
  const text = await new Promise<string>((resolve, reject) => {
    const done = (error: unknown, module: string) => (error ? reject(error) : resolve(module));
    loadTemplates.call({ resourcePath: FILE, async: () => done, addDependency: () => {} });
  });
  return new Function(`${text.replaceAll("export const", "const")} return { templates, written };`)() as Compiled;
}

const compiled = compile();

const list = (text: string | undefined, form: RegExp) => [
  ...new Set([...(text ?? "").matchAll(form)].map(([, found = ""]) => found)),
];

/** The names of those that the engine has in its file or its script, or calls from either. */
const NAMES = [
  ...list(XML, /\st-name="([^"]+)"/g),
  ...list(SCRIPT, /\st-name="([^"]+)"/g),
  ...list(XML, /t-call="([^"{]+)"/g),
  ...list(SCRIPT, /\bstatic template = "([^"]+)"/g),
  ...list(SCRIPT, /\brenderToString\("([^"]+)"/g),
];

describe("a template of the engine", () => {
  it.each([...new Set(NAMES)])("is prepared: %s", async (name) => {
    expect((await compiled).templates[name]).toBeInstanceOf(Function);
  });

  it.each(list(SCRIPT, /`(\s*<[^`]*\bt-\w+=[^`]*)`/g).filter((text) => !text.includes(" t-name=")))(
    "that stands in its script without a name is prepared: %s",
    async (text) => {
      expect((await compiled).written.get(text)).toBeInstanceOf(Function);
    },
  );
});

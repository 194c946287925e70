/** @jest-environment jsdom */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { toManifest } from "../../src/companion/manifest";
import { toTexts } from "../../src/taskpane/texts";
import { readManifest, readText } from "./manifest-file";
import { listReasons } from "./taken-keys";

const WEB = join(__dirname, "../../dist/web");

interface Texts {
  [id: string]: { value: string };
}

interface Shortcuts {
  actions: { id: string; type: string; name: string }[];
  shortcuts: { action: string; key: Record<string, string> }[];
  resources: { default: Texts };
}

const readBuilt = <T>(name: string): T => JSON.parse(readFileSync(join(WEB, name), "utf8"));
const { actions, shortcuts, resources } = readBuilt<Shortcuts>("shortcuts.json");
const ids = actions.map(({ id }) => id);
const keys = shortcuts.flatMap(({ key }) => Object.values(key));

describe("the keyboard shortcuts", () => {
  it("are of four commands, which the built pane associates", () => {
    expect(ids).toEqual(["refreshAll", "refreshSelection", "aboutCell", "togglePane"]);
    expect(shortcuts.map(({ action }) => action)).toEqual(ids);
    expect(actions.every(({ type }) => type === "ExecuteFunction")).toBe(true);
    const bundle = readFileSync(join(WEB, "taskpane.js"), "utf8");
    for (const id of ids) expect(bundle).toContain(`"${id}"`);
  });

  it("have keys of their own for a Mac, and one for all other hosts", () => {
    for (const { key } of shortcuts) expect(Object.keys(key)).toEqual(["default", "mac"]);
    expect(new Set(keys).size).toBe(8);
    for (const { key } of shortcuts) expect(key.mac).toBe(key.default?.replace("Ctrl", "Command"));
  });

  it("clash with no key of Excel, of browsers or of desktops, and type no letter", () => {
    expect(keys.flatMap(listReasons)).toEqual([]);
  });

  it("are in docs/analyst.md beside their commands", () => {
    const document = readFileSync(join(__dirname, "../../docs/analyst.md"), "utf8");
    const names = [
      ...["refreshAll", "refreshSelection", "aboutCell"].map((id) => resources.default[id]?.value),
      "FEED pane",
    ];
    names.forEach((name, index) => {
      expect(document).toContain(`\n| ${name} | ${shortcuts[index]?.key.default} |`);
    });
  });

  it.each(["Ctrl+Alt+V", "Ctrl+Shift+S", "Option+Command+Shift+S", "Ctrl+Alt+Shift+A", "Ctrl+Alt+Shift+G", "Shift+G"])(
    "could not have %s",
    (taken) => expect(listReasons(taken)).not.toEqual([]),
  );

  it("have the names of the pane's commands in both languages, and English by default", () => {
    const named = { en: readBuilt<Texts>("shortcuts-en.json"), ja: readBuilt<Texts>("shortcuts-ja.json") };
    expect(resources.default).toEqual(named.en);
    for (const { id, name } of actions) expect(name).toBe(`\${resource.${id}}`);
    for (const language of ["en", "ja"] as const) {
      const { commands } = toTexts(language).ofCommands;
      expect(Object.keys(named[language])).toEqual(ids);
      for (const id of ["refreshAll", "refreshSelection", "aboutCell"] as const) {
        expect(named[language][id]?.value).toBe(commands[id]);
      }
    }
    expect(named.ja.togglePane?.value).toMatch(/[ぁ-んァ-ヶ一-龠]/);
    expect(JSON.stringify([resources, named])).not.toContain("FEED"); // another deployment has another name
  });
});

describe.each([
  { origin: "https://localhost:3000", text: readText() },
  {
    origin: "https://feed.example.com:8443",
    text: toManifest(readText(), { origin: "https://feed.example.com:8443", namespace: "ACME" }),
  },
])("the manifest for $origin", ({ origin, text }) => {
  const { find } = readManifest(text);
  const [overrides] = find("ExtendedOverrides");
  const [token] = find("Token");

  it("names the file of the shortcuts, and that of their texts by Excel's language", () => {
    expect(overrides?.getAttribute("Url")).toBe(`${origin}/shortcuts.json`);
    expect(overrides?.getAttribute("ResourcesUrl")).toBe(`${origin}/shortcuts-\${token.language}.json`);
    expect([token?.getAttribute("Name"), token?.getAttribute("xsi:type")]).toEqual(["language", "LocaleToken"]);
    const locales = [...(token?.children ?? [])].map((each) => [
      each.getAttribute("Locale"),
      each.getAttribute("Value"),
    ]);
    expect([token?.getAttribute("DefaultValue"), locales]).toEqual(["en", [["ja-JP", "ja"]]]);
  });

  it("names only files that the build has", () => {
    const addresses = text.match(/https:\/\/[^"<]+/g)?.filter((address) => address.startsWith(`${origin}/`)) ?? [];
    expect(addresses.length).toBeGreaterThan(30);
    const paths = addresses.flatMap((address) =>
      ["en", "ja"].map((language) => new URL(address.replace(/\$\{.*\}/, language)).pathname),
    );
    expect(paths).toContain("/shortcuts-ja.json");
    for (const path of paths) expect([path, existsSync(join(WEB, path))]).toEqual([path, true]);
  });
});

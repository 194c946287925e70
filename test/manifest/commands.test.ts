/** @jest-environment jsdom */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { COMMANDS } from "../../src/taskpane/commands/office";
import { toTexts } from "../../src/taskpane/texts";
import { readManifest, readPixels, readText, readTexts } from "./manifest-file";
import { listReasons } from "./taken-keys";

const ROOT = join(__dirname, "../..");
const WEB = join(ROOT, "dist/web");
const { host, find, listResources, readResource } = readManifest(readText());

/** The commands offered at a place in Excel, in order; "pane" shows the pane. */
const listOffered = (place: Element | undefined) =>
  [...(place?.getElementsByTagName("Action") ?? [])].map(
    (action) => action.getElementsByTagName("FunctionName")[0]?.textContent ?? "pane",
  );

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

describe("the commands in Excel", () => {
  it("are in a group of the Home tab", () => {
    expect(find("OfficeTab")[0]?.id).toBe("TabHome");
    const offered = ["pane", "refreshAll", "refreshSelection", "freeze", "repair", "help"];
    expect(listOffered(find("Group")[0])).toEqual(offered);
  });

  it("are in the menu of a cell", () => {
    expect(find("OfficeMenu")[0]?.id).toBe("ContextMenuCell");
    const offered = ["refreshSelection", "refreshAll", "aboutCell", "freeze", "repair", "pane", "help"];
    expect(listOffered(find("OfficeMenu")[0])).toEqual(offered);
  });

  it("are all associated by the built pane", () => {
    const bundle = readFileSync(join(WEB, "taskpane.js"), "utf8");
    const called = [...new Set(find("FunctionName").map(({ textContent }) => textContent ?? ""))];
    expect(called.length).toBe(6);
    expect(bundle).toContain('"freezeSelection"'); // of manifests installed before
    expect(bundle).toContain("Office.actions.associate(");
    for (const name of called) {
      expect(COMMANDS).toContain(name);
      expect(bundle).toContain(`"${name}"`);
    }
  });

  it("have the same names as the pane's buttons", () => {
    const labels = ["refreshAll", "refreshSelection", "aboutCell", "repair", "help"] as const;
    const resources = ["RefreshAll.Label", "RefreshSelection.Label", "About.Label", "Repair.Label", "Help.Label"];
    const said = resources.map((id) => readTexts(listResources().find((resource) => resource.id === id) as Element));
    const names = ["en-US", "ja-JP"].map((language) => toTexts(language).ofCommands.commands);
    expect(said).toEqual(labels.map((label) => names.map((texts) => texts[label])));
  });
});

describe("the icons", () => {
  it("of the product have a file of each size, and the manifest's two have 32 and 64 pixels", () => {
    for (const size of [16, 32, 64, 80, 128]) expect(readPixels(`assets/icon-${size}.png`)).toEqual([size, size]);
    for (const [tag, size] of [["IconUrl", 32] as const, ["HighResolutionIconUrl", 64] as const]) {
      const address = find(tag)[0]?.getAttribute("DefaultValue");
      expect(readPixels(new URL(address ?? "").pathname)).toEqual([size, size]);
    }
  });

  it("have the sizes that the manifest declares, for each size Excel needs", () => {
    const icons = [...host.querySelectorAll("Icon")];
    expect(icons.length).toBe(find("Control").length + find("Item").length + 1);
    for (const icon of icons) {
      const images = [...icon.children];
      expect(images.map((image) => image.getAttribute("size"))).toEqual(["16", "32", "80"]);
      for (const image of images) {
        const size = Number(image.getAttribute("size"));
        const address = readResource(image.getAttribute("resid") ?? "") ?? "";
        expect(readPixels(new URL(address).pathname)).toEqual([size, size]);
      }
    }
  });

  it("differ for each command", () => {
    const group = find("Group")[0] as Element;
    const controls = [...group.getElementsByTagName("Control"), ...group.getElementsByTagName("Item")];
    const icons = controls.map((control) => control.getElementsByTagName("bt:Image")[0]?.getAttribute("resid"));
    const pictures = icons.map((id) => readFileSync(join(ROOT, new URL(readResource(id ?? "") ?? "").pathname), "hex"));
    expect(new Set(pictures).size).toBe(7);
  });

  it("each have a drawing of their own beside the images made from it", () => {
    const files = readdirSync(join(ROOT, "assets")).filter((name) => /^icon.*\.png$/.test(name));
    const drawings = files.map((name) => name.replace(/-\d+\.png$/, ".svg"));
    expect(drawings.filter((name) => !existsSync(join(ROOT, "assets", name)))).toEqual([]);
  });
});

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
    const document = readFileSync(join(ROOT, "docs/analyst.md"), "utf8");
    const names = ["refreshAll", "refreshSelection", "aboutCell"].map((id) => resources.default[id]?.value);
    for (const [index, name] of [...names, "FEED pane"].entries())
      expect(document).toContain(`\n| ${name} | ${shortcuts[index]?.key.default} |`);
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

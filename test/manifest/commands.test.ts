/** @jest-environment jsdom */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { COMMANDS } from "../../src/taskpane/commands/command";
import { toTexts } from "../../src/taskpane/texts";
import { readManifest, readPixels, readText, readTexts } from "./manifest-file";

const ROOT = join(__dirname, "../..");
const { host, find, listResources, readResource } = readManifest(readText());

/** The commands offered at a place in Excel, in order; "pane" shows the pane. */
const listOffered = (place: Element | undefined) =>
  [...(place?.getElementsByTagName("Action") ?? [])].map(
    (action) => action.getElementsByTagName("FunctionName")[0]?.textContent ?? "pane",
  );

describe("the commands in Excel", () => {
  it("are in a group of the Home tab", () => {
    expect(find("OfficeTab")[0]?.id).toBe("TabHome");
    const offered = ["pane", "refreshAll", "refreshSelection", "freezeSelection", "repair", "help"];
    expect(listOffered(find("Group")[0])).toEqual(offered);
  });

  it("are in the menu of a cell", () => {
    expect(find("OfficeMenu")[0]?.id).toBe("ContextMenuCell");
    const offered = ["refreshSelection", "refreshAll", "aboutCell", "freezeSelection", "repair", "pane", "help"];
    expect(listOffered(find("OfficeMenu")[0])).toEqual(offered);
  });

  it("are all associated by the built pane", () => {
    const bundle = readFileSync(join(ROOT, "dist/web/taskpane.js"), "utf8");
    const called = [...new Set(find("FunctionName").map(({ textContent }) => textContent ?? ""))];
    expect(called.length).toBe(6);
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
  it.each([16, 32, 64, 80, 128, 192])("of the product have a file of %i pixels", (size) => {
    expect(readPixels(`assets/icon-${size}.png`)).toEqual([size, size]);
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

  it.each([
    ["IconUrl", 32],
    ["HighResolutionIconUrl", 64],
  ])("of %s have %i pixels", (tag, size) => {
    const address = find(tag)[0]?.getAttribute("DefaultValue") ?? "";
    expect(readPixels(new URL(address).pathname)).toEqual([size, size]);
  });

  it("each have a drawing of their own beside the images made from it", () => {
    const files = readdirSync(join(ROOT, "assets")).filter((name) => /^icon.*\.png$/.test(name));
    const drawings = files.map((name) => name.replace(/-\d+\.png$/, ".svg"));
    expect(drawings.filter((name) => !existsSync(join(ROOT, "assets", name)))).toEqual([]);
  });
});

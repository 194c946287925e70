import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { createFolders } from "../../src/mcp/folders";

const root = realpathSync(mkdtempSync(join(tmpdir(), "feed-folders-")));
const folder = join(root, "allowed");
const outside = join(root, "Outside.xlsx");
mkdirSync(folder);
for (const path of [outside, join(folder, "Model.xlsx"), join(folder, "Notes.txt")]) writeFileSync(path, "");
symlinkSync(outside, join(folder, "Link.xlsx"));
symlinkSync(root, join(folder, "way"));
afterAll(() => rmSync(root, { recursive: true }));

const folders = createFolders([folder]);

describe("the folders that a person allowed", () => {
  it("have a workbook by its path or its name", () => {
    const path = join(folder, "Model.xlsx");
    expect([folders.find(path), folders.find("Model.xlsx")]).toEqual([path, path]);
  });

  it.each(
    [
      ...[outside, "../Outside.xlsx", join(folder, "..", "Outside.xlsx"), "../allowed/../Outside.xlsx"],
      ...["Link.xlsx", join(folder, "Link.xlsx"), "way/Outside.xlsx", "way/../Outside.xlsx"],
      ...["C:\\Outside.xlsx", "\\\\server\\share\\Outside.xlsx", `file://${outside}`, `${outside}\0.xlsx`],
      ...[".", folder, "Missing.xlsx", "Notes.txt", "--out=Model.xlsx"],
    ].map((path) => [path.replace(root, "…").replace("\0", "\\0"), path]),
  )("have no file %s, whatever links and steps lead there", (_shown, path) => {
    expect(() => folders.find(path)).toThrow(`no workbook (.xlsx, .xlsm) of this path is below ${folder}`);
  });
});

import { describe, expect, it } from "@jest/globals";
import { HELP } from "../../src/companion/command";
import { FORMULAS } from "../../src/reference/formulas";
import type { Language, Text } from "../../src/reference/texts";
import { toTexts } from "../../src/taskpane/texts";
import metadata from "../functions/functions.golden.json";
import { readText } from "./examples";

const formulas = readText("docs/formulas.md");

/** A chapter by its heading, up to the next one of its level. */
const readChapter = (document: string, heading: string): string =>
  document.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";

/** The cells of a chapter's table, without its header. */
const readRows = (chapter: string): string[][] =>
  [...chapter.matchAll(/^\| (.+) \|$/gm)].slice(1).map(([, line = ""]) => line.split(" | "));

describe("docs/formulas.md", () => {
  it("lists every formula with its arguments and result as in the reference", () => {
    const known = [...FORMULAS].map(([id, { gives }]) => {
      const { parameters } = metadata.functions.find((each) => each.id === id) as (typeof metadata.functions)[number];
      const names = parameters.map((parameter) => ("optional" in parameter ? `[${parameter.name}]` : parameter.name));
      return [`\`FEED.${id}(${names.join(", ")})\``, gives.en];
    });
    expect(readRows(readChapter(formulas, "All formulas"))).toEqual(known);
  });
});

it("docs/settings.md lists every command as in the companion's help", () => {
  const listed = readRows(readChapter(readText("docs/settings.md"), "Command line"));
  const [known = ""] = HELP.split("Commands\n")[1]?.split("\n\n") ?? [];
  expect(listed).toEqual([...known.matchAll(/^ {2}(\w+) +(.+)$/gm)].map(([, name, does]) => [`\`${name}\``, does]));
});

/** The ribbon's labels of a manifest in a language, in its order. */
function listLabels(language: Language): string[] {
  const strings = readText("manifest.xml").matchAll(
    /id="(\w+)\.Label" DefaultValue="([^"]+)">\s*<bt:Override Locale="ja-JP" Value="([^"]+)"/g,
  );
  return [...strings].flatMap(([, id = "", en = "", ja = ""]) =>
    ["Group", "More", "Cell"].includes(id) ? [] : [language === "en" ? en : ja],
  );
}

describe.each([
  ["docs/analyst.md", "en", "en-US", "The pane"],
  ["docs/ja/analyst.md", "ja", "ja-JP", "FEED ウィンドウ"],
] as const)("%s", (path, language, locale, heading) => {
  const names = readRows(readChapter(readText(path), heading)).map(([name]) => name);

  it("lists the pane's parts and the commands of ribbon and cell menu by their names", () => {
    const { parts, ofHead } = toTexts(locale);
    const header: Text = { en: "command", ja: "コマンド" };
    const labels = listLabels(language);
    expect(labels).toHaveLength(7);
    expect(names).toEqual([...Object.values(parts), ofHead.settings, header[language], ...labels]);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { type Theme, webDarkTheme, webLightTheme } from "@fluentui/react-components";
import { describe, expect, it } from "@jest/globals";
import ts from "typescript";

/** The required contrast of text (WCAG 2.2, 1.4.3). */
const ENOUGH = 4.5;

const FOLDER = "src/taskpane";

/** Brand colours are for graphics; no text uses them. */
const NAMED = /tokens\.(color(?:Neutral|Status|Palette)\w*Foreground\d)\b/g;

const sources = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".tsx"))
  .map((path) => ({ path, text: readFileSync(`${FOLDER}/${path}`, "utf8") }));
const colours = listColours();

/** The backgrounds of text: the pane, and a hovered line. */
const GROUNDS = ["colorNeutralBackground1", "colorSubtleBackgroundHover"] as const;

describe.each([
  ["light", webLightTheme],
  ["dark", webDarkTheme],
])("in the %s theme", (_, theme) => {
  it.each(GROUNDS)("each text colour is readable on %s", (ground) => {
    expect(colours.length).toBeGreaterThan(3);
    const faint = colours.filter((name) => toContrast(String(theme[name]), theme[ground]) < ENOUGH);
    expect(faint).toEqual([]);
  });
});

/** All colour names in the pane's styles. */
function listColours(): (keyof Theme)[] {
  const styles = sources.map(({ text }) => text).join("\n");
  return [...new Set([...styles.matchAll(NAMED)].map(([, name]) => name as keyof Theme))];
}

function toContrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [toLuminance(one), toLuminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The luminance of a colour such as #b10e1c, from 0 (black) to 1 (white). */
function toLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The attributes that a person reads or hears. */
const SHOWN = /^(label|name|title|alt|placeholder|aria-(label|description|roledescription|valuetext))$/;

/** What a component says by itself, besides signs and a word of the API. */
function listOwnWords({ path, text }: (typeof sources)[number]): string[] {
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) words.push(node.text.replace(/&\w+;|\btraceId\b/g, ""));
    if (ts.isJsxAttribute(node) && SHOWN.test(node.name.getText()) && node.initializer?.kind === STRING)
      words.push(node.initializer.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return words.filter((each) => /\p{L}/u.test(each));
}

const STRING = ts.SyntaxKind.StringLiteral;

/** A word of a Japanese, and one that has two words at least. */
const [JAPANESE, WORDS] = [/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u, /[a-z] [a-z]/i];

/** Where a text of two words has none in Japanese; the example of a preview stays as the provider writes it. */
function listMissing(en: unknown, ja: unknown, path: string): string[] {
  if (typeof en === "string") return WORDS.test(en) && !JAPANESE.test(String(ja)) ? [path] : [];
  if (typeof en !== "object" || en === null || path.endsWith("previews")) return [];
  return Object.entries(en).flatMap(([name, text]) => listMissing(text, Object(ja)[name], `${path}.${name}`));
}

describe("the words of the pane", () => {
  it("are none of a component's own", () => {
    const own = sources.map(({ path, ...source }) => [path, ...listOwnWords({ path, ...source })]);
    expect(own.filter(({ length }) => length > 1)).toEqual([]);
  });

  it.each(readdirSync(`${FOLDER}/texts`))("of %s are Japanese in a Japanese Excel", async (name) => {
    const exported = Object.values<{ en?: object; ja?: object }>(await import(`../../${FOLDER}/texts/${name}`));
    expect(exported.flatMap(({ en, ja }) => listMissing(en, ja, name))).toEqual([]);
  });
});

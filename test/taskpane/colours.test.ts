import { readdirSync, readFileSync } from "node:fs";
import { type Theme, webDarkTheme, webLightTheme } from "@fluentui/react-components";
import { describe, expect, it } from "@jest/globals";

/** The required contrast of text (WCAG 2.2, 1.4.3). */
const ENOUGH = 4.5;

const FOLDER = "src/taskpane";

/** Brand colours are for graphics; no text uses them. */
const NAMED = /tokens\.(color(?:Neutral|Status|Palette)\w*Foreground\d)\b/g;

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
  const paths = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".tsx"));
  const styles = paths.map((path) => readFileSync(`${FOLDER}/${path}`, "utf8")).join("\n");
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

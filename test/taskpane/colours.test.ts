import { readdirSync, readFileSync } from "node:fs";
import { type Theme, webDarkTheme, webLightTheme } from "@fluentui/react-components";
import { describe, expect, it } from "@jest/globals";

/** What text needs (WCAG 2.2, 1.4.3). */
const ENOUGH = 4.5;

const FOLDER = "src/taskpane";

/** Brand colours draw, and no text is written in them. */
const NAMED = /tokens\.(color(?:Neutral|Status|Palette)\w*Foreground\d)\b/g;

const colours = listColours();

/** Where text stands: on the pane, and in a line that is pointed at. */
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

/** All that the pane's styles name. */
function listColours(): (keyof Theme)[] {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".tsx"));
  const styles = paths.map((path) => readFileSync(`${FOLDER}/${path}`, "utf8")).join("\n");
  return [...new Set([...styles.matchAll(NAMED)].map(([, name]) => name as keyof Theme))];
}

function toContrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [toLuminance(one), toLuminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Of a colour such as #b10e1c, from 0 (black) to 1 (white). */
function toLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

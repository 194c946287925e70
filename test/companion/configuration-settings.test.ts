import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { runCommand } from "../../src/companion/command";
import { SETTINGS } from "../../src/companion/configuration/settings";
import { COMPLETE, readMistakes } from "./complete-settings";
import WRONG from "./wrong-settings.json";

const wrong: Readonly<Record<string, { of: string; changed: NodeJS.ProcessEnv }>> = WRONG;
const NAMES = Object.keys(SETTINGS);
const DOCUMENT = readFileSync(join(__dirname, "../../docs/settings.md"), "utf8");
const { FEED_PRIVATE_KEY, ...KEYLESS } = COMPLETE;

const SIGN_IN = {
  ...COMPLETE,
  FEED_MODE: "relay",
  FEED_SIGN_IN_ISSUER: "https://login.example.com",
  FEED_SIGN_IN_CLIENT_ID: "feed",
};

/** What the rows of wrong-settings.json change, each so that the named setting alone is invalid. */
const SETS: Readonly<Record<string, NodeJS.ProcessEnv>> = { COMPLETE, KEYLESS, SIGN_IN, NONE: {} };

describe("the table of settings", () => {
  it("equals that of docs/settings.md in words and order", () => {
    const chapter = DOCUMENT.split(/^(?=## )/m).find((part) => part.startsWith("## All settings\n")) ?? "";
    const rows = chapter.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(Object.entries(SETTINGS).map(([name, description]) => `| \`${name}\` | ${description} |`));
  });

  it("is printed by start --help", async () => {
    const lines: string[] = [];
    await runCommand(["start", "--help"], { environment: {}, webFolder: "", print: (line) => lines.push(line) });
    for (const [name, description] of Object.entries(SETTINGS))
      expect(lines.join("\n")).toContain(`${name}\n      ${description}\n`);
  });

  it.each(NAMES)("has %s, which is read", (name) => {
    const { of = "NONE", changed } = wrong[name] ?? {};
    expect(readMistakes({ ...SETS[of], ...changed })).toEqual([expect.stringContaining(name)]);
  });
});

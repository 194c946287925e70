import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ROOT, readText } from "../docs/examples";

/** The rooms of the table in src/README.md with their lines of code. Budgets only shrink: whoever removes code lowers them. */
const BUDGETS = [...readText("src/README.md").matchAll(/^\| (\w+) \| ([\d,]+) \|/gm)].map(
  ([, room = "", budget = ""]): [string, number] => [room, Number(budget.replace(",", ""))],
);

/** Counts the lines that are neither blank nor comment. */
const countCode = (source: string): number =>
  source
    .replace(/^\s*\/\*[\s\S]*?\*\/.*$/gm, "")
    .split("\n")
    .filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length;

/** Counts a room's lines of code, without generated files. */
const countRoom = (room: string): number =>
  readdirSync(join(ROOT, "src", room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|[mc]js|css)$/.test(name) && !name.includes("generated"))
    .map((name) => countCode(readFileSync(join(ROOT, "src", room, name), "utf8")))
    .reduce((sum, lines) => sum + lines, 0);

describe("the budgets in src/README.md", () => {
  it("are one for each room, in steps of 100", () => {
    const rooms = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(BUDGETS.map(([room]) => room).toSorted()).toEqual(rooms.map(({ name }) => name).toSorted());
    expect(BUDGETS.filter(([, budget]) => budget % 100 !== 0)).toEqual([]);
  });

  it.each(BUDGETS)("keep %s within %i lines of code", (room, budget) => {
    expect(countRoom(room)).toBeLessThanOrEqual(budget);
  });

  it("count neither blank lines nor comments", () => {
    expect(countCode("// a\n\n/** b\n * c\n */\nconst d = 1; // e\n  /* f */\ng();\n")).toBe(2);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { description, ROOM } from "./description";

/** Every id under an x-gap, at any depth. */
function findGaps(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === "x-gap" ? [value].flat() : findGaps(value)));
}

const rows = readFileSync(join(ROOM, "README.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| `[a-z-]+` \|/.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe("the table of gaps", () => {
  it("has one row for every x-gap of the description, and no other", () => {
    const ids = rows.map(([id]) => id!.replaceAll("`", ""));
    expect(ids.sort()).toEqual([...new Set(findGaps(description))].sort());
  });

  it("has in each row the gap, its place, the behaviour and its test", () => {
    for (const row of rows) {
      expect(row).toHaveLength(5);
      expect(row).not.toContain("");
    }
  });

  it("names test files, or says why there is none", () => {
    for (const [id, , , , held] of rows) {
      expect([id, held]).toEqual([id, expect.stringMatching(/^(test\/[\w/*-]+\.test\.ts(, )?)+$|^no(thing to)? test/)]);
    }
  });
});

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { type Fault, GROUPS, readTest } from "../faults/groups";
import { readGuard, removeGuard } from "../faults/mutation";
import { readTable, toTable } from "../faults/table";
import { ROOT, readText } from "./examples";

/** A file of tests, and the tables beside it, which have the titles of some. */
function readTests(file: string): string {
  const folder = dirname(file);
  const tables = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".json"));
  return [file, ...tables.map((name) => `${folder}/${name}`)].map(readText).join("\n");
}
const rows = GROUPS.flatMap((group) => group.rows);

describe("the fault rows", () => {
  it("equal docs/reliability.md's table in groups and order", () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(readTable(readText("docs/reliability.md"))).toBe(toTable());
  });

  it("name existing tests", () => {
    const named = rows.flatMap(({ tests }) => tests).map(readTest);
    expect(rows.every(({ tests }) => tests.length > 0)).toBe(true);
    expect(named.filter(({ file, title }) => !readTests(file).includes(title))).toEqual([]);
  });

  it("name guards, each in one place of the sources", () => {
    const findMistake = ({ guard }: Fault) => {
      const text = readText(readGuard(guard).file);
      try {
        return removeGuard(text, guard) === text ? [`${guard}: it changes nothing`] : [];
      } catch (error) {
        return [(error as Error).message];
      }
    };
    expect(rows.flatMap(findMistake)).toEqual([]);
  });

  it("have unique names", () => {
    expect(new Set(rows.map(({ fault }) => fault)).size).toBe(rows.length);
  });
});

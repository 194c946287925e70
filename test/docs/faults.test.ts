import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { GROUPS } from "../faults/groups";
import { readTable, toTable } from "../faults/table";

const readText = (path: string) => readFileSync(join(__dirname, "../..", path), "utf8");
const rows = GROUPS.flatMap((group) => group.rows);

describe("the faults that are tried", () => {
  it("stand in README.md in their groups and order, each with what is seen, and all have passed: npm test, then npm run faults, sees to it", () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(readTable(readText("README.md"))).toBe(toTable(() => true));
  });

  it("name tests that exist", () => {
    const named = rows.flatMap(({ tests }) => tests);
    expect(named.filter(({ file, title }) => !readText(file).includes(title))).toEqual([]);
  });

  it("name guards by a text that stands once in their file, and what stands there without them", () => {
    const isGuard = ({ file, from, to }: (typeof rows)[number]["guard"]) =>
      readText(file).split(from).length === 2 && from !== to;
    expect(rows.map(({ guard }) => guard).filter((guard) => !isGuard(guard))).toEqual([]);
  });

  it("have names of their own", () => {
    expect(new Set(rows.map(({ fault }) => fault)).size).toBe(rows.length);
  });
});

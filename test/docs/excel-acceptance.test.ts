import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

const readText = (path: string) => readFileSync(join(__dirname, "../..", path), "utf8");
const reliability = readText("docs/reliability.md");
const script = readText("docs/excel-acceptance.md");

/** The script's rows: step, what to do, what to see. */
const steps = [...script.matchAll(/^\| (\d+) \| (.+) \| ([^|]+) \|$/gm)].map(([line, step, act, see]) => {
  return { line, step: Number(step), act, see };
});

describe("the hour with a desktop Excel", () => {
  it("has 25 steps in order, each of one line with what must be seen", () => {
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    expect(steps.filter(({ line, see = "" }) => line.length > 220 || see.trim().length < 3)).toEqual([]);
  });

  it("is linked from docs/reliability.md, whose every open claim names the steps that settle it", () => {
    const chapter = reliability.split("\n## Not proved in desktop Excel\n")[1]?.split("\n## ")[0] ?? "";
    expect(chapter).toContain("(excel-acceptance.md)");
    const claims = chapter.split("\n- ").slice(1);
    const named = claims.map(
      (claim) =>
        claim
          .match(/\(steps? ([\d,\s]+)\)\s*$/)?.[1]
          ?.split(",")
          .map(Number) ?? [],
    );
    expect(claims.filter((_, index) => named[index]?.length === 0)).toEqual([]);
    const numbers = named.flat();
    expect(numbers.filter((step) => !steps.some((each) => each.step === step))).toEqual([]);
    expect(new Set(numbers).size).toBe(steps.length);
  });
});

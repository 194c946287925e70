import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { DOCUMENT_FILES, ROOT, readText } from "./examples";
import { PICTURES } from "./pictures";

const FOLDER = "docs/pictures";
const LARGEST_BYTES = 150 * 1024;

/** The pictures that documents show, by path in the project. */
const shown = DOCUMENT_FILES.flatMap((path) =>
  [...readText(path).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alternative = "", target = ""]) => ({
    alternative,
    file: join(dirname(path), target),
  })),
);

describe("the pictures of the documents", () => {
  it("are those that npm run pictures makes, and each of these is shown", () => {
    const made = Object.keys(PICTURES).map((name) => `${FOLDER}/${name}`);
    expect([...new Set(shown.map(({ file }) => file))].toSorted()).toEqual(made.toSorted());
    expect(readdirSync(join(ROOT, FOLDER)).toSorted()).toEqual(Object.keys(PICTURES).toSorted());
  });

  it("exist, are small, and say in words what they show", () => {
    for (const { file, alternative } of shown) {
      expect(existsSync(join(ROOT, file))).toBe(true);
      expect(statSync(join(ROOT, file)).size).toBeLessThanOrEqual(LARGEST_BYTES);
      expect(alternative.length).toBeGreaterThan(20);
    }
  });
});

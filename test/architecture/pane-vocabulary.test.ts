import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

const FOLDER = "src/taskpane/texts";

const texts = readdirSync(FOLDER)
  .map((name) => readFileSync(`${FOLDER}/${name}`, "utf8"))
  .join("\n");

describe("the texts of the pane", () => {
  it.each([
    ["業種分類", "産業分類"],
    ["期限切れ", "古い値"],
    ["から変わった", "以降に変わった"],
  ])("never use %s where the term is %s", (synonym, term) => {
    expect(texts).not.toContain(synonym);
    expect(texts).toContain(term);
  });

  it.each(["by hand only (", "計算方法が手動"])("explain manual calculation in a single text: %s", (phrase) => {
    expect(texts.split(phrase)).toHaveLength(2);
  });
});

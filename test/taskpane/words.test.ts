import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

const FOLDER = "src/taskpane/texts";

const texts = readdirSync(FOLDER)
  .map((name) => readFileSync(`${FOLDER}/${name}`, "utf8"))
  .join("\n");

describe("what the pane says", () => {
  it.each([
    ["業種分類", "産業分類"],
    ["期限切れ", "古い値"],
    ["から変わった", "以降に変わった"],
  ])("does not call by %s what it calls %s", (other, word) => {
    expect(texts).not.toContain(other);
    expect(texts).toContain(word);
  });

  it.each(["by hand only (", "計算方法が手動"])("tells in one place that Excel does not calculate: %s", (words) => {
    expect(texts.split(words)).toHaveLength(2);
  });
});

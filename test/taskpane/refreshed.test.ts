import { describe, expect, it } from "@jest/globals";
import { toRefreshedText } from "../../src/taskpane/refreshed";
import { toTexts } from "../../src/taskpane/texts";

const AT = (time: string) => new Date(`2025-03-03T${time}`).getTime();
const HELD = { count: 196, asOfMs: AT("19:22:00"), newerAtMs: AT("19:37:00") };
const english = toTexts("en");
const japanese = toTexts("ja");

describe("what the pane says of a refresh", () => {
  it("counts what was asked again, and says of the firm's answers when they were given and when newer ones can come", () => {
    const refreshed = { asked: 200, failures: [], held: HELD };
    expect(toRefreshedText(refreshed, english)).toBe(
      "4 questions asked again. 196 answers are from 07:22 PM by your firm's policy; a newer one can come from 07:37 PM.",
    );
    expect(toRefreshedText(refreshed, japanese)).toBe(
      "4 件を問い合わせ直しました。 196 件は、会社の設定により 19:22 時点の回答です。次に新しい回答を取得できるのは 19:37 以降です。",
    );
  });

  it("claims nothing where nothing was asked again", () => {
    const held = { count: 1, asOfMs: AT("19:22:05"), newerAtMs: AT("19:22:20") };
    expect(toRefreshedText({ asked: 1, failures: [], held }, english)).toBe(
      "1 answer is from 07:22:05 PM by your firm's policy; a newer one can come from 07:22:20 PM.",
    );
  });

  it("says what failed as well", () => {
    expect(toRefreshedText({ asked: 200, failures: [new Error()], held: HELD }, english)).toMatch(
      /^1 of 200 questions failed; .* 196 answers are from/,
    );
  });
});

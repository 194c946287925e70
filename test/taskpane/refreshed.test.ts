import { describe, expect, it } from "@jest/globals";
import * as tables from "../../src/feed/field-tables";
import { IDS, NAMES, PARTS } from "../../src/taskpane/cell-changes";
import { RANK } from "../../src/taskpane/changes/changed-cells";
import { toShownValue } from "../../src/taskpane/changes/shown-values";
import { toRefreshedText } from "../../src/taskpane/commands/RefreshNotice";
import { toTexts } from "../../src/taskpane/texts";
import CASES from "./refreshed.json";

const AT = (time: string) => new Date(`2025-03-03T${time}`).getTime();
const HELD = { count: 196, asOfMs: AT("19:22:00"), newerAtMs: AT("19:37:00") };
const english = toTexts("en");
const japanese = toTexts("ja");

describe("the report of a refresh", () => {
  it("gives the age of cached answers and the time of newer ones", () => {
    const refreshed = { refetched: 200, failures: [], held: HELD };
    expect(toRefreshedText(refreshed, english)).toBe(
      "Refreshed. Some values are from 07:22 PM by your firm's policy; newer ones can come from 07:37 PM.",
    );
    expect(toRefreshedText(refreshed, japanese)).toBe(
      "更新しました。一部の値は、社内の利用方針により 19:22 時点のものです。次に取得できるのは 19:37 以降です。",
    );
  });

  it("claims no refetch if there was none", () => {
    const held = { count: 1, asOfMs: AT("19:22:05"), newerAtMs: AT("19:22:20") };
    expect(toRefreshedText({ refetched: 1, failures: [], held }, english)).toBe(
      "The values are from 07:22:05 PM by your firm's policy; newer ones can come from 07:22:20 PM.",
    );
  });

  it("reports failures too", () => {
    expect(toRefreshedText({ refetched: 200, failures: [new Error()], held: HELD }, english)).toMatch(
      /^Some formulas could not be refreshed; .* Some values are from/,
    );
  });
});

const headers = Object.values(tables)
  .filter(Array.isArray)
  .flat()
  .map((field) => field.header);

it.each([...IDS, ...NAMES, ...PARTS, RANK])(
  "the header %s, which identifies changes, is a column header of a table",
  (header) => {
    expect(headers).toContain(header);
  },
);

const show = (value: number) => toShownValue(value, null, toTexts("en-US"), 1900);

it.each(CASES.numbers as [number, string][])(
  "the number %p is listed among changes with no more digits than Excel shows: %s",
  (value, shown) => {
    expect(show(value)).toBe(shown);
  },
);

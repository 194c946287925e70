import { describe, expect, it } from "@jest/globals";
import { removeGuard } from "./mutation";

const SOURCE = `
const LIMIT = 5;
export function read(rows: Row[], state = {}) {
  if (rows.length > LIMIT) throw new Error("long");
  state.loading ??= load(rows.slice(1), "all");
  try { return sort(rows, LIMIT) ?? null; } catch { return []; }
}
const reader = { read: (row) => row.total === 0 || isEmpty(row) };
`;

const remove = (guard: string, source = SOURCE) => removeGuard(source, `a.ts › ${guard}`);

describe("a guard", () => {
  it.each([
    ["LIMIT › is 6", "LIMIT = 5", "LIMIT = 6"],
    ["read › never LIMIT", "rows.length > LIMIT", "(rows.length > LIMIT, false)"],
    ["read › never loading", "??=", "="],
    ["reader › always isEmpty", "isEmpty(row)", "(isEmpty(row), true)"],
    ["reader › drop isEmpty", " || isEmpty(row)", ""],
    ["read › drop Error", 'throw new Error("long");', ";"],
    ["read › drop all", ', "all"', ""],
    ["read › drop catch", "catch { return []; }", "catch (error) { throw error; }"],
    ["read › skip slice", "rows.slice(1)", "rows"],
    ["read › skip sort", "sort(rows, LIMIT)", "rows"],
  ])("is removed by its mutation: %s", (guard, from, to) => {
    expect(remove(guard)).toBe(SOURCE.replace(from, () => to));
  });

  it("is found in another layout, and behind other code", () => {
    const source = `const other = 1;\n${SOURCE.replace("rows.length > LIMIT", "\n rows.length\n > LIMIT")}`;
    expect(remove("read › never LIMIT", source)).toContain("> LIMIT, false)");
  });

  it.each([
    ["find › never LIMIT", "there are no such declarations"],
    ["read › never row", "there are no such conditions"],
    ["read › drop return", "lines 6, 6 have such parts; add what one of them has alone"],
    ["read › is 5", "only a variable or property has a value"],
    ["read › remove LIMIT", "give one of is, never, always, drop, skip"],
  ])("that is not one place says what to mend: %s", (guard, mistake) => {
    expect(() => remove(guard)).toThrow(`a.ts › ${guard}: ${mistake}`);
  });

  it("in another language is the line with all words", () => {
    const text = "listen 80;\nauth /a;\nauth off;\n";
    expect(removeGuard(text, "a.conf › drop auth /a;")).toBe("listen 80;\nauth off;\n");
    expect(() => removeGuard(text, "a.conf › drop auth")).toThrow("2 lines have these words");
  });
});

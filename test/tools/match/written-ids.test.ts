import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { CellValue } from "../../../src/contract/workbook";
import { toLetters } from "../../../src/taskpane/addresses";
import { makeChanges } from "../../../src/taskpane/cell-journal";
import { readNames } from "../../../src/tools/match/names-in-cells";
import { planIds } from "../../../src/tools/match/writing";
import { toRuns } from "../../support/property";
import { createFakeWorkbook } from "../../taskpane/fake-workbook";

const NAMES = [
  "Sakura Foods",
  "sakura foods",
  " Sakura Foods ",
  "Aozora, Inc.",
  "青葉",
  "=1+1",
  "'x",
  "7203",
  "",
  "  ",
];
const list = fc.record({
  sheet: fc.constantFrom("Sheet1", "Model", "Sheet5"),
  row: fc.integer({ min: 1, max: 9 }),
  column: fc.nat(4),
  names: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 12 }),
  hints: fc.nat(1),
  decided: fc.uniqueArray(fc.constantFrom(...NAMES)),
});

describe("the ids of matched names", () => {
  it("stand beside the names whose decision shows them, and nowhere else", async () => {
    const law = fc.asyncProperty(list, async ({ sheet, row, column, names, hints, decided }) => {
      const workbook = createFakeWorkbook();
      const toKey = (right: number, down: number) => `${sheet}!${toLetters(column + right)}${row + down}`;
      for (const [at, name] of names.entries()) {
        workbook.cells.set(toKey(0, at), name);
        if (hints === 1) workbook.cells.set(toKey(1, at), `hint ${at}`);
      }
      const before = new Map(workbook.cells);
      const address = `${toLetters(column)}${row}:${toLetters(column + hints)}${row + names.length - 1}`;
      const read = await readNames(
        workbook,
        { sheet, address },
        { signal: new AbortController().signal, progress() {} },
      );
      // A decision shows its name as the list does.
      const ids = new Map(
        read.names
          .filter(({ text }) => decided.some((each) => each.trim() === text))
          .map(({ text }) => [text, `id of ${text}`]),
      );
      await makeChanges(workbook, await planIds(workbook, read, (text) => ids.get(text) ?? null));
      const wanted = new Map<string, CellValue | object>(before as Map<string, CellValue>);
      for (const [at, name] of names.entries()) {
        const isHeading = row + at - 1 < read.area.row;
        const id = isHeading ? undefined : ids.get(name.trim());
        if (id !== undefined) wanted.set(toKey(1 + hints, at), id);
      }
      expect(new Map(workbook.cells)).toEqual(wanted);
    });
    await fc.assert(law, { numRuns: toRuns(60, 500) });
  });
});

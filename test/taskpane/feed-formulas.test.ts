import { expect, it } from "@jest/globals";
import type { DefinedName } from "../../src/contract/workbook";
import { createFeedFormulaReader, isSpilling, readCellCalls } from "../../src/taskpane/feed-formulas";
import { type Given, readFormula } from "../../src/taskpane/formula-text";
import CASES from "./feed-formulas.json";

const read = createFeedFormulaReader(CASES.names as DefinedName[]);

function showGiven(given: Given): string {
  if (given === null) return "";
  if (given.kind === "expression") return "?";
  return given.kind === "cells" ? given.text : String(given.value);
}

type Case = [title: string, formula: string, calls: string[] | null, form?: string];

it.each(CASES.cells as Case[])("the calls of a formula on Model are read: %s", (_, formula, calls, form = "within") => {
  const cell = read(formula, "Model");
  const written = cell && readCellCalls(cell).map(({ name, given }) => [name, ...given.map(showGiven)].join("|"));
  expect(written).toEqual(calls);
  expect(cell !== null && isSpilling(cell)).toBe(form === "spills");
  expect(readFormula(formula)).toMatchObject(form === "single" ? { kind: "call", isSingle: true } : {});
});

it.each(CASES.dead as [string, string, string | null][])("a dead copy is known: %s", (_, formula, live) => {
  const cell = read(formula, "Model");
  expect(cell?.isDead ? cell : null).toEqual(live === null ? null : { formula: live, isDead: true });
  expect(cell?.isDead ? readCellCalls(cell) : []).toEqual([]);
});

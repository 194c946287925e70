import type { Place } from "../../contract/workbook";
import type { FormulaCall } from "../formula-text";
import { showPlace } from "../insert";
import { toReference } from "./values";

/** Whether a formula is given a cell, alone or among others; where it stands, it must not be. */
export function isGivenCell({ given }: FormulaCall, place: Place): boolean {
  const fold = (text: string) => text.replaceAll("'", "").toLowerCase(); // quoted or not, it is the same sheet
  const prefix = fold(showPlace({ ...place, address: "" }));
  return given.some((each) => {
    if (each?.kind !== "cells") return false;
    const reference = fold(toReference(each.text, place.sheet));
    return reference.startsWith(prefix) && isWithin(reference.slice(prefix.length), place.address.toLowerCase());
  });
}

function isWithin(area: string, cell: string): boolean {
  const [from = "", to = from] = area.split(":");
  const [first, last, at] = [readCell(from), readCell(to), readCell(cell)];
  const isBetween = (axis: "row" | "column") =>
    at[axis] >= Math.min(first[axis], last[axis]) && at[axis] <= Math.max(first[axis], last[axis]);
  return isBetween("row") && isBetween("column");
}

/** Columns are numbers to the base of 26, without a zero. */
function readCell(address: string): { row: number; column: number } {
  const [, letters = "", digits = ""] = /^([a-z]+)(\d+)/.exec(address) ?? [];
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0);
  return { row: Number(digits), column };
}

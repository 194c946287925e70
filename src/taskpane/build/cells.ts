import type { Place } from "../../contract/workbook";
import { isTouching, readArea, readPlace } from "../addresses";
import type { FormulaCall } from "../formula-text";

/** Whether a formula is given a cell, alone or among others; where it stands, it must not be. */
export function isGivenCell({ given }: FormulaCall, { sheet, address }: Place): boolean {
  return given.some((each) => {
    if (each?.kind !== "cells") return false;
    const cells = readPlace(each.text);
    const isOnSheet = cells.sheet === "" || cells.sheet.toLowerCase() === sheet.toLowerCase();
    return isOnSheet && isTouching(readArea(cells.address), readArea(address));
  });
}

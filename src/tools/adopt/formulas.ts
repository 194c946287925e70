import { toEnglish } from "../../feed/financials/japanese";
import { toName } from "../../feed/financials/names";
import { toLetters } from "../../taskpane/addresses";
import { type Given, toFormulaText } from "../../taskpane/formula-text";
import type { BlockCell, Label } from "./block";
import { type Hypothesis, yearOf } from "./hypotheses";
import { toUnitArgument } from "./units";

/** The company of a cell as a formula may name it. */
export interface FormulaCompany {
  id: string;
  /** The label that the formula's lookup reads as this company. */
  label: Label;
}

/** Reads a label's text from its cell. */
export type ReadText = (cell: NonNullable<Label["cell"]>) => string;

/** Writes the formula that gives a cell's figure; it refers to the block's labels where a formula reads them. */
export function toCellFormula(
  cell: BlockCell,
  hypothesis: Hypothesis,
  company: FormulaCompany,
  readText: ReadText,
): string {
  const { metric, basis, unit, sign } = hypothesis;
  const given: Given[] = [
    company.label.cell === null ? { kind: "text", value: company.id } : refer(company.label.cell, cell),
    toYear(cell, hypothesis),
    toMetric(cell, metric, readText),
    basis === null ? null : { kind: "text", value: basis },
    toUnit(toUnitArgument(unit)),
  ];
  const formula = toFormulaText({ name: "FINANCIAL", given });
  return sign === 1 ? formula : formula.replace(/^=/, "=-");
}

function toUnit(unit: string | number | null): Given {
  if (unit === null) return null;
  return typeof unit === "number" ? { kind: "number", value: unit } : { kind: "text", value: unit };
}

/** A reference that stays on its row or column when the formula is copied. */
function refer({ row, column }: NonNullable<Label["cell"]>, from: BlockCell): Given {
  const [letters, number] = [toLetters(column), row + 1];
  if (row === from.row) return { kind: "cells", text: `$${letters}${number}` };
  if (column === from.column) return { kind: "cells", text: `${letters}$${number}` };
  return { kind: "cells", text: `$${letters}$${number}` };
}

function toYear(cell: BlockCell, hypothesis: Hypothesis): Given {
  const year = yearOf(cell, hypothesis);
  const isLabel = cell.yearCell !== null && cell.years?.[0] === year;
  return isLabel && cell.yearCell !== null ? refer(cell.yearCell, cell) : { kind: "number", value: year ?? 0 };
}

/** A label is the argument where the formula reads it as the metric: its name, or its Japanese word. */
function toMetric(cell: BlockCell, metric: string, readText: ReadText): Given {
  const text = cell.metricCell === null ? "" : readText(cell.metricCell);
  const read = toEnglish("metric", text);
  const isLabel = !text.includes(",") && typeof read === "string" && toName(read) === toName(metric);
  return isLabel && cell.metricCell !== null ? refer(cell.metricCell, cell) : { kind: "text", value: metric };
}

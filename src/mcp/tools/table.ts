import type { FormulaResult } from "../../refresh/formula-results";
import { type Answer, toFormulaError, toJson } from "../answers";
import type { Work } from "../tool";

/** Calculates one formula. @throws ToolError where its result is an error */
export async function calculateOne(formula: string, { calculate }: Work): Promise<FormulaResult> {
  const [result] = (await calculate(formula)) as [FormulaResult];
  if (result.error !== null) throw toFormulaError(result.error);
  return result;
}

/** Gives a formula's table, whose first row has the names of its columns. */
export async function readTable(title: string, formula: string, work: Work): Promise<Answer> {
  const result = await calculateOne(formula, work);
  const [columns = [], ...rows] = result.rows.map((row) => row.map(toJson));
  return { title, columns: columns.map(String), rows, formulas: [result.formula], asOf: result.asOf };
}

import type { FormulaResult } from "../../refresh/formula-results";
import { type Answer, toFormulaError, toJson } from "../answers";
import type { Work } from "../tool";
import { toInvalid } from "../tool-error";

/** @throws ToolError for an argument that this list does not take: it would be ignored unsaid */
export function refuseOthers(list: string, given: object, taken: readonly string[]): void {
  const other = Object.keys(given).find((name) => !taken.includes(name));
  if (other !== undefined) throw toInvalid(`"${list}" takes no ${other}`, `leave ${other} out`);
}

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

import type { FormulaResult } from "../../refresh/formula-results";
import { type Answer, toFormulaError, toJson } from "../answers";
import type { Work } from "../tool";

/** Gives a formula's table, whose first row has the names of its columns. */
export async function readTable(title: string, formula: string, { calculate }: Work): Promise<Answer> {
  const [result] = (await calculate(formula)) as [FormulaResult];
  if (result.error !== null) throw toFormulaError(result.error);
  const [columns = [], ...rows] = result.rows.map((row) => row.map(toJson));
  return { title, columns: columns.map(String), rows, formulas: [result.formula], asOf: result.asOf };
}

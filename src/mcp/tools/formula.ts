import { type Answer, toFormulaError, toJson } from "../answers";
import { PAGE, type Page } from "../schemas";
import type { Tool } from "../tool";

interface Given extends Page {
  formula: string;
}

/** Runs any formula with FEED in it. */
export const formula: Tool<Given> = {
  name: "run_formula",
  description: "Result of any Excel formula with FEED functions in it, as a cell shows it.",
  properties: {
    formula: {
      type: "string",
      maxLength: 8000,
      description: 'Such as =SUM(FEED.RANKING("2024-01",,3,"totalPageViews",,FALSE))',
    },
    ...PAGE,
  },
  required: ["formula"],
  async run({ formula: written }, { calculate }): Promise<Answer> {
    const [result] = await calculate(written.trim().replace(/^=\s*/, ""));
    if (result === undefined || result.error !== null) throw toFormulaError(result!.error!);
    const rows = result.rows.map((row) => row.map(toJson));
    return { title: "The formula's result", columns: [], rows, formulas: [result.formula], asOf: result.asOf };
  },
};

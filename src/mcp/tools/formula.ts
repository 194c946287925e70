import type { FindFacts, FormulaResult } from "../../refresh/formula-results";
import { type Answer, toJson } from "../answers";
import { PAGE, toTextSchema } from "../schemas";
import type { Tool } from "../tool";
import { calculateOne } from "./table";

interface Given {
  formula: string;
}

/** Runs any formula with FEED in it. */
export const formula: Tool<Given> = {
  name: "run_formula",
  description: "Result of any Excel formula with FEED functions in it, as a cell shows it.",
  properties: {
    formula: toTextSchema('Such as =SUM(FEED.RANKING("2024-01",,3,"totalPageViews",,FALSE))', 8000),
    ...PAGE,
  },
  required: ["formula"],
  async run({ formula: written }, work): Promise<Answer> {
    const result = await calculateOne(written.trim().replace(/^=\s*/, ""), work);
    const { createFindFacts } = await import("../../refresh/formula-results");
    const rows = result.rows.map((row) => row.map(toJson));
    const notes = listNotes(result, createFindFacts(result, work.host.session.feed));
    return { title: "The formula's result", columns: [], rows, formulas: [result.formula], asOf: result.asOf, notes };
  },
};

const MOST_FACTS = 20;

/** Tells what the figures are that a formula shows as they are. */
function listNotes(result: FormulaResult, findFacts: FindFacts): string[] {
  const cells = result.rows.slice(0, MOST_FACTS).flatMap((row, r) => row.map((_, c) => findFacts(r, c)));
  const known = cells.flatMap((facts) => {
    if (facts === null) return [];
    const { year, currency, consolidationType, periodEnd, unit } = facts;
    const amount = [currency, unit ?? "1"].filter((each) => each !== null).join(", unit ");
    const basis = consolidationType ?? "consolidation unknown";
    return [`${year}: ${amount}, ${basis}, period end ${periodEnd ?? "unknown"}`];
  });
  return [...new Set(known)].slice(0, MOST_FACTS).map((each) => `Figures of ${each}.`);
}

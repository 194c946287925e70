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
    const notes = listNotes(result, (each) => createFindFacts(each, work.host.session.feed));
    return { title: "The formula's result", columns: [], rows, formulas: [result.formula], asOf: result.asOf, notes };
  },
};

const MOST_FACTS = 20;

/** Tells what the figures are that a formula shows as they are, else those that it calculates with. */
function listNotes(result: FormulaResult, createFindFacts: (result: FormulaResult) => FindFacts): string[] {
  const list = (each: FormulaResult) => {
    const findFacts = createFindFacts(each);
    return each.rows.flatMap((row, r) => row.flatMap((_, c) => toNote(findFacts(r, c))));
  };
  const own = list(result);
  const parts = result.calls.flatMap((call) => list({ ...result, rows: toValues(call.shown), calls: [call] }));
  const lead = own.length > 0 ? "Figures of" : "Calculated from figures of";
  const notes = [...new Set(own.length > 0 ? own : parts)].map((each) => `${lead} ${each}.`);
  const more = notes.length - MOST_FACTS;
  return more > 0 ? [...notes.slice(0, MOST_FACTS), `Figures of ${more} other kinds too.`] : notes;
}

function toNote(facts: ReturnType<FindFacts>): string[] {
  if (facts === null) return [];
  const { year, currency, consolidationType, periodEnd, unit } = facts;
  const [money, basis] = [toWord(currency, "currency"), toWord(consolidationType, "consolidation")];
  return [`${year}: ${money}, unit ${unit ?? "1"}, ${basis}, period end ${toWord(periodEnd)}`];
}

/** The provider's word; quoted where it may be more than one. */
function toWord(text: string | null, what = ""): string {
  if (text === null) return `${what} unknown`.trim();
  return /^[\w-]{1,30}$/.test(text) ? text : JSON.stringify(text);
}

/** The values of a cell output, as a cell has them. */
function toValues(shown: unknown): FormulaResult["rows"] {
  const rows: readonly (readonly unknown[])[] = Array.isArray(shown) ? shown : [[shown]];
  return rows.map((row) => row.map((each) => Object(each).basicValue ?? each));
}

import { toFormula } from "../formula-text";
import { PAGE, type Page, toTextSchema, toTextsSchema } from "../schemas";
import type { Tool } from "../tool";
import { readTable, refuseOthers } from "./table";

interface Given extends Page {
  show: "ranking" | "trend" | "movers";
  period: string;
  previous?: string;
  of?: string;
  names?: string[];
  measure?: string;
  top?: number;
}

const DEFAULT_TOP = 100;

/** Shows who is looked up most, how that went, and who moved. */
export const rankings: Tool<Given> = {
  name: "get_rankings",
  description:
    "Listed companies or industries of Japan by page views: a ranking of one period, the trend over several, or the movers between two.",
  properties: {
    show: { enum: ["ranking", "trend", "movers"] },
    period: toTextSchema('"2024-03", "-7d", "2024-W12"; of trend several: "-12w", "2024-01:2024-12"', 60),
    previous: toTextSchema("Of movers: the period to compare with; default the one before", 60),
    of: toTextSchema('"companies", "industries", or a type of page such as "NEWS"; default companies', 60),
    names: toTextsSchema("Of trend: tickers, names or ids; default the top of the latest period", 50),
    measure: toTextSchema('To sort by or show, such as "totalPageViews"; default the rank', 60),
    top: { type: "integer", minimum: 1, maximum: 10_000, description: "Default 100" },
    ...PAGE,
  },
  required: ["show", "period"],
  async run({ show, period, of = "companies", offset: _, limit: __, ...given }, work) {
    const { names = [], measure, top = DEFAULT_TOP } = given;
    const isNamed = names.length > 0;
    const byMeasure = KINDS.includes(of) ? ["measure"] : [];
    const taken = { ranking: byMeasure, trend: ["names", "measure"], movers: ["previous", "measure"] };
    refuseOthers(show, given, [...taken[show], ...(isNamed ? [] : ["top"])]);
    const formula = writeFormula({ show, period, of, ...given, top });
    const answer = await readTable(`Page views, ${show} of ${period}`, formula, work);
    const notes = show === "trend" ? [`Each figure is the ${measure ?? "rank"} in its period.`] : [];
    const isCut = !isNamed && answer.rows.length === top;
    return { ...answer, notes: isCut ? [...notes, `Cut at top ${top}: give a larger top for more.`] : notes };
  },
};

const KINDS = ["companies", "industries"];

function writeFormula({ show, period, previous, of, names, measure, top }: Given): string {
  if (show === "trend") return toFormula("RANKING.TREND", [names?.length ? names : `top ${top}`, period, measure, of]);
  if (show === "movers") return toFormula("RANKING.MOVERS", [period, previous, top, of, measure]);
  if (of === "companies") return toFormula("RANKING", [period, undefined, top, undefined, measure]);
  if (of === "industries") return toFormula("RANKING.INDUSTRIES", [period, undefined, top, undefined, measure]);
  return toFormula("RANKING.PAGES", [period, undefined, of, top]);
}

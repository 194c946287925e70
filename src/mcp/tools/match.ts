import type { NameMatch, NameMatches } from "../../feed/names";
import type { FormulaResult } from "../../refresh/formula-results";
import type { Session } from "../../session/session";
import { type Answer, toFormulaError } from "../answers";
import { toFormula } from "../formula-text";
import { COUNTRY, PAGE } from "../schemas";
import type { Tool } from "../tool";

export const CERTAINTIES = "exact and sure mean that company; candidate: only a person may choose.";

interface Given {
  names: string[];
  hints?: string[];
  country?: string;
}

/** Matches a list of names; what is uncertain stays open, with its candidates. */
export const match: Tool<Given> = {
  name: "match_companies",
  description:
    "Company ids for a list of names. companyId is null where certainty is doubtful or none: then a person chooses among the candidates.",
  properties: {
    names: { type: "array", items: { type: "string", maxLength: 200 }, minItems: 1, maxItems: 200 },
    hints: {
      type: "array",
      items: { type: "string" },
      description: "One for each name: ticker, number, website, city or industry; may be empty",
    },
    country: COUNTRY,
    ...PAGE,
  },
  required: ["names"],
  async run({ names, hints, country }, { calculate, host }): Promise<Answer> {
    const [result] = (await calculate(toFormula("COMPANY.MATCH", [names, country, hints]))) as [FormulaResult];
    const matches = readMatches(result, host.session);
    if (matches.length === 0) throw toFormulaError(result.error);
    const columns = ["name", "certainty", "companyId", "companyName", "score", "evidence", "candidates"];
    const found = [...matches]; // of names that are not blank
    const rows = names.map((name) => [name, ...toRow(name.trim() === "" ? undefined : found.shift())]);
    return { title: "Matches", columns, rows, formulas: [result.formula], asOf: result.asOf };
  },
};

function toRow({ state, candidates }: NameMatch = NOBODY): unknown[] {
  const [best] = candidates;
  const isTaken = state === "exact" || state === "sure";
  const others = candidates.map(({ company, score }) => ({
    companyId: company.companyId,
    companyName: company.companyName,
    score,
  }));
  return [
    state,
    isTaken ? best?.company.companyId : null,
    isTaken ? best?.company.companyName : null,
    best?.score ?? null,
    best?.evidence.join(", ") ?? "",
    isTaken ? [] : others,
  ];
}

const NOBODY: NameMatch = { state: "none", candidates: [], alike: 0, isDecided: false, sameAs: null };

/** The matches behind the table of a formula; none where it failed. */
export function readMatches({ calls }: FormulaResult, { feed }: Session): readonly NameMatch[] {
  const [query] = calls.flatMap((call) => call.queries);
  const state = query && feed.queryCache.peek(query);
  return state?.status === "answered" ? (state.answer.value as NameMatches).matches : [];
}

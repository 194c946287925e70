import type { NameMatch, NameMatches } from "../../feed/names";
import type { FormulaResult } from "../../refresh/formula-results";
import type { Session } from "../../session/session";
import { type Answer, toFormulaError } from "../answers";
import { toFormula } from "../formula-text";
import { COUNTRY, PAGE, toTextsSchema } from "../schemas";
import type { Tool } from "../tool";

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
    hints: toTextsSchema("One for each name: ticker, number, website, city or industry; may be empty", 200),
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
    const notes = listUnread(host.session, country);
    return { title: "Matches", columns, rows, formulas: [result.formula], asOf: result.asOf, notes };
  },
};

function toRow(match: NameMatch = NO_MATCH): unknown[] {
  const { state, candidates } = match;
  const [best] = candidates;
  const { companyId = null, companyName = null } = (isCertain(match) && best?.company) || {};
  const others = isCertain(match) ? [] : candidates.map(({ company, score }) => ({ ...toNamed(company), score }));
  return [state, companyId, companyName, best?.score ?? null, best?.evidence.join(", ") ?? "", others];
}

const toNamed = ({ companyId, companyName }: NameMatch["candidates"][number]["company"]) => ({
  companyId,
  companyName,
});

const NO_MATCH: NameMatch = { state: "none", candidates: [], alike: 0, isDecided: false, sameAs: null };

/** Whether the first candidate is the company that was meant. */
export const isCertain = ({ state }: NameMatch): boolean => state === "exact" || state === "sure";

/** Says which companies a search leaves out. */
export const listUnread = ({ feed }: Session, country = "JPN"): string[] =>
  (feed.nameIndexes.state(country).facts?.missing ?? []).map(
    (family) => `Not searched: ${UNREAD[family]} companies, which this client may not read.`,
  );

const UNREAD = { private: "private-market", taxonomy: "classified" };

/** The matches behind the table of a formula; none where it failed. */
export const readMatches = (result: FormulaResult, session: Session): readonly NameMatch[] =>
  readValue<NameMatches>(result, session)?.matches ?? [];

/** The answer to the first query of a formula, with all that the index knows; null where it failed. */
export function readValue<Value>({ calls }: FormulaResult, { feed }: Session): Value | null {
  const [query] = calls.flatMap((call) => call.queries);
  const state = query && feed.queryCache.peek(query);
  return state?.status === "answered" ? (state.answer.value as Value) : null;
}

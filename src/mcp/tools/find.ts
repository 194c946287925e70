import type { FoundNames } from "../../feed/names/lookup";
import type { FormulaResult } from "../../refresh/formula-results";
import { type Answer, toFormulaError } from "../answers";
import { toFormula } from "../formula-text";
import { COUNTRY, PAGE } from "../schemas";
import type { Tool } from "../tool";
import { isCertain, listUnread, readMatches, readValue } from "./match";

interface Given {
  text: string;
  country?: string;
}

const FIELDS = [
  "companyName",
  "companyEnglishName",
  "tickerSymbol",
  "registrationNumber",
  "countryCode",
  "city",
  "industry",
] as const;

/** Finds companies by a text, and says whether one of them is meant for certain. */
export const find: Tool<Given> = {
  name: "find_companies",
  description:
    "Companies by a name in any script, part of it, a ticker or registration number. certainty: exact and sure mean that company; candidate: only a person may choose.",
  properties: { text: { type: "string", minLength: 1, maxLength: 200 }, country: COUNTRY, ...PAGE },
  required: ["text"],
  async run({ text, country }, { calculate, host }): Promise<Answer> {
    const wanted = [toFormula("COMPANY.MATCH", [text, country]), toFormula("COMPANY.FIND", [text, country])] as const;
    const [matched, found] = (await calculate(...wanted)) as [FormulaResult, FormulaResult];
    const [match] = readMatches(matched, host.session);
    if (match === undefined) throw toFormulaError(matched.error ?? found.error);
    const companies = [
      ...match.candidates.map(({ company }) => company),
      ...(readValue<FoundNames>(found, host.session)?.rows ?? []),
    ];
    const byId = new Map(companies.map((company) => [company.companyId, company]));
    if (byId.size === 0) throw toFormulaError(found.error ?? matched.error);
    const first = isCertain(match) ? match.state : "candidate";
    const rows = [...byId.values()].map((company, nth) => [
      ...[company.companyId, nth === 0 ? first : "candidate"],
      ...FIELDS.map((field) => company[field] ?? null),
    ]);
    const uncertain = isCertain(match) ? [] : ["No company is certain: give the person the candidates to choose from."];
    const notes = [...uncertain, ...listUnread(host.session, country)];
    const formulas = [matched.formula, found.formula];
    const columns = ["companyId", "certainty", ...FIELDS];
    return { title: "Companies", columns, rows, formulas, asOf: matched.asOf, notes };
  },
};

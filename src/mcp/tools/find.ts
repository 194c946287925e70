import type { FoundNames } from "../../feed/names/lookup";
import type { FormulaResult } from "../../refresh/formula-results";
import { type Answer, toFormulaError } from "../answers";
import { toFormula } from "../formula-text";
import { COUNTRY, PAGE } from "../schemas";
import type { Tool } from "../tool";
import { CERTAINTIES, readMatches, readValue } from "./match";

interface Given {
  text: string;
  country?: string;
}

const COLUMNS = [
  "companyId",
  "certainty",
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
  description: `Companies by a name in any script, part of it, a ticker or registration number. certainty: ${CERTAINTIES}`,
  properties: { text: { type: "string", minLength: 1, maxLength: 200 }, country: COUNTRY, ...PAGE },
  required: ["text"],
  async run({ text, country }, { calculate, host }): Promise<Answer> {
    const wanted = [toFormula("COMPANY.MATCH", [text, country]), toFormula("COMPANY.FIND", [text, country])] as const;
    const [matched, found] = (await calculate(...wanted)) as [FormulaResult, FormulaResult];
    const [match] = readMatches(matched, host.session);
    if (match === undefined) throw toFormulaError(matched.error ?? found.error);
    const { state, candidates } = match;
    const isTaken = state === "exact" || state === "sure";
    const companies = [
      ...candidates.map(({ company }) => company),
      ...(readValue<FoundNames>(found, host.session)?.rows ?? []),
    ];
    const byId = new Map(companies.map((company) => [company.companyId, company]));
    if (byId.size === 0) throw toFormulaError(found.error ?? matched.error);
    const rows = [...byId.values()].map((company, nth) =>
      COLUMNS.map((column) =>
        column === "certainty" ? (nth === 0 && isTaken ? state : "candidate") : (company[column] ?? null),
      ),
    );
    const notes = isTaken ? [] : ["No company is certain: give the person the candidates to choose from."];
    const formulas = [matched.formula, found.formula];
    return { title: "Companies", columns: COLUMNS, rows, formulas, asOf: matched.asOf, notes };
  },
};

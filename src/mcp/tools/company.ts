import type { FormulaResult } from "../../refresh/formula-results";
import { type Answer, toFormulaError, toJson } from "../answers";
import { toFormula } from "../formula-text";
import { COMPANY, PAGE } from "../schemas";
import type { Tool } from "../tool";

interface Given {
  company: string;
}

/** What the taxonomy knows of a company, listed or private. */
const CLASSIFIED = [
  "companyEnglishName",
  "tickerSymbol",
  "exchangeName",
  "countryName",
  "isPublic",
  "website",
  "foundedYear",
  "primary.sectorName",
  "primary.subSectorName",
  "primary.industryName",
];

/** Shows what is known of a company beside its figures. */
export const company: Tool<Given> = {
  name: "get_company",
  description:
    "Master data of one company: names, address, registration, employees, ticker, industry. No contact data of persons.",
  properties: { company: COMPANY, ...PAGE },
  required: ["company"],
  async run({ company: wanted }, { calculate }): Promise<Answer> {
    const ofCard = toFormula("COMPANY", [wanted]);
    const [card, ...classified] = (await calculate(
      ofCard,
      ...CLASSIFIED.map((field) => toFormula("CLASSIFICATION", [wanted, field])),
    )) as [FormulaResult, ...FormulaResult[]];
    const all = card.error === null ? card.rows : [];
    const own = all.flatMap(([field, cell = null]) => {
      const value = toJson(cell);
      return value === null ? [] : [[field, value, card.formula]];
    });
    const others = classified.flatMap(({ error, rows, formula }, nth) => {
      const value = toJson(rows[0]?.[0] ?? null);
      return error !== null || value === null ? [] : [[CLASSIFIED[nth], value, formula]];
    });
    const [first] = classified;
    if (own.length + others.length === 0) throw toFormulaError(card.error ?? first?.error);
    const asOf = [card, ...classified].flatMap((each) => (each.error === null ? (each.asOf ?? []) : [])).toSorted()[0];
    return {
      title: "Company",
      columns: ["field", "value"],
      rows: [...own, ...others].map(([field, value]) => [field, value]),
      formulas: [...new Set([...own, ...others].map(([, , formula]) => String(formula)))],
      asOf: asOf ?? null,
      notes: card.error === null ? [] : ["It has no private-market record: financials are of private companies only."],
    };
  },
};

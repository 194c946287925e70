import type { FormulaResult } from "../../refresh/formula-results";
import { type Answer, toFormulaError, toJson } from "../answers";
import { toFormula } from "../formula-text";
import { COMPANY, PAGE } from "../schemas";
import type { Tool } from "../tool";

interface Given {
  company: string;
}

/** What the taxonomy knows of a company, listed or private. */
const CLASSIFIED = (
  "companyEnglishName tickerSymbol exchangeName countryName isPublic website foundedYear " +
  "primary.sectorName primary.subSectorName primary.industryName"
).split(" ");

/** Shows what is known of a company beside its figures. */
export const company: Tool<Given> = {
  name: "get_company",
  description:
    "Master data of one company: names, address, registration, employees, ticker, industry. No contact data of persons.",
  properties: { company: COMPANY, ...PAGE },
  required: ["company"],
  async run({ company: wanted }, { calculate }): Promise<Answer> {
    const ofCard = [[wanted], [wanted, "id"]].map((given) => toFormula("COMPANY", given));
    const [card, ofId] = (await calculate(...ofCard)) as [FormulaResult, FormulaResult];
    throwFailure(card);
    // A name may be another company's among the classified.
    const own = readOne(ofId) ?? wanted;
    const classified = await calculate(...CLASSIFIED.map((field) => toFormula("CLASSIFICATION", [own, field])));
    for (const each of classified) throwFailure(each);
    const known = [
      ...(card.error === null ? card.rows : []).map(([field, cell = null]) => [field, toJson(cell), card.formula]),
      ...classified.map((each, nth) => [CLASSIFIED[nth], readOne(each), each.formula]),
    ].filter(([, value]) => value !== null);
    if (known.length === 0) throw toFormulaError(card.error ?? classified[0]?.error);
    const asOf = [card, ...classified].flatMap((each) => (each.error === null ? (each.asOf ?? []) : [])).toSorted()[0];
    return {
      title: "Company",
      columns: ["field", "value"],
      rows: known.map(([field, value]) => [field, value]),
      formulas: [...new Set(known.map(([, , formula]) => String(formula)))],
      asOf: asOf ?? null,
      notes: [card, classified[0]].flatMap((part) => toNote(part?.error ?? null, part === card)),
    };
  },
};

const readOne = ({ error, rows }: FormulaResult) => (error === null ? (toJson(rows[0]?.[0] ?? null) as string) : null);

/** What says that there is no record, or none that this person may read; the rest of the answer holds. */
const ABSENT = ["FEED_NOT_FOUND", "FEED_NO_VALUE", "FEED_SCOPE_MISSING"];

/** @throws ToolError where a part failed: without it, the answer would seem whole */
function throwFailure({ error }: FormulaResult): void {
  if (error !== null && !ABSENT.includes(error.code)) throw toFormulaError(error);
}

function toNote(error: FormulaResult["error"], isCard: boolean): string[] {
  if (error?.code === "FEED_SCOPE_MISSING") return [`Not all is shown: ${JSON.stringify(error.sentence)}.`];
  return error !== null && isCard ? ["It has no private-market record: financials are of private companies only."] : [];
}

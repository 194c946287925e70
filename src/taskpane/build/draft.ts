import type { Place } from "../../contract/workbook";
import { type FormulaCall, readFormula } from "../formula-text";
import type { ChosenCompany } from "../pane";
import { isCompany, isList, toWritingKind } from "./argument-kinds";
import type { Catalogue, FormulaInfo } from "./catalogue";
import { withCompany } from "./company-writing";
import { readWritten, toWritten } from "./written";

/** A cell, and the formula that it held when it was last looked at. */
export interface HeldPlace extends Place {
  formula: string;
}

/** A formula that is being built. */
export interface Draft {
  name: string;
  /** What stands in the fields, by argument. */
  written: Readonly<Record<string, string>>;
  /** The cell that holds it; null for one that stands nowhere yet. */
  place: HeldPlace | null;
  /** Whether a person has changed anything since it was begun or opened. */
  isTouched: boolean;
}

/** What each formula begins with, so that little has to be written until something shows. */
const BEGINNINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  FINANCIAL: { year: "FY0", metric: "Revenue" },
  FINANCIALS: { years: "FY-4:FY0" },
  COMPANIES: { top: "100" },
  FIND: { top: "20" },
  RANKING: { start: "-7d", top: "25" },
  "RANKING.PAGES": { start: "-7d", top: "25" },
  "RANKING.INDUSTRIES": { start: "-7d", top: "25" },
  CONSTITUENTS: { top: "100" },
  UNIVERSE: { top: "100" },
};

/** Arguments that mean the same in another formula, where it goes by another name. */
const NAMESAKES: Readonly<Record<string, string>> = {
  companies: "company",
  company: "companies",
  metrics: "metric",
  metric: "metrics",
  years: "year",
  year: "years",
  fields: "field",
  field: "fields",
};

/** Begins a formula; what a person wrote for another one stays where it has the argument too. */
export function beginDraft(info: FormulaInfo, country: string, before: Pick<Draft, "name" | "written"> = NONE): Draft {
  const beginning = BEGINNINGS[info.name] ?? {};
  const keep = (argument: string) => {
    const text = before.written[argument] ?? "";
    return text === BEGINNINGS[before.name]?.[argument] ? "" : text; // nobody wrote that
  };
  const written = info.parameters.map(({ name, isRequired }) => {
    const stored = keep(name) || keep(NAMESAKES[name] ?? "");
    return [name, stored || (beginning[name] ?? (isRequired && name === "country" ? country : ""))];
  });
  return { name: info.name, written: Object.fromEntries(written), place: null, isTouched: false };
}

const NONE = { name: "", written: {} };

/** Has a formula be of a company too, for another cell than its own; null where it takes none. */
export function ofCompany(draft: Draft, { parameters }: FormulaInfo, { id }: ChosenCompany): Draft | null {
  const argument = parameters.find(({ name }) => isCompany(name))?.name;
  if (argument === undefined) return null;
  const companies = withCompany(draft.written[argument] ?? "", id, isList(argument));
  return { ...draft, written: { ...draft.written, [argument]: companies }, place: null, isTouched: true };
}

/** Opens a cell's formula; null where it is none of these, or cannot be taken apart. */
export function openDraft(catalogue: Catalogue, formula: string, place: Place): Draft | null {
  const reading = readFormula(formula);
  const info = reading.kind === "call" ? catalogue.get(reading.call.name) : undefined;
  if (reading.kind !== "call" || info === undefined) return null;
  const { given } = reading.call;
  if (given.length > info.parameters.length) return null;
  const written = info.parameters.map(({ name }, index) => [
    name,
    toWritten(given[index] ?? null, toWritingKind(name)),
  ]);
  return { name: info.name, written: Object.fromEntries(written), place: { ...place, formula }, isTouched: false };
}

/** The formula as it stands. */
export const toCall = ({ name, written }: Draft, { parameters }: FormulaInfo): FormulaCall => ({
  name,
  given: parameters.map((parameter) => readWritten(written[parameter.name] ?? "", toWritingKind(parameter.name))),
});

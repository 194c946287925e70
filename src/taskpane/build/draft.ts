import { useState } from "react";
import type { Place, Selection } from "../../contract/workbook";
import { showPlace } from "../addresses";
import type { Proposal } from "../Choice";
import {
  closesAll,
  type FormulaCall,
  type Given,
  readArgument,
  readFormula,
  splitArguments,
  toArgumentText,
  toFormulaText,
} from "../formula-text";
import type { HeldPlace } from "../insert";
import { COMPANY_COLUMNS } from "../inserted-columns";
import { type ChosenCompany, type Handoffs, useHandoff, usePane } from "../pane";
import { withCompany } from "../picker/company-writing";
import { followReferences } from "../references";
import type { BuildTexts } from "../texts/build";
import { type Catalogue, FLAGS, type FormulaInfo, type Parameter } from "./catalogue";

/** A formula that is being built. */
export interface Draft {
  name: string;
  /** The fields' texts, by argument. */
  written: Readonly<Record<string, string>>;
  /** The cell that holds it; null for a new formula. */
  place: HeldPlace | null;
  /** Whether the person changed anything since it was begun or opened. */
  isTouched: boolean;
}

/** The first values of each formula, so that a preview shows early, and names before ids. */
const BEGINNINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  FINANCIAL: { year: "FY0", metric: "Revenue" },
  FINANCIALS: { years: "FY-4:FY0" },
  COMPANIES: { top: "100", fields: "Company, Registration number, City, Website, Registered on, Company id" },
  "COMPANY.FIND": { top: "20", fields: "Company, English name, Ticker, Registration number, Company id" },
  RANKING: { start: "-7d", top: "25" },
  "RANKING.PAGES": { start: "-7d", top: "25" },
  "RANKING.INDUSTRIES": { start: "-7d", top: "25" },
  "RANKING.TREND": { names: "top 20", periods: "-12w" },
  "RANKING.MOVERS": { period: "-7d", top: "25" },
  CONSTITUENTS: { top: "100", fields: COMPANY_COLUMNS },
  UNIVERSE: { top: "100", fields: COMPANY_COLUMNS },
  PEERS: { fields: COMPANY_COLUMNS },
};

/** Arguments with the same meaning under another name in other formulas. */
const NAMESAKES = [
  ["company", "companies"],
  ["metric", "metrics"],
  ["year", "years"],
  ["field", "fields"],
];

const findNamesake = (argument: string): string =>
  NAMESAKES.find((names) => names.includes(argument))?.find((each) => each !== argument) ?? "";

/** Begins a formula; arguments that it shares with the one before keep their texts. */
function beginDraft(info: FormulaInfo, country: string, before: Pick<Draft, "name" | "written"> = NONE): Draft {
  const beginning = BEGINNINGS[info.name] ?? {};
  const carryOver = (argument: string) => {
    const text = before.written[argument] ?? "";
    return text === BEGINNINGS[before.name]?.[argument] ? "" : text; // a first value, not the person's text
  };
  const written = info.parameters.map(({ name, isRequired }) => {
    const stored = carryOver(name) || carryOver(findNamesake(name));
    return [name, stored || (beginning[name] ?? (isRequired && name === "country" ? country : ""))];
  });
  return { name: info.name, written: Object.fromEntries(written), place: null, isTouched: false };
}

const NONE = { name: "", written: {} };

/** Adds a company to a formula, for a new cell; null where the formula takes no company. */
function ofCompany(draft: Draft, { parameters }: FormulaInfo, { id }: ChosenCompany): Draft | null {
  const argument = parameters.find(({ name }) => isCompany(name))?.name;
  if (argument === undefined) return null;
  const companies = withCompany(draft.written[argument] ?? "", id, isList(argument));
  return { ...draft, written: { ...draft.written, [argument]: companies }, place: null, isTouched: true };
}

/** Opens a cell's formula; null where it is not in the catalogue or cannot be parsed. */
function openDraft(catalogue: Catalogue, formula: string, place: Place): Draft | null {
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

/** Writes the cells of a sheet so that the formula reads them from another sheet, too. */
export function onSheet(call: FormulaCall, sheet: string, other: string): FormulaCall {
  if (sheet === other) return call;
  const reading = readFormula(followReferences(toFormulaText(call), sheet, other) ?? "");
  if (reading.kind !== "call") return call;
  return { name: call.name, given: call.given.map((_, index) => reading.call.given[index] ?? null) };
}

const NUMBERS = ["year", "years", "top", "unit"];
const LISTS = ["companies", "names", "periods", "metrics", "fields", "basis"];

/** Arguments that often stand in cells besides those that take a range. */
const IN_CELLS = ["company", "start", "end", "period", "previous", "text", "node"];

/** How an argument's field reads plain text. */
export function toWritingKind(argument: string): WritingKind {
  if (NUMBERS.includes(argument)) return "number";
  return FLAGS.includes(argument) ? "flag" : "text";
}

/** Whether an argument names companies. */
export const isCompany = (argument: string): boolean => argument === "company" || argument === "companies";

/** Whether an argument takes several values with commas between them. */
export const isList = (argument: string): boolean => LISTS.includes(argument);

/** Whether an argument's field offers the selected cells. */
export const mayBeSelected = ({ name, isRange }: Parameter): boolean => isRange || IN_CELLS.includes(name);

/** The proposals of functions.json for an argument, else those of its kind. */
export function listProposals({ name, proposals }: Parameter, texts: BuildTexts, nowMs: number): Proposal[] {
  if (proposals.length > 0) return [...proposals];
  if (FLAGS.includes(name)) return [{ value: "TRUE" }, { value: "FALSE" }];
  if (name === "top") return ["10", "25", "50", "100", "1000", "all"].map((value) => ({ value }));
  if (name === "year" || name === "years") return listYears(texts, new Date(nowMs).getUTCFullYear());
  return name === "start" || name === "period" ? listNamed(texts.rangeNames) : [];
}

function listYears({ yearNames }: BuildTexts, thisYear: number): Proposal[] {
  return [...listNamed(yearNames), ...[1, 2, 3, 4, 5].map((back) => ({ value: String(thisYear - back) }))];
}

const listNamed = (names: Readonly<Record<string, string>>): Proposal[] =>
  Object.entries(names).map(([value, name]) => ({ value, name }));

/** The formula that a new form begins with. */
const FIRST = "FINANCIAL";

/**
 * The formula that is being built. The selected cell's formula replaces it while nothing has been changed.
 *
 * @param selection the selection; null while it is unknown
 */
export function useDraft(catalogue: Catalogue, handoff: Handoffs["build"] | undefined, selection: Selection | null) {
  const { country } = usePane().session.settings;
  const [draft, setDraft] = useState(() => begin(catalogue, country));
  useHandoff(handoff, (wanted) => setDraft((before) => take(catalogue, country, before, wanted)));
  const [seen, setSeen] = useState<Selection | null>(null);
  const selected = selection && openSelected(catalogue, selection);
  if (selection !== seen) {
    setSeen(selection);
    if (selected && !draft.isTouched) setDraft(selected);
  }
  const isOpen =
    draft.place !== null && selected?.place != null && showPlace(draft.place) === showPlace(selected.place);
  return {
    draft,
    /** The formula of the active cell, where it is another one. */
    offered: selected !== null && !isOpen ? selected : null,
    open: setDraft,
    change: (argument: string, text: string) =>
      setDraft((before) => ({ ...before, written: { ...before.written, [argument]: text }, isTouched: true })),
    choose(name: string) {
      const info = catalogue.get(name);
      if (info === undefined) return;
      setDraft((before) => ({ ...beginDraft(info, country, before), place: before.place, isTouched: true }));
    },
    /** Records the cell that now holds the formula. */
    settle: (place: HeldPlace) => setDraft((before) => openDraft(catalogue, place.formula, place) ?? before),
    startAnew: () => setDraft(begin(catalogue, country)),
  };
}

function begin(catalogue: Catalogue, country: string, before?: Draft): Draft {
  const first = catalogue.get(FIRST) ?? [...catalogue.values()][0];
  if (first === undefined) throw new Error("there are no formulas");
  return beginDraft(first, country, before);
}

/** Opens the hand-off's formula, or adds its company to the present formula where possible. */
function take(catalogue: Catalogue, country: string, before: Draft, handoff: Handoffs["build"]): Draft {
  if ("formula" in handoff)
    return { ...(openDraft(catalogue, handoff.formula, handoff.place) ?? before), isTouched: true };
  const toDraft = (draft: Draft) => ofCompany(draft, catalogue.get(draft.name) as FormulaInfo, handoff.company);
  return toDraft(before) ?? toDraft(begin(catalogue, country, before)) ?? before;
}

const openSelected = (catalogue: Catalogue, { sheet, cell, formula }: Selection): Draft | null =>
  openDraft(catalogue, formula, { sheet, address: cell });

/** How a field reads plain text. */
export type WritingKind = "number" | "flag" | "text";

/**
 * Parses a field's text: a plain value, or after an equals sign an expression such as
 * `=A2:A20`. An empty text is an argument left out.
 */
export function readWritten(written: string, kind: WritingKind): Given {
  const text = written.trim();
  if (text === "") return null;
  if (text.startsWith("=")) return readArgument(text.slice(1));
  const isCanonical = text === String(Number(text));
  if (kind === "number" && isCanonical && Number.isFinite(Number(text))) return readArgument(text);
  if (kind === "flag" && /^(true|false)$/i.test(text)) return readArgument(text);
  return { kind: "text", value: text };
}

/** Writes an argument as a field's text: plain where that reads back the same, else as an expression. */
export function toWritten(given: Given, kind: WritingKind): string {
  if (given === null) return "";
  const plain = given.kind === "text" ? given.value : toArgumentText(given);
  return isSame(readWritten(plain, kind), given) ? plain : `=${toArgumentText(given)}`;
}

const isSame = (one: Given, other: Given): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether an argument keeps a formula intact: brackets and quotes are closed, and it is one argument. */
export function isSound(given: Given): boolean {
  if (given?.kind !== "expression") return true;
  return closesAll(given.text) && splitArguments(given.text).length === 1;
}

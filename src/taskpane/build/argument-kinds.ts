import type { Proposal } from "../Choice";
import type { Texts } from "../texts";
import type { Parameter } from "./catalogue";
import type { WritingKind } from "./written";

const NUMBERS = ["year", "years", "top", "unit"];
const FLAGS = ["headers", "allindustries"];
const LISTS = ["companies", "metrics", "fields", "basis"];

/** Arguments that often stand in cells besides those that take a range. */
const IN_CELLS = ["company", "start", "end", "text", "node"];

/** What plain writing in an argument's field means. */
export function toWritingKind(argument: string): WritingKind {
  if (NUMBERS.includes(argument)) return "number";
  return FLAGS.includes(argument) ? "flag" : "text";
}

/** Whether it names companies, which a person looks for by name. */
export const isCompany = (argument: string): boolean => argument === "company" || argument === "companies";

/** Whether it may be several values with commas between them. */
export const isList = (argument: string): boolean => LISTS.includes(argument);

/** Whether it is offered to take what is selected. */
export const mayBeSelected = ({ name, isRange }: Parameter): boolean => isRange || IN_CELLS.includes(name);

/** What an argument may be: what Excel is told of it, else what goes for its kind. */
export function listProposals({ name, proposals }: Parameter, texts: Texts["ofBuild"], nowMs: number): Proposal[] {
  if (proposals.length > 0) return [...proposals];
  if (FLAGS.includes(name)) return [{ value: "TRUE" }, { value: "FALSE" }];
  if (name === "top") return ["10", "25", "50", "100", "1000", "all"].map((value) => ({ value }));
  if (name === "year" || name === "years") return listYears(texts, new Date(nowMs).getUTCFullYear());
  return name === "start" ? listNamed(texts.rangeNames) : [];
}

function listYears({ yearNames }: Texts["ofBuild"], thisYear: number): Proposal[] {
  return [...listNamed(yearNames), ...[1, 2, 3, 4, 5].map((back) => ({ value: String(thisYear - back) }))];
}

const listNamed = (names: Readonly<Record<string, string>>): Proposal[] =>
  Object.entries(names).map(([value, name]) => ({ value, name }));

import { type ReactNode, useCallback } from "react";
import { findClosest } from "../client/closest";
import type { Call } from "../session/calls";
import { FLAGS, type FormulaInfo, loadCatalogue, type Parameter } from "./build/catalogue";
import type { Proposal } from "./Choice";
import type { FormulaCall } from "./formula-text";
import { useLook } from "./layout";
import { usePane } from "./pane";
import { useLoaded } from "./query";
import type { Texts } from "./texts";

interface ArgumentOrderProps {
  /** Formulas with their arguments in order, as the host passed them or as their text has them. */
  calls: readonly Pick<Call | FormulaCall, "name" | "given">[];
  /** Shown where the order is not at fault; default nothing. */
  otherwise?: ReactNode;
}

/** Says which argument a formula lacks, or which one has another's value, with the order of all. */
export function ArgumentOrder({ calls, otherwise = null }: ArgumentOrderProps) {
  const { session, texts } = usePane();
  const look = useLook();
  const load = useCallback(() => loadCatalogue(session.ports, texts.language), [session, texts]);
  const catalogue = useLoaded(load);
  const [said] = calls.flatMap(({ name, given }) => {
    const info = catalogue?.get(name);
    return (info && toMistake(info, Object.values(given), texts.ofFixes)) ?? [];
  });
  return said === undefined ? otherwise : <div className={look.breaking}>{said}</div>;
}

/** What is wrong with the order of a formula's arguments, in words; null where nothing is. */
function toMistake(info: FormulaInfo, given: readonly unknown[], texts: Texts["ofFixes"]): string | null {
  const { name, parameters } = info;
  const order = `${name}(${parameters.map((each) => (each.isRequired ? each.name : `[${each.name}]`)).join(", ")})`;
  const lacking = parameters.filter(({ isRequired }, at) => isRequired && (given[at] ?? null) === null);
  if (lacking.length > 0) return texts.lacking(lacking.map((each) => each.name).join(texts.comma), order);
  const places = parameters.map((own, at) => ({ own, written: readOnly(given[at]) }));
  const unfit = places.filter(({ own, written }) => !FREE.includes(own.name) && findMeant(own, written) === null);
  const misplaced = unfit.flatMap(({ written }) =>
    unfit.map(({ own }) => ({ own, written, meant: findMeant(own, written) })),
  );
  const found = misplaced.find(({ meant }) => meant !== null);
  return found?.meant ? texts.misplaced(String(found.written), found.own.name, found.meant, order) : null;
}

/** Arguments that take any text or number. */
const FREE = ["company", "companies", "names", "text", "hints", "identifier", "node", "parent"];

/** The single value of an argument; null for none, or several. */
function readOnly(given: unknown): Written {
  const [only, ...others] = [given].flat(2);
  const value = Object(only).value ?? only; // as a formula's text has it
  return others.length === 0 && ["string", "number", "boolean"].includes(typeof value) ? value : null;
}

type Written = string | number | boolean | null;

/** Share of a value's letters that may be misspelt. */
const MOST_EDITED = 1 / 4;

/** Gives what a value means as an argument: the accepted value with this text or name; null where it cannot be one. */
function findMeant({ name, proposals }: Parameter, written: Written): string | null {
  if (written === null || written === "") return null;
  if (typeof written === "boolean") return FLAGS.includes(name) ? String(written).toUpperCase() : null;
  const number = Number(written);
  if (typeof written === "number" || Number.isInteger(number)) {
    const [least = 1, most = 0] = NUMBERS[name] ?? [];
    return number >= least && number <= most ? String(number) : null;
  }
  const called = ({ value, name: named = "" }: Proposal) => [value, named];
  const meant = written.split(",").map((part) => {
    const [closest = ""] = findClosest(part.trim(), proposals.flatMap(called), MOST_EDITED);
    const found = proposals.filter((each) => closest !== "" && called(each).includes(closest));
    return found.length === 1 ? found[0]?.value : undefined;
  });
  return meant.includes(undefined) ? null : meant.join(",");
}

const YEARS = [1900, 2999];
/** The least and the most of arguments that take whole numbers. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = { year: YEARS, years: YEARS, top: [1, 1000] };

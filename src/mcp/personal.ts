import { COMPANY_FIELDS } from "../feed/field-tables";
import { isCalled } from "../feed/fields";
import type { FunctionsMetadata, Outcome } from "../playground/custom-functions";
import type { Formulas } from "../refresh/engine";

const PERSONAL = COMPANY_FIELDS.filter(({ isPersonal }) => isPersonal);
const OF_PERSONS = "representatives.";
const PUBLIC = ["fullname", "role"];

/** Whether a field is, or may be, contact data of a person: of a representative only name and role are known to be none. */
export function isPersonal(name: string): boolean {
  const written = name.trim().toLowerCase();
  if (written.startsWith(OF_PERSONS)) return !PUBLIC.includes(written.slice(OF_PERSONS.length));
  return PERSONAL.some((field) => isCalled(field, written) || isCalled(field, OF_PERSONS + written));
}

const REFUSED: Outcome = {
  kind: "error",
  code: "#VALUE!",
  message: "FEED_ARGUMENT_INVALID: contact data of persons are not given to assistants; enter the formula in Excel",
};

/** Gives a runtime whose formulas refuse contact data of persons before they ask for it, however a formula names it. */
export function refusePersonal(runtime: Formulas["runtime"], { functions }: FunctionsMetadata): Formulas["runtime"] {
  const places = new Map(
    functions.map(({ name, parameters }) => [name, parameters.findIndex((each) => /^fields?$/.test(each.name))]),
  );
  return {
    beginCell: (cell) => runtime.beginCell(cell),
    commit: () => runtime.commit(),
    call(name, given, cell) {
      const fields = [given[places.get(name.toUpperCase()) ?? -1]].flat(2);
      const names = fields.flatMap((each) => (typeof each === "string" ? each.split(",") : []));
      return names.some(isPersonal) ? REFUSED : runtime.call(name, given, cell);
    },
  };
}

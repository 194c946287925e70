import { INDUSTRY_RANKING_FIELDS, RANKING_FIELDS } from "../field-tables";
import { type Field, isMeasure } from "../fields";

/**
 * Fields of what two rankings say of a company or industry: those of a ranking, what they were before, and how they
 * changed. `change.rank` counts places gained, and `growth` is a share of the number before.
 */
function toMoverFields(fields: readonly Field[]): readonly Field[] {
  const [rank, ...others] = fields;
  return [
    rank as Field,
    { name: "previous.rank", header: "Previous rank", kind: "number" },
    { name: "change.rank", header: "Places gained", kind: "number" },
    { name: "status", header: "Status", kind: "text" },
    ...others.flatMap((field) => (isMeasure(field) ? toChanges(field) : [field])),
  ];
}

const toChanges = (measure: Field): Field[] => {
  const { name, header } = measure;
  return [
    measure,
    { ...measure, name: `previous.${name}`, header: `Previous ${header.toLowerCase()}` },
    { ...measure, name: `change.${name}`, header: `${header}: change` },
    { name: `growth.${name}`, header: `${header}: growth`, kind: "share" },
  ];
};

/** Fields of a company in two rankings. */
export const COMPANY_MOVER_FIELDS = toMoverFields(RANKING_FIELDS);

/** Fields of an industry in two rankings. */
export const INDUSTRY_MOVER_FIELDS = toMoverFields(INDUSTRY_RANKING_FIELDS);

import type { Signature } from "./formula-signatures";

export const COMPANY_ID = "00000000-0000-4000-8000-00000000000a";

/** A valid value for each argument, for tests of the other ones. */
export const VALID_ARGUMENTS: Readonly<Record<string, unknown>> = {
  allindustries: true,
  basis: "CONSOLIDATED",
  by: "totalPageViews",
  companies: [[COMPANY_ID]],
  company: COMPANY_ID,
  country: "JPN",
  end: "2024-01-31",
  field: "id",
  fields: [["all"]],
  headers: false,
  hints: [["Nagoya"]],
  identifier: "5010401012345",
  layout: "long",
  level: "industry",
  measure: "totalPageViews",
  metric: [["Revenue"]],
  metrics: [["Revenue"]],
  names: [["7203"]],
  node: "N1",
  pagetype: "NEWS",
  parent: "N1",
  period: "2024-02",
  periods: [["2024-01:2024-03"]],
  previous: "2024-01",
  ranking: "companies",
  sheet: "Model",
  sort: "companyName",
  start: "2024-01",
  text: "aoba",
  top: 5,
  type: "ALL",
  unit: "k",
  what: "version",
  year: [[2023]],
  years: [["2023"]],
};

/** Valid values for required arguments, and the given one for one argument. */
export const toParameters = ({ parameters }: Signature, name: string, value: unknown) =>
  parameters.map((each) => (each.name === name ? value : each.isOptional ? null : VALID_ARGUMENTS[each.name]));

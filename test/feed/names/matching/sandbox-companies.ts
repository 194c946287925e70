import { mergeRows, NAME_COLUMNS, type NameRow, pickColumn, toNameRow } from "../../../../src/feed/names/rows";
import { createNameIndex, type NameIndex } from "../../../../src/feed/names/search";
import { createCompany } from "../../../../src/sandbox/data/companies";
import { createUniverse } from "../../../../src/sandbox/data/universe";

const SEED = 1;
const COMPANIES = 5_000;

/**
 * Takes from the names what tells listed companies from private ones: the names were measured where nearly every company
 * has a namesake.
 */
const toMeasured = (row: NameRow): NameRow =>
  row.map((value, column) =>
    NAME_COLUMNS[column]?.endsWith("Name") ? value.replace(" International", "").replace(" Kyoto", " Tokyo") : value,
  );

/** The sandbox's companies as the index of names has them: 5,000 private ones and all listed ones. */
export function createSandboxRows(): NameRow[] {
  const universe = createUniverse(SEED, COMPANIES);
  const classified = universe.positions().map((position) => {
    const company = universe.createTaxonomyCompany(position);
    return toNameRow("taxonomy", { ...company }, company.countryCode ?? "ALL");
  });
  const privates = Array.from({ length: COMPANIES }, (_, index) => {
    const company = createCompany(SEED, index);
    return toNameRow("private", { ...company }, company.registeredAddress?.country ?? "ALL");
  });
  return mergeRows([...classified, ...privates].filter((row) => row !== null)).map(toMeasured);
}

/** The indexes of these rows: one of all countries, and one a country, made at its first use. */
export function createIndexes(rows: readonly NameRow[]): (country: string) => NameIndex {
  const made = new Map<string, NameIndex>();
  return (country) => {
    const within = rows.filter((row) => country === "ALL" || pickColumn(row, "countryCode") === country);
    const index = made.get(country) ?? createNameIndex(within);
    made.set(country, index);
    return index;
  };
}

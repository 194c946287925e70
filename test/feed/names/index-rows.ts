import { type MatchedName, matchNames } from "../../../src/feed/names/matching/match";
import { NAME_COLUMNS, type NameRow, pickColumn } from "../../../src/feed/names/rows";
import { createNameIndex, type NameIndex } from "../../../src/feed/names/search";

/** What an index knows of a company; the rest is empty. */
export type Facts = Partial<Record<(typeof NAME_COLUMNS)[number], string>>;

export const toRow = (companyId: string, facts: Facts): NameRow => {
  const row: Facts = { companyId, families: "taxonomy, private", countryCode: "JPN", ...facts };
  return NAME_COLUMNS.map((name) => row[name] ?? "");
};

/** An index of companies by their ids. */
export const createIndexOf = (companies: Readonly<Record<string, Facts>>): NameIndex =>
  createNameIndex(Object.entries(companies).map(([companyId, facts]) => toRow(companyId, facts)));

export const listIds = (rows: readonly NameRow[]): string[] => rows.map((row) => pickColumn(row, "companyId"));

/** The state of a name and the id of its first candidate. */
export async function matchIn(index: NameIndex, name: string, ...hints: string[]): Promise<[string, string]> {
  const [{ state, candidates }] = (await matchNames(index, [{ name, hints }])) as [MatchedName];
  return [state, listIds(candidates.map(({ row }) => row))[0] ?? ""];
}

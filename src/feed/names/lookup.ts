import { NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { List } from "../pages";
import { describeCandidates, MOST_CANDIDATES, toShort } from "./candidates";
import type { IndexFacts, NameEngine } from "./engine";
import type { NameIndexes } from "./indexes";
import { type NameSource, pickColumn, toTableRow } from "./rows";
import type { Found } from "./search";

interface Lookup {
  text: string;
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
}

/** More rows do not fit into a cell's result, with any fields. */
const MOST_ROWS = 50_000;

/** Companies that match a text. */
export interface FoundNames extends List {
  /** How many companies of other families than the wanted one match as well as these. */
  leftOut: number;
}

/**
 * Gives the companies that match a text, in the engine's order; of one family only where one is given, and "exact"
 * for those that have it as their name or number.
 *
 * @throws NoValueError (FEED_NO_VALUE where none matches, FEED_RESULT_TOO_LARGE); the errors of `NameIndexes.need`
 */
export async function findCompanies(
  indexes: NameIndexes,
  engine: NameEngine,
  { text, country, wanted, family }: Lookup & { wanted: number | "all" | "exact"; family: NameSource | undefined },
): Promise<FoundNames> {
  const { key, facts } = await indexes.need(country);
  if (wanted === "exact") return toFoundNames(await engine.match(key, text, family));
  const most = wanted === "all" ? MOST_ROWS : wanted;
  if (family !== undefined) return toFoundNames(await engine.searchFamily(key, text, most, family));
  const found = await engine.search(key, text, most);
  if (found.total === 0) throw toNobody(text, country, facts);
  if (wanted === "all" && found.total > MOST_ROWS) throw toTooMany(text, found.total);
  return { ...toFoundNames(found), leftOut: 0 };
}

const toFoundNames = ({ rows, total }: Found): FoundNames => ({
  rows: rows.map(toTableRow),
  expected: rows.length,
  leftOut: total - rows.length,
});

/**
 * Gives the id of the one company that a text names; an exact match comes before others.
 *
 * @throws NoValueError (FEED_NO_VALUE where none matches, FEED_AMBIGUOUS with candidates); the errors of
 *   `NameIndexes.need`
 */
export async function findId(indexes: NameIndexes, engine: NameEngine, { text, country }: Lookup): Promise<string> {
  const { key, facts } = await indexes.need(country);
  const exact = await engine.match(key, text);
  const found = exact.total > 0 ? exact : await engine.search(key, text, MOST_CANDIDATES);
  if (found.total === 0) throw toNobody(text, country, facts);
  const [only] = found.rows;
  if (only !== undefined && found.total === 1) return pickColumn(only, "companyId");
  throw toSeveral(text, found);
}

function toNobody(text: string, country: string, { missing }: IndexFacts): NoValueError {
  const [first, second] = missing.map((family) => (family === "private" ? msg`private-market` : msg`classified`));
  const left = second === undefined ? first : msg`${first} and ${second}`;
  const reason = left === undefined ? "" : msg` (without ${left} companies, which this client may not read)`;
  return new NoValueError(
    "FEED_NO_VALUE",
    country === "ALL"
      ? msg`no company fits "${toShort(text)}"${reason}; try a shorter part of the name or another spelling`
      : msg`no company of ${country} fits "${toShort(text)}"${reason}; try a shorter part of the name, another spelling, or "ALL" as country`,
  );
}

function toTooMany(text: string, total: number): NoValueError {
  return new NoValueError(
    "FEED_RESULT_TOO_LARGE",
    msg`${total} companies fit "${toShort(text)}"; give more of the name, or top`,
  );
}

function toSeveral(text: string, { rows, total }: Found): NoValueError {
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${toShort(text)}" fits ${total} companies: ${describeCandidates(rows, total)}; use a ticker, registration number or id, or more of the name`,
  );
}

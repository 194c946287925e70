import { NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { List } from "../pages";
import type { NamedCompany } from "../resolutions";
import { describeCandidates, MOST_CANDIDATES, toShort } from "./candidates";
import { readCountryPrefix } from "./country-prefix";
import type { IndexFacts, NameEngine } from "./engine";
import type { NamingContext } from "./naming";
import type { Writing } from "./ready-texts";
import { readResolved } from "./resolved";
import { listNames, type NameSource, pickColumn, toTableRow } from "./rows";
import type { Found } from "./search";
import { findClosest, toUnknownName } from "./unknown-name";

/** The number of companies wanted, or which: those with exactly the name, or those that a person may have meant. */
export type Wanted = number | "all" | "exact" | "candidates";

/** More rows do not fit into a cell's result, with any fields. */
const MOST_ROWS = 50_000;

/** Companies that match a text. */
export interface FoundNames extends List {
  /** How many companies of other families than the wanted one match as well as these. */
  leftOut: number;
}

/**
 * Gives the companies that match a text, in the engine's order; of one family only where one is given. "exact" gives
 * those that have it as their name or number; "candidates" at most five of these where there are several, else of those
 * that match, else the closest.
 *
 * @throws NoValueError (FEED_NO_VALUE where none matches, FEED_RESULT_TOO_LARGE); the errors of `NameIndexes.need`
 */
export async function findCompanies(
  { indexes, engine }: Pick<NamingContext, "indexes" | "engine">,
  named: NamedCompany,
  wanted: Wanted,
  family: NameSource | undefined,
): Promise<FoundNames> {
  const { text, country } = readCountryPrefix(named.name, named.country);
  const { key, facts } = await indexes.need(country);
  if (wanted === "exact") return toFoundNames(await engine.match(key, text, family));
  if (wanted === "candidates") return toFoundNames(await findCandidates(engine, key, text, family));
  const most = wanted === "all" ? MOST_ROWS : wanted;
  if (family !== undefined) return toFoundNames(await engine.searchFamily(key, text, most, family));
  const found = await engine.search(key, text, most);
  if (found.total === 0) throw toNobody(text, country, facts);
  if (wanted === "all" && found.total > MOST_ROWS) throw toTooMany(text, found.total);
  return { ...toFoundNames(found), leftOut: 0 };
}

async function findCandidates(engine: NameEngine, key: string, text: string, family?: NameSource): Promise<Found> {
  const exact = await engine.match(key, text, family);
  if (exact.total > 1) return toFew(exact);
  const search = () => engine.search(key, text, MOST_CANDIDATES);
  const found = family === undefined ? await search() : await engine.searchFamily(key, text, MOST_CANDIDATES, family);
  return toFew(found.rows.length > 0 ? found : { rows: await findClosest(engine, key, text, family), total: 0 });
}

function toFew({ rows }: Found): Found {
  const few = rows.slice(0, MOST_CANDIDATES);
  return { rows: few, total: few.length };
}

const toFoundNames = ({ rows, total }: Found): FoundNames => ({
  rows: rows.map(toTableRow),
  expected: rows.length,
  leftOut: total - rows.length,
});

/**
 * Gives the id of the one company that has a text as its whole name or number: the workbook's own, else the index's,
 * which is recorded for the workbook. A part of a name means nobody, even if it is one company's alone.
 *
 * @throws NoValueError (FEED_NO_VALUE with the closest where none matches, or where none is meant; FEED_AMBIGUOUS with candidates); the errors
 *   of `NameIndexes.need`
 */
export async function findId(
  { indexes, engine, resolutions }: Pick<NamingContext, "indexes" | "engine" | "resolutions">,
  named: NamedCompany,
): Promise<string> {
  const kept = resolutions.find(named);
  if (kept !== null) return readResolved(kept);
  const written = readCountryPrefix(named.name, named.country);
  const { key, facts } = await indexes.need(written.country);
  const exact = await engine.match(key, written.text);
  const found = exact.total > 0 ? exact : await engine.search(key, written.text, MOST_CANDIDATES);
  const writing = { engine, key, resolutions, named, written, readsNumbers: false, marksFigureless: false };
  if (found.total > 1) throw await toSeveral(writing, found);
  const [only] = exact.rows;
  if (only === undefined) throw await toUnknownName(writing, indexes, facts.missing.length > 0);
  const companyId = pickColumn(only, "companyId");
  resolutions.record({ ...named, companyId, companyName: listNames(only)[0] ?? companyId });
  return companyId;
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

async function toSeveral(writing: Writing, { rows, total }: Found): Promise<NoValueError> {
  const { named } = writing;
  const candidates = await describeCandidates(writing, rows, total);
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${toShort(named.name)}" fits ${total} companies: ${candidates}; choose one in the FEED pane, or put one of the quoted texts in place of the name`,
    { named },
  );
}

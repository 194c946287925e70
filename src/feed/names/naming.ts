import { hasCode, NoValueError } from "../../client/errors";
import { mayBeNumber } from "../../client/ids";
import { joined, msg } from "../../client/messages";
import type { LoadContext, QueryCache } from "../query-cache/types";
import type { Registrations } from "../registrations";
import type { Route } from "../registrations/evidence";
import type { NamedCompany, Resolutions } from "../resolutions";
import { describeCompany, isCompany, pickOfFamily, readResolved, toSeveral } from "./candidates";
import { type PrefixedName, readCountryPrefix } from "./country-prefix";
import type { IndexFacts, NameEngine } from "./engine";
import type { NameIndexes } from "./indexes";
import { listNames, type NameSource, pickColumn } from "./rows";
import { toUnknownName } from "./unknown-name";

export interface NamingContext {
  registrations: Registrations;
  resolutions: Resolutions;
  indexes: NameIndexes;
  engine: NameEngine;
  queryCache: QueryCache;
}

/** What of it finds a name in indexes that are at hand. */
export type NamesAtHand = Pick<NamingContext, "indexes" | "engine" | "resolutions">;

/**
 * Finds the company that a name or ticker means, alone or behind a country as in "JPN:7203". Without a country it may
 * also be a registration number, which the provider knows. Of several companies of a name, the only one of the family of
 * data that is asked for is meant. What the index gives is recorded for the workbook.
 *
 * @throws NoValueError (FEED_AMBIGUOUS with candidates, FEED_NO_VALUE with the closest, FEED_INDEX_NOT_READY);
 *   RequestError (FEED_SCOPE_MISSING …)
 */
export async function resolveName(
  context: NamingContext,
  company: NamedCompany,
  { route, family }: { route: Route; family: NameSource },
  loading: LoadContext,
): Promise<string> {
  const { indexes, engine, resolutions } = context;
  const known = resolutions.find(company, family);
  if (known !== null) return readResolved(known);
  const written = readCountryPrefix(company.name, company.country);
  const byNumber =
    written.isBare && mayBeNumber(written.text) ? await findByNumber(context, company, written, route, loading) : null;
  if (byNumber !== null) return byNumber;
  const { key, facts } = await indexes.need(written.country);
  const kept = resolutions.find(company, family); // the workbook's may have come meanwhile
  if (kept !== null) return readResolved(kept);
  const found = await engine.match(key, written.text);
  const marksFigureless = marksFigurelessBy(facts, route);
  const writing = { engine, key, resolutions, named: company, written, readsNumbers: true, marksFigureless };
  if (found.total === 0) throw await toUnknownName(writing, indexes, facts.missing.length > 0);
  const only = found.total === 1 ? found.rows[0] : pickOfFamily(found, written.text, family, facts);
  if (!only) throw await toSeveral(writing, found);
  const companyId = pickColumn(only, "companyId");
  loading.signal.throwIfAborted(); // the client may have changed
  const companyName = listNames(only)[0] ?? companyId;
  resolutions.record({ ...company, companyId, companyName, ...(found.total > 1 && { family }) });
  return companyId;
}

/** Without the private-market companies, an index does not know which companies have figures. */
const marksFigurelessBy = ({ missing }: IndexFacts, route: Route): boolean =>
  route === "financials" && !missing.includes("private");

/** Gives the company that has the text as its registration number, unless an index at hand gives the text to another. */
async function findByNumber(
  { registrations, resolutions, queryCache, indexes, engine }: NamingContext,
  named: NamedCompany,
  written: PrefixedName,
  route: Route,
  loading: LoadContext,
): Promise<string | null> {
  const { text, country } = written;
  const companyId = await queryCache.wait(registrations.query(text, route), loading).catch((error) => {
    if (hasCode("FEED_NOT_FOUND")(error)) return null;
    throw error;
  });
  const index = companyId === null ? null : await indexes.find(country);
  if (companyId === null || index === null) return companyId;
  const found = await engine.match(index.key, text);
  const others = found.rows.filter((row) => !isCompany(row, companyId));
  if (others.length === 0) return companyId;
  const marksFigureless = marksFigurelessBy(index.facts, route);
  const writing = { engine, key: index.key, resolutions, named, written, readsNumbers: true, marksFigureless };
  const described = await Promise.all(others.map((row) => describeCompany(writing, row)));
  const candidates = [msg`"${companyId}" (the company of this registration number)`, ...described];
  throw new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${text}" is a registration number and a ticker or name: ${joined(candidates, "; ")}; put one of the quoted texts in place of it`,
    { named: { name: text, country } },
  );
}

import { type FeedError, hasCode, NoValueError } from "../../client/errors";
import { toCompanyKey } from "../../client/ids";
import { joined, msg } from "../../client/messages";
import type { LoadContext, QueryCache } from "../query-cache/types";
import type { Registrations } from "../registrations";
import type { Route } from "../registrations/evidence";
import { mayBeNumber } from "../registrations/number-form";
import type { NamedCompany, Resolutions } from "../resolutions";
import { describeCandidates, describeCompany, toShort } from "./candidates";
import { type PrefixedName, readCountryPrefix } from "./country-prefix";
import type { NameEngine } from "./engine";
import type { NameIndexes } from "./indexes";
import { listNames, pickColumn } from "./rows";
import type { Found } from "./search";
import { toUnknownName } from "./unknown-name";

export interface NamingContext {
  registrations: Registrations;
  resolutions: Resolutions;
  indexes: NameIndexes;
  engine: NameEngine;
  queryCache: QueryCache;
}

type Loading = Omit<LoadContext<unknown>, "grow">;

/**
 * Finds the company that a name or ticker means, alone or behind a country as in "JPN:7203". Without a country it may
 * also be a registration number, which the provider knows. What the index gives is recorded for the workbook.
 *
 * @throws NoValueError (FEED_AMBIGUOUS with candidates, FEED_NO_VALUE with the closest, FEED_INDEX_NOT_READY);
 *   RequestError (FEED_SCOPE_MISSING …)
 */
export async function resolveName(
  context: NamingContext,
  company: NamedCompany,
  route: Route,
  loading: Loading,
): Promise<string> {
  const written = readCountryPrefix(company.name, company.country);
  const byNumber =
    written.isBare && mayBeNumber(written.text) ? await findByNumber(context, written, route, loading) : null;
  if (byNumber !== null) return byNumber;
  const { indexes, engine, resolutions } = context;
  const { key, facts } = await indexes.need(written.country);
  const kept = resolutions.find(company); // the workbook's may have come meanwhile
  if (kept !== null) return kept.companyId;
  const found = await engine.match(key, written.text);
  if (found.total === 0) throw await toUnknownName(engine, key, written, company, facts.missing.length > 0);
  const [only] = found.rows;
  if (only === undefined || found.total > 1) throw toSeveral(company, found);
  const companyId = pickColumn(only, "companyId");
  loading.signal.throwIfAborted(); // the client may have changed
  resolutions.record({ ...company, companyId, companyName: listNames(only)[0] ?? companyId });
  return companyId;
}

const isNobody = hasCode("FEED_NOT_FOUND");

/** Gives the company that has the text as its registration number, unless an index at hand gives the text to another. */
async function findByNumber(
  { registrations, queryCache, indexes, engine }: NamingContext,
  { text, country }: PrefixedName,
  route: Route,
  loading: Loading,
): Promise<string | null> {
  const companyId = await queryCache.wait(registrations.query(text, route), loading).catch((error) => {
    if (isNobody(error)) return null;
    throw error;
  });
  const index = companyId === null ? null : await indexes.find(country);
  if (companyId === null || index === null) return companyId;
  const found = await engine.match(index.key, text);
  const others = found.rows.filter((row) => toCompanyKey(pickColumn(row, "companyId")) !== toCompanyKey(companyId));
  if (others.length === 0) return companyId;
  const candidates = [msg`the company of this registration number (${companyId})`, ...others.map(describeCompany)];
  throw new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${text}" is a registration number and a ticker or name: ${joined(candidates, "; ")}; use the id of the one you mean, or "${country}:${text}" for the ticker`,
    { named: { name: text, country } },
  );
}

function toSeveral(named: NamedCompany, { rows, total }: Found): FeedError {
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${toShort(named.name)}" is the name of ${total} companies: ${describeCandidates(rows, total)}; use a ticker, registration number or id, or choose one in the FEED pane`,
    { named },
  );
}

import { type FeedError, hasCode, NoValueError } from "../../client/errors";
import { toCompanyKey } from "../../client/ids";
import { joined, msg } from "../../client/messages";
import { ASIAN_COUNTRIES } from "../../contract/parameter-values";
import type { LoadContext, QueryCache } from "../query-cache/types";
import type { Registrations } from "../registrations";
import type { Route } from "../registrations/evidence";
import { mayBeNumber } from "../registrations/number-form";
import type { NamedCompany, Resolutions } from "../resolutions";
import { describeCandidates, describeCompany, toShort } from "./candidates";
import type { NameEngine } from "./engine";
import { foldName } from "./folding";
import type { NameIndexes } from "./indexes";
import { listNames, type NameRow, pickColumn } from "./rows";
import type { Found } from "./search";

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
  const written = readWritten(company);
  const byNumber =
    written.isBare && mayBeNumber(written.text) ? await findByNumber(context, written, route, loading) : null;
  if (byNumber !== null) return byNumber;
  const { indexes, engine, resolutions } = context;
  const { key, facts } = await indexes.need(written.country);
  const kept = resolutions.find(company); // the workbook's may have come meanwhile
  if (kept !== null) return kept.companyId;
  const found = await engine.match(key, written.text);
  if (found.total === 0) throw await toNobody(engine, key, written, facts.missing.length > 0);
  const [only] = found.rows;
  if (only === undefined || found.total > 1) throw toSeveral(company.name, found);
  const companyId = pickColumn(only, "companyId");
  loading.signal.throwIfAborted(); // the client may have changed
  resolutions.record({ ...company, companyId, companyName: listNames(only)[0] ?? companyId });
  return companyId;
}

interface Written extends NamedCompany {
  text: string;
  /** Whether no country or exchange stands before it. */
  isBare: boolean;
}

/** Reads a country before a name, as in "JPN:さくら食品". */
function readWritten({ name, country }: NamedCompany): Written {
  const [, prefix = "", rest = ""] = /^\s*([^:：]+)[:：]\s*(.+)$/.exec(name) ?? [];
  const code = prefix.normalize("NFKC").trim().toUpperCase();
  if (code === "ALL" || code in ASIAN_COUNTRIES) return { name, country: code, text: rest, isBare: false };
  return { name, country, text: name, isBare: prefix === "" };
}

const isNobody = hasCode("FEED_NOT_FOUND");

/** Gives the company that has the text as its registration number, unless an index at hand gives the text to another. */
async function findByNumber(
  { registrations, queryCache, indexes, engine }: NamingContext,
  { text, country }: Written,
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
  );
}

function toSeveral(name: string, { rows, total }: Found): FeedError {
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${toShort(name)}" is the name of ${total} companies: ${describeCandidates(rows, total)}; use a ticker, registration number or id, or choose one in the FEED pane`,
  );
}

const MOST_CLOSEST = 3;
/** A shorter part of a name fits anything. */
const SHORTEST_SHARE = 0.5;
const SHORTEST_PART = 2;

async function toNobody(engine: NameEngine, key: string, { text, country, name }: Written, isPartial: boolean) {
  const closest = await findClosest(engine, key, text);
  const where = country === "ALL" ? "" : msg` in ${country}`;
  const reason = isPartial ? msg` that this client may read` : "";
  let cure = msg`correct the name, or write its country before it, as in "SGP:${toShort(text)}"`;
  if (country === "ALL") cure = msg`correct the name`;
  if (closest.length > 0) cure = msg`closest: ${joined(closest.map(describeCompany), "; ")}; correct the name`;
  return new NoValueError("FEED_NO_VALUE", msg`no company${where}${reason} is called "${toShort(name)}"; ${cure}`);
}

/** Finds names that share the longest beginning or end with a text. */
async function findClosest(engine: NameEngine, key: string, text: string): Promise<readonly NameRow[]> {
  const folded = foldName(text);
  const closest = new Map<string, NameRow>();
  const shortest = Math.max(SHORTEST_PART, folded.length * SHORTEST_SHARE);
  for (let length = folded.length; length >= shortest && closest.size < MOST_CLOSEST; length = shorten(length)) {
    for (const part of new Set([folded.slice(0, length), folded.slice(-length)])) {
      const { rows } = await engine.search(key, part, MOST_CLOSEST);
      for (const row of rows) closest.set(pickColumn(row, "companyId"), row);
    }
  }
  return [...closest.values()].slice(0, MOST_CLOSEST);
}

/** Long names are shortened in larger steps, so that a search over 300,000 names remains quick. */
const shorten = (length: number): number => Math.min(length - 1, Math.floor(length * 0.85));

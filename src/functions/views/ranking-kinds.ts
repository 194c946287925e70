import { ArgumentError, NoValueError } from "../../client/errors";
import { joined, type Message, msg } from "../../client/messages";
import { PAGE_TYPES } from "../../contract/parameter-values";
import {
  COMPANY_MOVER_FIELDS,
  findField,
  INDUSTRY_MOVER_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  RANKING_FIELDS,
  toPageName,
} from "../../feed/field-tables";
import { type Field, isMeasure } from "../../feed/fields";
import type { List } from "../../feed/pages";
import type { Query } from "../../feed/query-cache";
import type { RankingRange } from "../../feed/rankings";
import {
  COMPANY_KIND,
  createRankedList,
  type Entry,
  type Identity,
  INDUSTRY_KIND,
  listAlike,
  type RankedKind,
  type RankedList,
  type Steps,
} from "../../feed/rankings/ranked-list";
import { session } from "../../session/current";
import { type Argument, quote, readText } from "../arguments";

/** A ranking as its formulas take it. */
export interface RankingChoice {
  kind: RankedKind;
  toQuery: (range: RankingRange, wanted: number | "all") => Query<List>;
  /** The rank, and the numbers that are ranked. */
  measures: readonly Field[];
  /** The fields of two such rankings. */
  moverFields: readonly Field[];
  /** Headers of the name and of what identifies it. */
  headers: readonly [name: string, code: string];
  /** The ranked item's name, for sentences. */
  named: Message;
}

const WORDS: readonly Field[] = [
  { name: "companies", header: "Companies", kind: "text" },
  { name: "industries", header: "Industries", kind: "text" },
  ...PAGE_TYPES.map((key): Field => ({ name: key, header: toPageName(key), kind: "text" })),
];

/** "companies", "industries", or a page type by its key or readable name. @throws ArgumentError (FEED_ARGUMENT_INVALID) naming the closest */
export function readRanking(argument: Argument): RankingChoice {
  const text = readText(argument, "ranking") ?? "companies";
  const found = findField(text.replaceAll("-", " "), WORDS, []);
  if ("closest" in found) {
    throw new ArgumentError(
      msg`ranking must be "companies", "industries" or a page type such as "NEWS", not ${quote(text)}; the closest is "${found.closest}"`,
    );
  }
  if (found.name === "industries") return toIndustries();
  return toCompanies(found.name === "companies" ? null : found.name);
}

const toIndustries = (): RankingChoice => ({
  kind: INDUSTRY_KIND,
  toQuery: session.feed.rankings.queryIndustries,
  measures: toMeasures(INDUSTRY_RANKING_FIELDS),
  moverFields: INDUSTRY_MOVER_FIELDS,
  headers: ["Industry", "Industry id"],
  named: msg`industry`,
});

function toCompanies(pageType: string | null): RankingChoice {
  const { queryCompanies, queryCompanyPages } = session.feed.rankings;
  return {
    kind: { ...COMPANY_KIND, pageType },
    toQuery: pageType === null ? queryCompanies : queryCompanyPages,
    measures: toMeasures(RANKING_FIELDS),
    moverFields: COMPANY_MOVER_FIELDS,
    headers: ["Company", "Ticker"],
    named: msg`company`,
  };
}

const toMeasures = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => field.name === "rank" || isMeasure(field));

/** The rank or a measure of a ranking; default the rank. @throws ArgumentError (FEED_ARGUMENT_INVALID) naming the closest */
export function readRankingMeasure(argument: Argument, name: string, { measures }: RankingChoice): Field {
  const text = readText(argument, name) ?? "rank";
  const found = findField(text, measures, []);
  if ("name" in found) return found;
  throw new ArgumentError(
    msg`${name} must be "rank" or a measure such as "totalPageViews", not ${quote(text)}; the closest is "${found.closest}"`,
  );
}

/** Lists of the answers, which many formulas share. */
const lists = new WeakMap<List, Map<string, RankedList>>();

/**
 * Gives an answer as a ranking.
 *
 * @param wanted how many rows were asked for
 */
export function* toRankedList(list: List, { kind }: RankingChoice, wanted: number | "all"): Steps<RankedList> {
  const known = lists.get(list) ?? new Map<string, RankedList>();
  lists.set(list, known);
  const { rows } = list;
  const id = kind.pageType ?? "";
  const ranked = known.get(id) ?? (yield* createRankedList(rows, kind, wanted === "all" || rows.length < wanted));
  known.set(id, ranked);
  return ranked;
}

const MOST_CANDIDATES = 5;

/** Lists rows for a choice, at most five: "4899 · Tsukikage Holdings · Hiroshima". */
function describeEntries(entries: readonly Entry[]): Message {
  const shown = joined(entries.slice(0, MOST_CANDIDATES).map(describeEntry), "; ");
  return entries.length > MOST_CANDIDATES ? msg`${shown} and ${entries.length - MOST_CANDIDATES} more` : shown;
}

function describeEntry({ source: { tickerSymbol, industryId, headquarters, subSectorName }, name }: Entry): Message {
  const facts = [tickerSymbol ?? industryId, name, headquarters ?? subSectorName];
  return joined(
    facts.filter((fact) => typeof fact === "string" && fact !== ""),
    " · ",
  );
}

/** The error of a name that no ranking has. */
export const toUnknownName = (text: string, named: Message): NoValueError =>
  new NoValueError(
    "FEED_NO_VALUE",
    msg`no ${named} in these rankings is called ${quote(text)}; give a ticker, an industry's id or a name, since rankings have no registration numbers and no company ids`,
  );

/** The error of a name that several have. */
export const toSeveralNames = (text: string, entries: readonly Entry[]): NoValueError =>
  new NoValueError(
    "FEED_AMBIGUOUS",
    msg`${quote(text)} fits ${entries.length} rows of these rankings: ${describeEntries(entries)}; give the ticker or the industry's id`,
  );

/** The error of a row that is not certainly the same as in another period. */
export function toUncertain(list: RankedList, identity: Identity, period: string): NoValueError {
  const alike = listAlike(list, identity);
  const name = quote(identity.names[0]);
  if (alike.length > 1 || identity.code !== null) {
    return new NoValueError(
      "FEED_AMBIGUOUS",
      msg`${name} is not certain in ${period}: ${describeEntries(alike)} could be it; compare them in FEED.RANKING`,
    );
  }
  if (!list.isWhole) {
    return new NoValueError(
      "FEED_AMBIGUOUS",
      msg`${name} has no ticker, so that only the whole ranking of ${period} shows whether it is alone; name it in place of "top"`,
    );
  }
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`${name} has no ticker, and it may have another name in ${period}; compare both periods in FEED.RANKING`,
  );
}

import { ArgumentError, NoValueError } from "../../client/errors";
import { either, type Message, msg } from "../../client/messages";
import { COMPANY_TYPES } from "../../contract/parameter-values";
import { PEER_FIELDS, TAXONOMY_COLUMNS, TAXONOMY_FIELDS, TREE_FIELDS } from "../../feed/field-tables";
import type { TaxonomyList } from "../../feed/taxonomies";
import { toCompanyRows } from "../../feed/taxonomies/companies";
import { findNode, LEVEL_WORDS, LEVELS, type Level, pickBranch, toTreeRows } from "../../feed/taxonomies/tree";
import { session } from "../../session/current";
import {
  type Argument,
  type Given,
  isBlank,
  quote,
  readChoice,
  readCompany,
  readNames,
  readScalar,
  readText,
  toMissingCompany,
} from "../arguments";
import { type View, viewAnswer } from "../view-observer";
import { toColumnNames } from "./classification";
import { openList, readCountry, readFlag, readHeaders, readTop, toTable } from "./table";

/** Opens the tree as a table: a row per node of the level, with what stands above it. */
export function openTree({ level, parent, headers }: Given<"level" | "parent" | "headers">): View {
  const depth = readChoice(level, "level", LEVELS, "industry");
  const above = LEVELS.slice(LEVELS.indexOf(depth) + 1);
  const text = readNode(parent, "parent");
  if (text !== null && above.length === 0) {
    throw new ArgumentError(msg`parent must be left out with level "sector", since nothing stands above a sector`);
  }
  const withHeaders = readHeaders(headers);
  const fields = TREE_FIELDS.filter(({ name }) => [depth, ...above].some((each) => name.startsWith(each)));
  return viewAnswer(session.feed.taxonomies.queryTree(), (tree) => {
    if (tree.length === 0) throw new NoValueError("FEED_NO_VALUE", msg`the provider's tree is empty; refresh later`);
    const rows = toTreeRows(tree, depth);
    const shown = text === null ? rows : pickBranch(rows, findNode(tree, text, above));
    return toTable(shown, { fields, headers: withHeaders });
  });
}

type CompanyTable = Given<"country" | "type" | "top" | "fields" | "headers">;

/** Opens the companies under a node. */
export function openConstituents({
  node,
  allindustries,
  ...given
}: CompanyTable & Given<"node" | "allindustries">): View {
  const text = readNode(node, "node");
  if (text === null) {
    throw new ArgumentError(
      msg`node is missing; give the id of an industry, sub-sector or sector, as FEED.TAXONOMY shows it`,
    );
  }
  const { list, wanted, ...read } = readTable(given, null);
  const withAllIndustries = readFlag(allindustries, "allindustries", false);
  return openList({
    ...read,
    query: session.feed.taxonomies.queryConstituentsOf(text, list, withAllIndustries, wanted),
    empty: msg`the provider has no ${toKind(list)} under "${text}"${toPlace(list)}; ${toWider(list, msg`another node`, msg`try another node`)}`,
    toRows: (rows) => toCompanyRows(rows, withAllIndustries),
  });
}

/** Opens the classified companies of a country. */
export function openUniverse(given: CompanyTable): View {
  const { list, wanted, ...read } = readTable(given, null);
  return openList({
    ...read,
    query: session.feed.taxonomies.queryUniverse(list, wanted),
    empty: msg`the provider has no ${toKind(list)}${toPlace(list)}; ${toWider(list, msg`refresh later`)}`,
    toRows: (rows) => toCompanyRows(rows, false),
  });
}

/** Opens the companies that share a company's own node. */
export function openPeers({
  company,
  level,
  allmatches,
  ...given
}: CompanyTable & Given<"company" | "level" | "allmatches">): View {
  const value = readScalar(company);
  if (isBlank(value)) throw toMissingCompany("company");
  const shared: Level = readChoice(level, "level", LEVELS, "industry");
  const { list, wanted, ...read } = readTable(given, session.settings.country);
  const withAllMatches = readFlag(allmatches, "allmatches", false);
  const [wider, alone] = shared === "sector" ? [msg`refresh later`] : [msg`a wider level`, msg`try a wider level`];
  return openList({
    ...read,
    known: PEER_FIELDS,
    columns: withAllMatches ? [...TAXONOMY_COLUMNS, "matchedBy"] : TAXONOMY_COLUMNS,
    query: session.feed.taxonomies.queryPeers(
      readCompany(value, session.settings.country),
      shared,
      list,
      withAllMatches,
      wanted,
    ),
    empty: msg`the provider has no other ${toKind(list)} of the same ${LEVEL_WORDS[shared].one}${toPlace(list)}; ${toWider(list, wider, alone)}`,
    toRows: (rows) => toCompanyRows(rows, false),
  });
}

/** Reads what all company tables take. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
function readTable({ country, type, top, fields, headers }: CompanyTable, defaultCountry: string | null) {
  return {
    list: {
      country: readCountry(country, defaultCountry),
      companyType: readChoice(type, "type", COMPANY_TYPES, "ALL"),
    },
    wanted: readTop(top, "all"),
    names: readNames(fields, "fields")?.flatMap(toColumnNames) ?? null,
    headers: readHeaders(headers),
    known: TAXONOMY_FIELDS,
    columns: TAXONOMY_COLUMNS,
  };
}

const KINDS: Readonly<Record<string, Message>> = { PUBLIC: msg`listed company`, PRIVATE: msg`private company` };

const toKind = ({ companyType }: TaxonomyList): Message => KINDS[companyType] ?? msg`company`;

const toPlace = ({ country }: TaxonomyList): unknown => (country === "ALL" ? "" : msg` in ${country}`);

/** Advice for an empty list, with another one to try; alone where the list is as wide as can be. */
function toWider({ country, companyType }: TaxonomyList, otherwise: Message, alone = otherwise): Message {
  const wider = [country !== "ALL" && 'country "ALL"', companyType !== "ALL" && 'type "ALL"'].filter(Boolean);
  return wider.length === 0 ? alone : msg`try ${either(wider)}, or ${otherwise}`;
}

/** A limit above any id's length. */
const LONGEST_NODE = 100;

/** A node's id as it is written; null when not given. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
function readNode(argument: Argument, name: string): string | null {
  const text = readText(argument, name);
  if (text !== null && text.length > LONGEST_NODE) {
    throw new ArgumentError(msg`${name} must be an id of the taxonomy such as "IND040101", not ${quote(text)}`);
  }
  return text;
}

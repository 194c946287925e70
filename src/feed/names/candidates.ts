import { NoValueError } from "../../client/errors";
import { isNumberForm, mayBeNumber, toCompanyKey } from "../../client/ids";
import { joined, type Message, msg } from "../../client/messages";
import type { NamedCompany, Resolution, Resolutions } from "../resolutions";
import { type PrefixedName, readCountryPrefix } from "./country-prefix";
import type { IndexFacts, NameEngine } from "./engine";
import { foldName } from "./folding";
import { isLegalForm } from "./form-kinds";
import { isOf, listNames, type NameRow, type NameSource, pickColumn } from "./rows";
import type { FoundRows } from "./search";

export const MOST_CANDIDATES = 5;

/** Makes the error of a name that several companies have, with a text for each; those that may have wanted figures first. */
export async function toSeveral(writing: Writing, { rows, total }: FoundRows): Promise<NoValueError> {
  const { named, marksFigureless } = writing;
  const first = marksFigureless ? rows.filter((row) => isOf(row, "private")) : [];
  const shown = [...new Set([...first, ...rows])].slice(0, MOST_CANDIDATES);
  const listed = joined(await Promise.all(shown.map((row) => describeCompany(writing, row))), "; ");
  const candidates = total > shown.length ? msg`${listed} and ${total - shown.length} more` : listed;
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${toShort(named.name)}" fits ${total} companies: ${candidates}; choose one in the FEED pane, or put one of the quoted texts in place of the name`,
    { named },
  );
}

/**
 * Describes a company by a text that names it alone, and by its facts: `"JPN:4952" (Sakura Foods, listed)`,
 * `"9530193052711" (Sakura Foods, private, Sendai)`.
 */
export async function describeCompany(writing: Writing, row: NameRow): Promise<Message> {
  const texts = [...listCodeTexts(writing, row), ...listNameTexts(writing, row)];
  return describeBy(await findReadyText(writing, row, texts), writing, row);
}

/** Describes a company by a text, and by the facts that the text lacks. */
export function describeBy(text: string, { written, marksFigureless }: Writing, row: NameRow): Message {
  const [name = ""] = listNames(row);
  const country = pickColumn(row, "countryCode");
  const facts = [
    text.endsWith(name) ? "" : toShort(name),
    describeMarket(row, marksFigureless && !isOf(row, "private")),
    country === written.country ? "" : country,
    pickColumn(row, "city"),
  ];
  const known = facts.filter((fact) => fact !== "");
  return msg`"${text}" (${joined(known, ", ")})`;
}

function describeMarket(row: NameRow, isFigureless: boolean): Message {
  const market = pickColumn(row, "tickerSymbol") === "" ? msg`private` : msg`listed`;
  return isFigureless ? msg`${market}: no financials` : market;
}

/**
 * Picks the one of several companies of a name that alone can have the data of a family; null where none or several can.
 * Of companies that share a code none is picked: a listed company's ticker may be the number of another one.
 *
 * @param facts of their index: without the whole family nobody knows who has its data
 */
export function pickOfFamily({ rows, total }: FoundRows, text: string, family: NameSource, facts: IndexFacts) {
  const isNamed = (row: NameRow) => listNames(row).some((name) => foldName(name) === foldName(text));
  const [only = null, ...others] = rows.filter((row) => isOf(row, family));
  const isDecided = others.length === 0 && rows.length === total && rows.every(isNamed);
  return isDecided && !facts.missing.includes(family) ? only : null;
}

const LONGEST_SHOWN = 60;

export const toShort = (text: string): string =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;

/** A name in a formula, in whose place another text is to stand. */
export interface Writing {
  engine: NameEngine;
  /** Of the index in which the name was looked up. */
  key: string;
  resolutions: Pick<Resolutions, "find">;
  /** The company as the person wrote it. */
  named: NamedCompany;
  /** The same without its country. */
  written: PrefixedName;
  /** Whether the formula takes a long number for a registration number, which the provider knows. */
  readsNumbers: boolean;
  /** Whether the formula shows figures, so that a company without any is described as such. */
  marksFigureless: boolean;
}

/** Gives the first text that means this company and no other in the formula; else its id. */
export async function findReadyText(writing: Writing, row: NameRow, texts: readonly string[]): Promise<string> {
  for (const text of texts) if (await isReady(writing, row, text)) return text;
  return pickColumn(row, "companyId");
}

async function isReady(writing: Writing, row: NameRow, text: string): Promise<boolean> {
  const { engine, key, resolutions, named, written, readsNumbers } = writing;
  const kept = resolutions.find({ name: text, country: named.country });
  if (kept !== null && !isCompany(row, kept.companyId)) return false;
  const read = readCountryPrefix(text, named.country);
  const isNumber = readsNumbers && isNumberForm(text);
  if (isNumber && text !== pickColumn(row, "registrationNumber")) return false;
  if (!isNumber && read.country !== written.country) return false;
  // The provider may know it as the number of another company.
  if (!isNumber && readsNumbers && read.isBare && mayBeNumber(read.text)) return false;
  const found = await engine.match(key, read.text);
  return found.total === 1 && found.rows.every((only) => isCompany(row, pickColumn(only, "companyId")));
}

/** Finds a company of an index by its id; undefined where the index lacks it. */
export const findById = async (engine: NameEngine, key: string, companyId: string): Promise<NameRow | undefined> =>
  (await engine.match(key, companyId)).rows.find((row) => isCompany(row, companyId));

export const isCompany = (row: NameRow, companyId: string): boolean =>
  toCompanyKey(pickColumn(row, "companyId")) === toCompanyKey(companyId);

/** A company's ticker and registration number, as formulas take them. */
export function listCodeTexts({ written: { country } }: Writing, row: NameRow): string[] {
  const [ticker, exchange] = [pickColumn(row, "tickerSymbol"), pickColumn(row, "exchangeCode")];
  const number = pickColumn(row, "registrationNumber");
  const byExchange =
    ticker === "" || exchange === "" ? [] : [`${exchange}:${ticker}`, `${country}:${exchange}:${ticker}`];
  const byCountry = ticker === "" ? [] : [`${country}:${ticker}`];
  const tickers = country === "ALL" ? [...byExchange, ...byCountry] : [...byCountry, ...byExchange];
  const numbers = number === "" ? [] : [...(isNumberForm(number) ? [number] : []), `${country}:${number}`];
  return [...tickers, ...numbers].filter(isPlain);
}

/** A company's names, as formulas take them. */
export const listNameTexts = ({ written, named }: Writing, row: NameRow): string[] =>
  listNames(row)
    .map((name) => (written.country === named.country ? name : `${written.country}:${name}`))
    .filter(isPlain);

const LONGEST = 200;

/** Formulas part texts at commas, but before a legal form; quotes would be doubled in a formula. */
const isPlain = (text: string): boolean =>
  text.length <= LONGEST && !/["\p{Cc}]/u.test(text) && text.split(",").slice(1).every(isLegalForm);

/** Gives the company that a name means in the workbook. @throws NoValueError (FEED_NO_VALUE) where a person chose none */
export function readResolved({ companyId, name, country }: Resolution): string {
  if (companyId !== "") return companyId;
  throw new NoValueError(
    "FEED_NO_VALUE",
    msg`"${toShort(name)}" has no company, by a choice kept in this workbook; choose one in the FEED pane`,
    { named: { name, country } },
  );
}

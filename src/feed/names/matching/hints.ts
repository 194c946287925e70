import { foldCode } from "../folded-letters";
import { foldName } from "../folding";
import { type NameRow, pickColumn, toHost } from "../rows";
import { toWebsiteCode } from "../search";
import { compareWords, type Words } from "./likeness";
import type { NameTable } from "./name-table";
import type { Evidence } from "./types";

/** What a list says of a company besides its name. */
export interface Hints {
  /** Folded tickers, registration numbers and whatever else may be one. */
  codes: readonly string[];
  hosts: readonly string[];
  /** Words of places, industries and whatever else there is. */
  texts: readonly Words[];
}

/** Hosts of mail that say nothing of a company. */
const SHARED_HOSTS = /^(?:gmail|yahoo|hotmail|outlook|live|icloud|aol|qq|163|docomo|ezweb|softbank|nifty)\./;
const SHORTEST_CODE = 3;
const MOST_HINTS = 12;

/**
 * Reads the hints of a name; any may be of any kind.
 *
 * @param asides what stands beside the name, which may be a code or address too
 */
export function readHints(hints: readonly string[], asides: readonly string[], table: NameTable): Hints {
  const given = hints.filter((hint) => hint.trim() !== "").slice(0, MOST_HINTS);
  const all = [...given, ...asides].map((hint) => hint.normalize("NFKC").trim());
  const hosts = all.map(toHintHost).filter((host) => host !== "" && !SHARED_HOSTS.test(host));
  const codes = all.filter((hint) => toHintHost(hint) === "" || isDotted(hint)).flatMap(listCodesOf);
  return { codes: [...new Set(codes)], hosts, texts: given.map((hint) => table.reader.read(foldName(hint))) };
}

/** The host of a website or an address of mail, such as "IR <ir@example.co.jp>"; empty without one. */
function toHintHost(hint: string): string {
  const host = toHost(hint.replace(/^.*@|>$/g, "").replace(/(?<=\w)\.(?=[/:]|$)/, ""));
  return /\.\d*$/.test(host) ? "" : host;
}

/** Whether a text may be a ticker before its exchange, such as "7203.T" or "0700.HK", as well as a host. */
const isDotted = (hint: string): boolean => /^[A-Z0-9]*\d[A-Z0-9]*\.[A-Z]{1,2}$/i.test(hint);

const LETTER_TICKER = /^[A-Z]{2,6}(?:[.:][A-Z]{1,4})?$/;
/** An amount, such as "5,201" or 12.5. */
const AMOUNT = /^[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+)$/;
/** A registration number behind the T of Japan's invoices. */
const INVOICED = /\bT(?=\d{13}\b)/g;

/** A code alone, behind an exchange, and before one: "7203", "TSE:7203", "7203.T", "7203 JP Equity". */
function listCodesOf(told: string): string[] {
  if (AMOUNT.test(told)) return [];
  const hint = told.replace(INVOICED, "");
  const parts = [hint, ...hint.split(/[:：.\s]/)];
  const isCode = (code: string) => code.length >= SHORTEST_CODE && /\d/.test(code);
  const letters = LETTER_TICKER.test(hint.trim()) ? [foldCode(hint)] : [];
  return [...parts.map(foldCode).filter(isCode), ...letters];
}

/** Companies that a hint names by a code or website. */
export const findByHints = ({ codes, hosts }: Hints, { codes: table }: NameTable): number[] => [
  ...new Set([...codes.flatMap(table.find), ...hosts.map(toWebsiteCode).flatMap(table.find)]),
];

/** What the hints say of a company. */
export interface Support {
  evidence: readonly Evidence[];
  /** Whether a hint is another company's code. */
  isContradicted: boolean;
}

/** @param named ids of the companies that the hints name by a code */
export function weighHints(hints: Hints, row: NameRow, table: NameTable, named: ReadonlySet<string>): Support {
  const { codes, hosts, texts } = hints;
  const evidence: Evidence[] = [];
  const has = (code: string) => code !== "" && codes.includes(foldCode(code));
  const [ticker, exchange] = [pickColumn(row, "tickerSymbol"), pickColumn(row, "exchangeCode")];
  if (has(ticker) || has(ticker && `${exchange}${ticker}`)) evidence.push("ticker");
  if (has(pickColumn(row, "registrationNumber"))) evidence.push("registrationNumber");
  if (hosts.some((host) => isWithin(host, pickColumn(row, "website")))) evidence.push("website");
  const told = new Set(texts.flatMap((words) => isAbout(words, row, table)));
  const isContradicted = named.size > 0 && !named.has(pickColumn(row, "companyId"));
  return { evidence: [...evidence, ...told], isContradicted };
}

/** A host of a company's own, or of a part of it: "shop.example.co.jp" of "example.co.jp". */
const isWithin = (host: string, own: string): boolean => own !== "" && (host === own || host.endsWith(`.${own}`));

const LIKE = 0.9;

const hasAll = (wanted: Words, words: Words): boolean =>
  wanted.length > 0 && wanted.every((one) => words.some((other) => compareWords(one, other, true) >= LIKE));

/** Whether words are a company's city, or its sector, sub-sector or industry. */
export function isAbout(words: Words, row: NameRow, { reader }: NameTable): Evidence[] {
  const read = (text: string) => reader.read(foldName(text));
  const [city, industry] = [pickColumn(row, "city"), pickColumn(row, "industry")];
  const isCity = city !== "" && hasAll(read(city), words);
  const levels = industry === "" || words.length === 0 ? [] : industry.split(" / ").map(read);
  const isIndustry = levels.some((level) => hasAll(words, level) || hasAll(level, words));
  return [...(isCity ? (["city"] as const) : []), ...(isIndustry ? (["industry"] as const) : [])];
}

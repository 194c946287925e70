import { ASIAN_COUNTRIES } from "../../../contract/asian-countries";
import { foldCode, foldPlain } from "../folded-letters";
import { foldName, foldWhole } from "../folding";
import { isLegalForm } from "../form-kinds";
import { LEGAL_FORMS } from "../legal-forms";
import { type NameRow, pickColumn, toHost } from "../rows";
import { toWebsiteCode } from "../search";
import { FORM_WORDS, isForm, joinLetters, readForm } from "./lexicon";
import { compareWords, type Words } from "./likeness";
import type { NameTable } from "./name-table";
import type { Evidence } from "./types";

/** A name as a list has it, taken apart. */
interface WrittenName {
  /** The name without what is in brackets or behind a dash, comma or legal form. */
  main: string;
  /** What stands there: another name, a place, a code. */
  asides: readonly string[];
  /** "Group" or a country at its end, which may be its own; empty without one. */
  ending: string;
}

/** Forms of address, and a number in a list. */
const ADDRESS =
  /(?<=[部課室係長])[\s　]+\S{1,5}\s*(?:様|殿|さん|氏)\s*$|\s*(?:御中|様|殿|行)\s*$|^[\s*#・•-]*(?:(?:attn|attention|client|customer|vendor|supplier|company|re|取引先|顧客|会社名|社名)\s*[:：.]+|attn|attention|c\/o|messrs\.?|m\/s\.?|to:)\s*(?<=\W)|^\s*(?:no\.?\s*|#)?\d{1,4}[.)、:]\s+(?=\D)/giu;
const BRACKETED = /[([{（［｛【「『〔《<＜]([^)\]}）］｝】」』〕》>＞]*)[)\]}）］｝】」』〕》>＞]/gu;
const LATIN_FORMS = [...FORM_WORDS].filter((word) => /^[a-z]/.test(word)).join("|");
const PARTED = new RegExp(
  [
    String.raw`\s+[-–—|/／｜]+\s+|\s*※\s*|\s*[|｜;；]\s*`,
    String.raw`[\s　]+(?=担当|窓口|tel\b|attn\b|c\/o\b|as of\b)`,
    String.raw`[、,，](?!\s*(?:${LATIN_FORMS}|k\.?\s?k)\b)`,
    // What stands behind a legal form is no part of the name.
    String.raw`(?<=[^\s(（]\s*(?:[株有][式限]会社|㈱|㈲|[(（][株有][)）]))(?=[^\s)）])`,
    String.raw`(?<=[a-z][,\s]+(?:inc|incorporated|corp|corporation|ltd|limited|llp|llc|plc|k\.?k|jsc)\b\.?)\s+(?!\(|(?:co|inc|llc|liability|partnership|company)\b)`,
  ].join("|"),
  "giu",
);
/** A letter for a country, as registers of these countries write it. */
const COUNTRY_LETTERS: readonly (readonly [RegExp, string])[] = [
  [/\(s\)(?=\s*p(?:te|rivate|l\b))/i, "(Singapore)"],
  [/\(m\)(?=\s*sdn)/i, "(Malaysia)"],
];
/** Bloomberg's way to write a ticker, with its exchange. */
const QUOTED = /^([A-Z]{3,6}|\d{4}) [A-Z]{2}(?: Equity)?$/;

/** Takes a written name apart. */
export function readWritten(text: string): WrittenName {
  const inner: string[] = [];
  const spelt = COUNTRY_LETTERS.reduce((all, [letter, country]) => all.replace(letter, country), text);
  const open = spelt.replace(ADDRESS, "").replace(BRACKETED, (found, part: string) => {
    if (isFormAlone(part)) return found;
    inner.push(part);
    return " ";
  });
  const [first = "", ...others] = open
    .split(PARTED)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !isFormAlone(part));
  const isCapitalised = /\p{Lu}/u.test(first);
  const kept = [...inner, ...others]
    .map((aside) => dropBranch(aside).trim().replace(QUOTED, "$1"))
    .filter(
      (aside) => foldName(aside) !== "" && (toCountry(foldWhole(aside)) !== "" || !isRemark(aside, isCapitalised)),
    );
  const main = dropBranch(first).trim();
  if (main === "") return { main: kept[0] ?? text, asides: kept.slice(1), ending: "" };
  return { ...partEnding(main), asides: kept };
}

/** What stands in brackets before a legal form, as in "Sakura (Osaka) Co., Ltd.", is the name's own. */
const INNER = /[([（［]([^)\]）］]*)[)\]）］](?=[\s,]*(.+)$)/u;

/** What stands beside a name, folded: in brackets behind it, or behind a dash, comma or slash. */
export function listBeside(text: string): string[] {
  const [found = "", inner = "", rest = ""] = INNER.exec(text) ?? [];
  const isInner = found !== "" && words(rest).every(isForm);
  return readWritten(isInner ? text.replace(found, ` ${inner} `) : text).asides.map(foldName);
}

const words = (text: string): string[] => joinLetters(foldWhole(text)).split(" ");

const LEAST_WORDS = 2;

/** Parts a country or "Group" from the end of a name of two words at least, before its legal form. */
function partEnding(name: string): { main: string; ending: string } {
  const words = name.split(/\s+/);
  const count = words.findLastIndex((word) => !isForm(foldWhole(word))) + 1;
  for (const length of [2, 1]) {
    const ending = words.slice(count - length, count).join(" ");
    const rest = [...words.slice(0, count - length), ...words.slice(count)];
    if (count - length >= LEAST_WORDS && isEnding(foldWhole(ending))) return { main: rest.join(" "), ending };
  }
  return { main: name, ending: "" };
}

/** Singapore is a city too, by which companies' names differ; short codes of countries are words. */
const isEnding = (folded: string): boolean =>
  isGroup(folded) || (folded.length > 3 && toCountry(folded).length === 3 && toCountry(folded) !== "SGP");

/** Whether a word tells no company from another. */
export const isGroup = (folded: string): boolean => folded === "group" || folded === "ぐるーぷ";

/** Whether a part is a legal form alone; "(M)" is Malaysia's. */
const isFormAlone = (part: string): boolean => {
  const folded = foldWhole(part);
  return folded === "m" || Object.hasOwn(LEGAL_FORMS.abbreviations, folded) || isLegalForm(part);
};

/** A written name as it is compared. */
export interface Given {
  /** The folded name without what stands beside it; and the whole text. */
  main: Spoken;
  /** The whole text, where something stands beside the name. */
  whole: Spoken | null;
  /** What stands beside the name and may tell its company from others. */
  asides: readonly Spoken[];
  /** What of it stands in brackets or behind a dash, comma or slash: no part of a name, unless a company writes itself so. */
  parted: readonly string[];
  /** Whether the name without what stands beside it lacks its last word too, which may be its own. */
  isCut: boolean;
  /** The name with its legal form, without what stands beside it. */
  name: string;
  /** The whole text as written, but for width, case and white space. */
  plain: string;
  /** The legal form as `readForm` gives it. */
  form: string;
  /** The name as a ticker or registration number; empty where it cannot be one. */
  code: string;
  /** Kanji in a form that is not the usual one. */
  oddKanji: readonly string[];
  hints: Hints;
}

export interface Spoken {
  folded: string;
  words: Words;
}

/** Reads a name of a list with its hints. */
export function readGiven(name: string, hints: readonly string[], table: NameTable): Given {
  const { text, code } = partCode(name, table);
  const { main, asides, ending } = readWritten(text);
  const speak = (spoken: string): Spoken => {
    const folded = foldName(spoken);
    return { folded, words: table.reader.read(folded) };
  };
  const beside = [ending, ...asides, code].filter((aside) => aside !== "");
  return {
    main: speak(main),
    whole: beside.length === 0 ? null : speak([foldName(main), ...beside].join(" ")),
    asides: beside.map(speak),
    parted: listBeside(text),
    isCut: ending !== "",
    name: main,
    plain: foldPlain(name),
    form: readForm(main),
    code: CODE.test(name.trim()) ? foldCode(name) : "",
    oddKanji: [...main].filter((letter) => HAN.test(letter) && foldWhole(letter) !== letter),
    hints: readHints(hints, beside, table),
  };
}

/** Parts a ticker of the index from a name's begin or end. */
function partCode(name: string, table: NameTable): { text: string; code: string } {
  for (const pattern of [CODE_BEFORE, CODE_BEHIND]) {
    const [, code = ""] = pattern.exec(name) ?? [];
    const text = name.replace(pattern, "");
    const isTold = /\d/.test(code) || NOT_CAPITAL.test(text);
    if (code !== "" && isTold && table.codes.find(foldCode(code)).length > 0) return { text, code };
  }
  return { text: name, code: "" };
}

const CODE_BEFORE = /^\s*(\d{4}|\d{3}[A-Z]|[A-Z]{3,6})[\s:：　]+(?=\S)/u;
const CODE_BEHIND = /(?<=\S)[\s　]+(?:(?:証券|銘柄)?コード[:：\s]*)?(\d{4}|\d{3}[A-Z]|[A-Z]{3,6})\s*$/u;
/** Among capitals alone a ticker is a word like any other. */
const NOT_CAPITAL = /[^\p{Lu}\P{L}]/u;

/** A registration number or ticker: digits in it, or up to six capitals. */
const CODE = /^(?:[\p{ASCII}]*\d[\p{ASCII}]*|[A-Z]{1,6})$/u;
const HAN = /\p{sc=Han}/u;

/** Departments that no company is named after, and others. */
const OFFICE =
  "accounts\\s+(?:payable|receivable)|accounting|treasury|purchasing|procurement|hr|ir|(?:investor|public)\\s+relations|human\\s+resources";
const DEPARTMENT = `(?:${OFFICE}|accounts|sales|finance|legal|marketing|it)`;
const UNIT = "(?:dept|department|division|div|team)\\.?";
const HEAD_OFFICE = "(?:head\\s*(?:office|quarters?)|headquarters|hq|h\\.o\\.?)";
const BUREAU = "(?:[支本]社|支店|営業所|事業所|工場|[^\\s倶]{2,}部|[^\\s]{2,}[課室係])";

/** A part of a company, with the place that it is in. */
const BRANCH = new RegExp(
  `(?:[\\s　]+|(?<=会社))[^\\s　]{0,8}${BUREAU}\\s*$|[\\s,–—-]+(?:(?<=[,–—-]\\s*)[a-z]+\\s+)?(?:${HEAD_OFFICE}|branch(?:\\s+office)?|(?<!family\\s)office|${DEPARTMENT}\\s+${UNIT})\\s*$`,
  "iu",
);
/** Other companies that are meant too. */
const OTHERS =
  /\s+(?:(?:and|&)\s+(?:its\s+)?(?:subsidiaries|affiliates|others)|group of companies|et al\.?)\s*$|(?<=\S)[\s　]*(?:ほか|他\d*社?|等)\s*$/iu;

const FORMER = /^\s*(?:旧社名|旧|前|formerly|former|f\/?k\/?a|ex|previously|old)[\s:：.-]*/iu;

const QUALITY =
  "new|old|existing|former|key|vip|active|inactive|current|potential|listed|tse|tyo|sgx|idx|set|pse|hnx|hose|unlisted|private|public|confirmed|unconfirmed|dormant|dup(?:licate|e)?s?";
const ROLE = "clients?|customers?|accounts?|prospects?|leads?|vendors?|suppliers?|partners?|targets?|group";
const ASK = "(?:mr|mrs|ms|dr|per|via|cc|tel|fax|email|re|c\\/o|as of|see|cf|ask|note|attn|contact|nda)\\b.*";
const KINDS_JAPANESE =
  "(?:新規|既存|重要|旧|大口|主要)?(?:取引先|顧客|得意先|仕入先|見込み?客|お客様|客先|要確認|休眠|重複|上場|非上場|未上場|新規|既存|重要|連結|単体|ほか|他|等|東証.*|グループ|仮称?|(?:普通|優先|種類)株式?)";
const NOTES_JAPANESE =
  "要.{1,6}|未(?:確認|定|処理|契約|上場)|.{2,}(?:済み?|中|予定|待ち)|(?:担当|窓口).*|[^\\s]{1,6}(?:様|さん|氏)";

/** What a list's keeper notes of a company, which tells nothing of its name. */
const REMARK = new RegExp(
  `^\\s*(?:(?:${QUALITY}|\\s)*(?:${ROLE}|${QUALITY}|tbc|tbd|do not (?:call|contact|use)|${OFFICE}|${DEPARTMENT}\\s+${UNIT}|${HEAD_OFFICE}|${ASK})|${KINDS_JAPANESE}|${NOTES_JAPANESE}|[^\\s]{0,8}${BUREAU})[\\s.!?！？]*$`,
  "iu",
);

/** A word that is no name, since names begin with a capital; an address or code of the company is no remark. */
const NOTED = /(?<![\p{L}'.])(?!(?:of|the|and|de|for|co|ltd|inc)\b)[a-z]{3,}/u;
const MAIL_OR_CODE = /\S[.@]\S/;
/** "Tier 1", "Series B", "#2". */
const COUNTED = /^(?:\p{L}+ |# ?|[Nn]o\.? ?)(?:\p{Lu}|\d{1,2})$/u;

/**
 * Whether a part of a written name tells nothing of the company.
 *
 * @param isCapitalised whether the name itself has capitals, so that a part without them is a note
 */
const isRemark = (part: string, isCapitalised: boolean): boolean =>
  FORMER.test(part) ||
  REMARK.test(part) ||
  COUNTED.test(part) ||
  (isCapitalised && NOTED.test(part) && !MAIL_OR_CODE.test(part));

/** Takes departments, offices and other companies off a name's end. */
function dropBranch(text: string): string {
  const rest = text.replace(BRANCH, "").replace(OTHERS, "");
  return rest === text ? text : dropBranch(rest);
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Short names that are no codes. */
const SHORT = { usa: "US", uk: "GB", prc: "CHN", uae: "ARE", korea: "KOR", "viet nam": "VNM" };

let opened: ReadonlyMap<string, string> | null = null;

/** Countries by their folded names in English and Japanese and by their codes: alpha-3 in Asia, alpha-2 elsewhere. */
function openCountries(): ReadonlyMap<string, string> {
  const countries = new Map<string, string>(Object.entries(SHORT));
  const asian = new Map<string, string>(Object.entries(ASIAN_COUNTRIES).map(([alpha3, alpha2]) => [alpha2, alpha3]));
  for (const language of ["en", "ja"]) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const alpha2 of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
      const name = names.of(alpha2);
      const code = asian.get(alpha2) ?? alpha2;
      if (name !== undefined) for (const spelling of [name, alpha2, code]) countries.set(foldWhole(spelling), code);
    }
  }
  return countries;
}

/** Gives the code of a country by its folded name or code; an empty text for anything else. */
export function toCountry(folded: string): string {
  opened ??= openCountries();
  return opened.get(folded) ?? "";
}

/** What a list says of a company besides its name. */
interface Hints {
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
function readHints(hints: readonly string[], asides: readonly string[], table: NameTable): Hints {
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
interface Support {
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

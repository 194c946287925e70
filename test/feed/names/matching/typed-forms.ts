import { foldName } from "../../../../src/feed/names/folding";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { listNames, type NameRow, pickColumn } from "../../../../src/feed/names/rows";
import type { NameIndex } from "../../../../src/feed/names/search";
import TABLE from "./form-writings.json";

const WRITTEN = ["own", "none", "wrong", "foreign"] as const;

/** Which legal form a name is written with: the company's own, none, one of another kind, or one of another country. */
type Written = (typeof WRITTEN)[number];

/** What the matcher and a formula make of names of one kind. */
export interface FormFigures {
  names: number;
  /** Names that the matcher gives the right company without review, and leaves to a person. */
  taken: number;
  reviewed: number;
  /** Names that a formula takes for the right company, and refuses. */
  read: number;
  refused: number;
  /** Names that one of them takes for another company, or with a form that is not the company's. */
  wrong: string[];
  /** Names that are "exact" and differ in more than width, case and white space. */
  falselyExact: string[];
}

interface Typed {
  text: string;
  company: NameRow;
  country: string;
}

const EACH = 75;
const STRIPPED = TABLE.stripped.map((form) => new RegExp(form, "gu"));
const strip = (name: string): string => STRIPPED.reduce((rest, form) => rest.replace(form, ""), name).trim();

const ENGLISH_FORM = /(?:Co\., Ltd\.|Inc\.|Corporation|Corp\.|K\.K\.|Pte\. Ltd\.|LLP|JSC)$/;
const NATIVE_FORM = /株式会社|จำกัด|^PT(?= )/u;
const formOf = (name: string): string => (ENGLISH_FORM.exec(name) ?? NATIVE_FORM.exec(name) ?? [""])[0];

/** The ways to write a form into a name, for a company. */
function listWays(written: Written, row: NameRow, name: string): readonly string[] {
  const country = pickColumn(row, "countryCode");
  const own: Readonly<Record<string, string[]>> = TABLE.own;
  const wrong: Readonly<Record<string, string[]>> = TABLE.wrong;
  if (written === "none") return ["*"];
  if (written === "own") return own[formOf(name)] ?? [];
  if (written === "foreign") return TABLE.foreign.flatMap(([home = "", way = ""]) => (home === country ? [] : [way]));
  return wrong[country] ?? wrong[`${country}, ${formOf(pickColumn(row, "companyEnglishName"))}`] ?? [];
}

const isPlainName = (name: string): boolean => name.length < 80 && /^[\p{L}\p{M}\p{N} .,]+$/u.test(name);

/** Companies of a name that no other one of their country has but for the form, spread over the countries. */
function listUnique(rows: readonly NameRow[]): NameRow[] {
  const toKeys = (row: NameRow) =>
    [...new Set(listNames(row).map(foldName))].map((name) => `${pickColumn(row, "countryCode")} ${name}`);
  const counts = new Map<string, number>();
  for (const key of rows.flatMap(toKeys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return rows.filter((row) => toKeys(row).every((key) => counts.get(key) === 1) && listNames(row).every(isPlainName));
}

/** Types the names of companies with one kind of form, each way in turn, one company after the other. */
function typeNames(rows: readonly NameRow[], written: Written): Typed[] {
  const typed: Typed[] = [];
  const countries = [...new Set(rows.map((row) => pickColumn(row, "countryCode")))].sort();
  const byCountry = countries.map((country) => rows.filter((row) => pickColumn(row, "countryCode") === country));
  for (let at = WRITTEN.indexOf(written); typed.length < EACH; at += WRITTEN.length) {
    for (const [place, some] of byCountry.entries()) {
      const row = some[at % some.length] as NameRow;
      const names = listNames(row);
      const name = names[(Math.floor(at / WRITTEN.length) + place) % names.length] as string;
      const ways = listWays(written, row, name);
      const way = ways[(at + place) % ways.length];
      if (way === undefined || typed.length === EACH) continue;
      typed.push({ text: way.replace("*", strip(name)), company: row, country: countries[place] as string });
    }
  }
  return typed;
}

const toPlain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

async function measure(typed: readonly Typed[], written: Written, index: (country: string) => NameIndex) {
  const mayBeTaken = written === "own" || written === "none";
  const figures: FormFigures = {
    ...{ names: typed.length, taken: 0, reviewed: 0, read: 0, refused: 0 },
    ...{ wrong: [], falselyExact: [] },
  };
  for (const { text, company, country } of typed) {
    const id = pickColumn(company, "companyId");
    const [match] = await matchNames(index(country), [{ name: text, hints: [] }]);
    const best = match?.candidates[0]?.row ?? company;
    const isTaken = match?.state === "exact" || match?.state === "sure";
    const read = index(country).match(text);
    const isRead = read.total === 1;
    const isOther = (row: NameRow | undefined) => row !== undefined && pickColumn(row, "companyId") !== id;
    figures[isTaken ? "taken" : "reviewed"]++;
    figures[isRead ? "read" : "refused"]++;
    if (isTaken && (!mayBeTaken || isOther(best))) figures.wrong.push(`${match.state}: ${text} → ${best[4]}`);
    if (isRead && (!mayBeTaken || isOther(read.rows[0]))) figures.wrong.push(`read: ${text} → ${read.rows[0]?.[4]}`);
    if (match?.state === "exact" && !listNames(best).some((own) => toPlain(own) === toPlain(text)))
      figures.falselyExact.push(`${text} → ${best[4]}`);
  }
  return figures;
}

/** Measures each nth of 300 names that are written with the company's form, none, a wrong one, or one of another country. */
export async function measureForms(
  rows: readonly NameRow[],
  index: (country: string) => NameIndex,
  nth: number,
): Promise<Record<Written, FormFigures>> {
  const unique = listUnique(rows);
  const measured = WRITTEN.map(async (written) => {
    const typed = typeNames(unique, written).filter((_, at) => at % nth === 0);
    return [written, await measure(typed, written, index)] as const;
  });
  return Object.fromEntries(await Promise.all(measured)) as Record<Written, FormFigures>;
}

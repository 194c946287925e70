import { isNumberForm } from "../../client/ids";
import type { NamedCompany } from "../resolutions";
import { readCountryPrefix } from "./country-prefix";
import { foldPlain } from "./folded-letters";
import { foldName } from "./folding";
import { isLegalForm } from "./form-kinds";
import type { NamingContext } from "./naming";
import { listNames } from "./rows";

type Context = Pick<NamingContext, "indexes" | "engine" | "resolutions">;

/** A company id, or a registration number of digits alone. */
const isCode = (text: string): boolean =>
  isNumberForm(text) || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Splits a text at its commas into companies, unless the whole is a company's name: a name may have commas. Where the name
 * differs from the text but for width, case and white space, as by a comma, the text is a list if each part names a company.
 * A comma before a legal form parts nothing.
 *
 * @throws the errors of `NameIndexes.need`
 */
export async function splitCompanies(context: Context, { name: text, country }: NamedCompany): Promise<string[]> {
  const parts = text.split(",").map((part) => part.trim());
  const given = parts.filter((part) => part !== "");
  if (!/\p{L}/u.test(text)) return given;
  const isKept = (name: string) => context.resolutions.find({ name, country }) !== null;
  if (isKept(text)) return [text];
  if (given.every(isKept)) return given;
  const listed = await joinForms(context, given, country);
  if (listed.length === 1 || listed.some(isCode)) return listed;
  const names = await findNames(context, text, country);
  if (!names.some((own) => foldName(own) === foldName(readCountryPrefix(text, country).text))) return listed;
  if (names.some((own) => foldPlain(own) === foldPlain(text))) return [text];
  const found = await Promise.all(listed.map((each) => findNames(context, each, country)));
  return found.every((each) => each.length > 0) ? listed : [text];
}

/** The names of all companies that have a text as their name or number. */
async function findNames({ indexes, engine }: Context, written: string, country: string): Promise<string[]> {
  const { text, country: own } = readCountryPrefix(written, country);
  const { key } = await indexes.need(own);
  return (await engine.match(key, text)).rows.flatMap(listNames);
}

/** Joins "Sakura Foods Co." and "Ltd." again, which a comma has parted; capitals alone may be a ticker, as "AB" is. */
async function joinForms(context: Context, parts: readonly string[], country: string): Promise<string[]> {
  const joined: string[] = [];
  for (const part of parts) {
    const mayBeForm = joined.length > 0 && isLegalForm(part);
    const isForm = mayBeForm && !(/^\p{Lu}{2,5}$/u.test(part) && (await findNames(context, part, country)).length > 0);
    joined.push(isForm ? `${joined.pop()}, ${part}` : part);
  }
  return joined;
}

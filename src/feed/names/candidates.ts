import { joined, type Message, msg } from "../../client/messages";
import { findReadyText, listCodeTexts, listNameTexts, type Writing } from "./ready-texts";
import { hasFigures, listNames, type NameRow, pickColumn } from "./rows";

export const MOST_CANDIDATES = 5;

/** Lists companies of one name, each by a text that names it alone; at most five. */
export async function describeCandidates(writing: Writing, rows: readonly NameRow[], total: number): Promise<Message> {
  const shown = await Promise.all(rows.slice(0, MOST_CANDIDATES).map((row) => describeCompany(writing, row)));
  const listed = joined(shown, "; ");
  return total > shown.length ? msg`${listed} and ${total - shown.length} more` : listed;
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
    describeMarket(row, marksFigureless && !hasFigures(row)),
    country === written.country ? "" : country,
    pickColumn(row, "city"),
  ];
  const known = facts.filter((fact) => fact !== "");
  return msg`"${text}" (${joined(known, ", ")})`;
}

function describeMarket(row: NameRow, isFigureless: boolean): Message {
  const isListed = pickColumn(row, "tickerSymbol") !== "";
  if (isFigureless) return isListed ? msg`listed: no financials` : msg`private: no financials`;
  return isListed ? msg`listed` : msg`private`;
}

const LONGEST_SHOWN = 60;

export const toShort = (text: string): string =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;

import { joined, type Message, msg } from "../../client/messages";
import { listNames, type NameRow, pickColumn } from "./rows";

export const MOST_CANDIDATES = 5;

/** Lists companies of one name for a choice, at most five. */
export function describeCandidates(rows: readonly NameRow[], total: number): Message {
  const shown = rows.slice(0, MOST_CANDIDATES).map(describeCompany);
  const listed = joined(shown, "; ");
  return total > shown.length ? msg`${listed} and ${total - shown.length} more` : listed;
}

/** Describes a company: "Sakura Foods · JPN · listed 4952", "Sakura Foods · JPN · private, 0107 · Osaka". */
export function describeCompany(row: NameRow): Message {
  const [name = pickColumn(row, "companyId")] = listNames(row);
  const ticker = pickColumn(row, "tickerSymbol");
  const number = pickColumn(row, "registrationNumber");
  const unlisted = number === "" ? msg`private` : msg`private, ${number}`;
  const kind = ticker !== "" ? msg`listed ${ticker}` : unlisted;
  const facts = [toShort(name), pickColumn(row, "countryCode"), kind, pickColumn(row, "city")];
  return joined(
    facts.filter((fact) => fact !== ""),
    " · ",
  );
}

const LONGEST_SHOWN = 60;

export const toShort = (text: string): string =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;

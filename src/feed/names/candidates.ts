import { listNames, type NameRow, pickColumn } from "./rows";

export const MOST_CANDIDATES = 5;

/** Lists companies of one name for a choice, at most five. */
export function describeCandidates(rows: readonly NameRow[], total: number): string {
  const shown = rows.slice(0, MOST_CANDIDATES).map(describeCompany);
  const more = total > shown.length ? ` and ${total - shown.length} more` : "";
  return `${shown.join("; ")}${more}`;
}

/** Describes a company: "Sakura Foods · JPN · listed 4952", "Sakura Foods · JPN · private, 0107 · Osaka". */
export function describeCompany(row: NameRow): string {
  const [name = pickColumn(row, "companyId")] = listNames(row);
  const ticker = pickColumn(row, "tickerSymbol");
  const number = pickColumn(row, "registrationNumber");
  const kind = ticker !== "" ? `listed ${ticker}` : `private${number === "" ? "" : `, ${number}`}`;
  return [toShort(name), pickColumn(row, "countryCode"), kind, pickColumn(row, "city")]
    .filter((fact) => fact !== "")
    .join(" · ");
}

const LONGEST_SHOWN = 60;

export const toShort = (text: string): string =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;

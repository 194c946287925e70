import { type Row, readText } from "../../feed/decode";
import type { NameSource } from "../../feed/names/rows";
import type { ChosenCompany } from "../pane";

/** A company of the index of names, as a person reads it. */
export interface FoundCompany extends ChosenCompany {
  /** In the other language, or else the name it is known by; null where there is only one. */
  otherName: string | null;
  country: string | null;
  ticker: string | null;
  registrationNumber: string | null;
  /** Whether the index knows it from the private-market data. */
  isPrivate: boolean;
}

/** Reads a company of the index; null where it has no id. */
export function readFound(row: Row, language: "en" | "ja"): FoundCompany | null {
  const id = readText(row.companyId);
  if (id === null) return null;
  const native = readText(row.companyFormalName) ?? readText(row.companyLegalName) ?? readText(row.companyName);
  const english = readText(row.companyEnglishName);
  const names = language === "ja" ? [native, english] : [english, native];
  const all = [...names, readText(row.companyInformalName)].filter((name) => name !== null);
  const [name = id, otherName = null] = new Set(all);
  return {
    id,
    name,
    otherName,
    country: readText(row.countryCode),
    ticker: readText(row.tickerSymbol),
    registrationNumber: readText(row.registrationNumber),
    isPrivate: readText(row.families)?.includes("private" satisfies NameSource) === true,
  };
}

/** Id of the element that shows a company's id, to be selected where it cannot be copied. */
export const toIdElement = (id: string): string => `company-${id}`;

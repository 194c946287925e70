import { useRef } from "react";
import type { NameSource } from "../../feed/names/rows";
import { isCompanyText, useCompanyNames, withCompanies, withIds } from "./company-writing";
import { useReadCompanies } from "./read-companies";

/** The content of a field for companies. */
export interface CompanyContent {
  written: string;
  isList: boolean;
  /** The family of data that must have a company. */
  needs: NameSource;
  change: (written: string) => void;
}

/** Returns a function that adds texts as companies: a name becomes its company's id once it is read, or is doubtful. */
export function useAdd({
  written,
  isList,
  needs,
  change,
}: CompanyContent): (texts: readonly string[]) => Promise<void> {
  const { remember, doubt } = useCompanyNames();
  const read = useReadCompanies(needs);
  const latest = useRef({ written, change });
  latest.current = { written, change };
  return async (texts) => {
    const given = texts.map((text) => text.replaceAll(",", " ").trim()); // commas separate companies
    latest.current.change(withCompanies(latest.current.written, given, isList));
    const names = given.filter((text) => !isCompanyText(text));
    if (names.length === 0) return;
    const all = await read(names);
    remember(all.flatMap(({ company }) => company ?? []));
    doubt(all.filter(({ company }) => company === null).map(({ text }) => text));
    const ids = new Map(all.flatMap(({ text, company }) => (company === null ? [] : [[text, company.id] as const])));
    latest.current.change(withIds(latest.current.written, ids));
  };
}

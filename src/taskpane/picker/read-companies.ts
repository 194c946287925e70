import { useRef } from "react";
import type { NameSource } from "../../feed/names/rows";
import { type FoundCompany, readFound, toNameLanguage } from "../company-search";
import { usePane } from "../pane";
import { settle } from "../settle";
import { isCompanyText, useCompanyNames, withCompanies, withIds } from "./company-writing";

/** A text that a person gave as a company. */
interface ReadCompany {
  text: string;
  /** The only company that has it as its name or ticker; null where it is doubtful. */
  company: FoundCompany | null;
}

/**
 * Returns a function that reads texts as names or tickers of companies by the index, as a formula does.
 *
 * @param needs the family that must have the company; default any
 */
export function useReadCompanies(needs?: NameSource): (texts: readonly string[]) => Promise<ReadCompany[]> {
  const { session, texts } = usePane();
  const { names, queryCache } = session.feed;
  const read = async (text: string): Promise<ReadCompany> => {
    const state = await settle(queryCache, names.query(text, session.settings.country, "exact", needs));
    const [only, ...others] = state.status === "answered" ? state.answer.value.rows : [];
    const isOne = only !== undefined && others.length === 0;
    return { text, company: isOne ? readFound(only, toNameLanguage(session.settings, texts)) : null };
  };
  return (all) => Promise.all(all.map(read));
}

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

import { useState } from "react";
import { type Found, useSearch } from "../companies/search";
import { usePane } from "../pane";
import { useCompanyNames } from "./company-names";
import { isCompanyText, withCompany } from "./company-writing";

interface CompanySearchOptions {
  written: string;
  isList: boolean;
  change: (written: string) => void;
}

/** How far the search for a text is; unready where nothing could be looked up. */
export type Searched = "idle" | "searching" | "found" | "nobody" | "unready";

const MOST_SHOWN = 8;

/** What is being written into a field for companies, until one is chosen, and who fits it. */
export function useCompanySearch({ written, isList, change }: CompanySearchOptions) {
  const { country } = usePane().session.settings;
  const { remember } = useCompanyNames();
  const [search, setSearch] = useState("");
  const text = search.trim();
  const wanted = isCompanyText(text) ? "" : text;
  const found = useSearch({ text: wanted, isComposing: false, country, most: MOST_SHOWN });
  const searched = toSearched(wanted, found);
  const companies = wanted === "" ? [] : (found?.companies ?? []);
  const isFormula = written.trim().startsWith("=");
  const choose = (company: string) => {
    setSearch("");
    const chosen = companies.find(({ id }) => id === company);
    if (chosen !== undefined) remember(chosen);
    change(withCompany(written, company, isList));
  };
  return {
    shown: isFormula ? written : search,
    text,
    companies,
    searched,
    choose,
    // Beside companies that were found, it would be taken by mistake.
    isOffered: isCompanyText(text) || searched === "nobody" || searched === "unready",
    write(typed: string) {
      const isFormulaNow = typed.trim().startsWith("=");
      setSearch(isFormulaNow ? "" : typed);
      if (isFormulaNow || isFormula) change(isFormulaNow ? typed : "");
    },
    settle: () => isCompanyText(text) && choose(text),
  };
}

function toSearched(wanted: string, found: Found | null): Searched {
  if (wanted === "") return "idle";
  if (!found?.isCurrent) return "searching";
  if (found.error !== null) return "unready";
  return found.companies.length === 0 ? "nobody" : "found";
}

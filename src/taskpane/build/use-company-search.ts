import { useState } from "react";
import { useCompanyNames } from "./company-names";
import { isCompanyText, withCompany } from "./company-writing";
import { useMatches } from "./use-matches";

interface CompanySearchOptions {
  written: string;
  isList: boolean;
  change: (written: string) => void;
}

/** What is being written into a field for companies, until one is chosen, and who fits it. */
export function useCompanySearch({ written, isList, change }: CompanySearchOptions) {
  const { remember } = useCompanyNames();
  const [search, setSearch] = useState("");
  const text = search.trim();
  const matches = useMatches(isCompanyText(text) ? "" : text);
  const isFormula = written.trim().startsWith("=");
  const choose = (company: string) => {
    setSearch("");
    const match = matches.found.find(({ id }) => id === company);
    if (match !== undefined) remember(match);
    change(withCompany(written, company, isList));
  };
  return {
    shown: isFormula ? written : search,
    text,
    matches,
    choose,
    // Beside companies that were found, it would be taken by mistake.
    isOffered: isCompanyText(text) || matches.status === "nobody" || matches.status === "unready",
    write(typed: string) {
      const isFormulaNow = typed.trim().startsWith("=");
      setSearch(isFormulaNow ? "" : typed);
      if (isFormulaNow || isFormula) change(isFormulaNow ? typed : "");
    },
    settle: () => isCompanyText(text) && choose(text),
  };
}

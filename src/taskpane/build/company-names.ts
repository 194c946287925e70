import { createContext, useContext, useMemo, useState } from "react";
import type { ChosenCompany } from "../pane";

/** How companies are called that were chosen by name. */
export interface CompanyNames {
  nameOf: (companyId: string) => string | undefined;
  remember: (company: ChosenCompany) => void;
}

export const CompanyNamesContext = createContext<CompanyNames>({ nameOf: () => undefined, remember: () => {} });

export const useCompanyNames = (): CompanyNames => useContext(CompanyNamesContext);

/** Remembers how companies are called, for as long as the form stands. */
export function useMemory(): CompanyNames {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  return useMemo(
    () => ({
      nameOf: (companyId) => names.get(companyId),
      remember: ({ id, name }) => setNames((before) => new Map([...before, [id, name]])),
    }),
    [names],
  );
}

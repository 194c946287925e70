import { createContext, useContext, useMemo, useState } from "react";
import type { ChosenCompany } from "../pane";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Registration numbers are mostly digits; a ticker is shorter. */
const NUMBER = /^(?=(?:\D*\d){6})[\w-]{6,}$/;

/** The companies that a field lists; none where it holds a reference. */
export function listWritten(written: string): string[] {
  if (written.trim().startsWith("=")) return [];
  return written
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Whether a text is a company id or registration number, not a name. */
export const isCompanyText = (text: string): boolean => UUID.test(text.trim()) || NUMBER.test(text.trim());

/** The field's text with a company added, or replaced where it takes one. */
export const withCompany = (written: string, company: string, isList: boolean): string =>
  isList ? [...listWritten(written).filter((each) => each !== company), company].join(", ") : company;

/** The field's text without a company. */
export const withoutCompany = (written: string, company: string): string =>
  listWritten(written)
    .filter((each) => each !== company)
    .join(", ");

/** The names of companies that were chosen by name. */
export interface CompanyNames {
  nameOf: (companyId: string) => string | undefined;
  remember: (company: ChosenCompany) => void;
}

export const CompanyNamesContext = createContext<CompanyNames>({ nameOf: () => undefined, remember: () => {} });

export const useCompanyNames = (): CompanyNames => useContext(CompanyNamesContext);

/** Remembers the names of companies while the form is mounted. */
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

import { createContext, useContext, useMemo, useState } from "react";
import { isCompanyId } from "../../client/ids";
import type { ChosenCompany } from "../pane";

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

/** The distinct companies of a pasted text: its lines and cells, else its parts between commas. */
export function listPasted(pasted: string): string[] {
  const separator = /[\n\t]/.test(pasted.trim()) ? /[\r\n\t]+/ : /[,;、，]+/;
  const parts = pasted.split(separator).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}

/** Whether a text is a company id or registration number, not a name. */
export const isCompanyText = (text: string): boolean => isCompanyId(text.trim()) || NUMBER.test(text.trim());

/** The field's text with a company added, or replaced where it takes one. */
export const withCompany = (written: string, company: string, isList: boolean): string =>
  isList ? [...new Set([...listWritten(written), company])].join(", ") : company;

/** The field's text without a company. */
export const withoutCompany = (written: string, company: string): string =>
  listWritten(written)
    .filter((each) => each !== company)
    .join(", ");

/** The field's text with companies added; a field for one takes the last. */
export const withCompanies = (written: string, companies: readonly string[], isList: boolean): string =>
  companies.reduce((before, company) => withCompany(before, company, isList), written);

/** The field's text with a company in the place of another text. */
export const withReplaced = (written: string, text: string, company: string): string =>
  withIds(written, new Map([[text, company]]));

/** The field's text with ids in place of texts. */
export const withIds = (written: string, ids: ReadonlyMap<string, string>): string =>
  ids.size === 0 ? written : [...new Set(listWritten(written).map((each) => ids.get(each) ?? each))].join(", ");

/** The names of companies that were chosen by name, and the texts that name no single company. */
export interface CompanyNames {
  nameOf: (companyId: string) => string | undefined;
  remember: (companies: readonly ChosenCompany[]) => void;
  isDoubtful: (text: string) => boolean;
  doubt: (texts: readonly string[]) => void;
}

export const CompanyNamesContext = createContext<CompanyNames>({
  nameOf: () => undefined,
  remember: () => {},
  isDoubtful: () => false,
  doubt: () => {},
});

export const useCompanyNames = (): CompanyNames => useContext(CompanyNamesContext);

/** Remembers the names of companies while the form is mounted. */
export function useMemory(): CompanyNames {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const [doubtful, setDoubtful] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      nameOf: (companyId) => names.get(companyId),
      remember: (companies) =>
        setNames((before) => new Map([...before, ...companies.map(({ id, name }) => [id, name] as const)])),
      isDoubtful: (text) => doubtful.has(text),
      doubt: (texts) => setDoubtful((before) => new Set([...before, ...texts])),
    }),
    [names, doubtful],
  );
}

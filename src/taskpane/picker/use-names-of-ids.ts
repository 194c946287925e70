import { useEffect } from "react";
import { usePane } from "../pane";
import { isId, useCompanyNames } from "./company-writing";
import { useReadCompanies } from "./read-companies";

/** Names the companies that a field has by id, where the index of the settings' country is open: without a request. */
export function useNamesOfIds(companies: readonly string[]): void {
  const { session } = usePane();
  const { nameOf, remember } = useCompanyNames();
  const read = useReadCompanies();
  const unnamed = companies.filter((each) => isId(each) && nameOf(each) === undefined).join(",");
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other companies are read again
  useEffect(() => {
    const { facts } = session.feed.nameIndexes.state(session.settings.country);
    if (unnamed === "" || facts === null) return;
    void read(unnamed.split(",")).then((all) =>
      remember(all.flatMap(({ text, company }) => (company === null ? [] : [{ id: text, name: company.name }]))),
    );
  }, [session, unnamed]);
}

import { Button, Caption1, Link, makeStyles, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { ComboBox } from "../ComboBox";
import { type Found, useSearch } from "../company-search";
import { usePane } from "../pane";
import { isCompanyText, listWritten, useCompanyNames, withCompany, withoutCompany } from "./company-writing";

const useStyles = makeStyles({
  chosen: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalXS, marginTop: tokens.spacingVerticalXS },
  company: { maxWidth: "100%", minWidth: 0, overflowWrap: "anywhere", textAlign: "start" },
  code: { color: tokens.colorNeutralForeground3 },
});

interface CompanyBoxProps {
  written: string;
  isList: boolean;
  change: (written: string) => void;
}

/** A field for companies: by name from the index, by id or number, or from cells. */
export function CompanyBox({ written, isList, change }: CompanyBoxProps) {
  const styles = useStyles();
  const { asWritten, companyExample } = usePane().texts.ofBuild;
  const { shown, text, companies, searched, isOffered, ...search } = useCompanySearch({ written, isList, change });
  const found = companies.map(({ id, name, ticker, registrationNumber }) => ({
    value: id,
    text: name,
    label: (
      <>
        {name} <span className={styles.code}>{ticker ?? registrationNumber}</span>
      </>
    ),
  }));
  return (
    <div>
      <ComboBox
        placeholder={companyExample}
        value={shown}
        offers={[...found, ...(isOffered ? [{ value: text, label: asWritten(text) }] : [])]}
        onWrite={search.write}
        onChoose={search.choose}
        onBlur={search.settle}
      />
      <SearchStatus searched={searched} search={text} />
      <Chosen written={written} change={change} />
    </div>
  );
}

/** The status of a search without results. */
function SearchStatus({ searched, search }: { searched: Searched; search: string }) {
  const { texts, open } = usePane();
  const { searching, noMatch, noNames, lookInFind } = texts.ofBuild;
  const isEmpty = searched === "nobody" || searched === "unready";
  return (
    <div role="status">
      {searched === "searching" && <Caption1>{searching}</Caption1>}
      {isEmpty && (
        <Caption1>
          {searched === "nobody" ? noMatch(search) : noNames}{" "}
          <Link inline onClick={() => open("find", { name: search })}>
            {lookInFind}
          </Link>
        </Caption1>
      )}
    </div>
  );
}

/** The chosen companies, each with a button that removes it. */
function Chosen({ written, change }: Omit<CompanyBoxProps, "isList">) {
  const styles = useStyles();
  const { nameOf } = useCompanyNames();
  const { removeCompany } = usePane().texts.ofBuild;
  const companies = listWritten(written);
  return (
    companies.length > 0 && (
      <div className={styles.chosen}>
        {companies.map((company) => (
          <Button
            key={company}
            size="small"
            className={styles.company}
            aria-label={removeCompany(nameOf(company) ?? company)}
            onClick={() => change(withoutCompany(written, company))}
          >
            {nameOf(company) ?? company} ×
          </Button>
        ))}
      </div>
    )
  );
}

/** The state of a search; unready where the index cannot be searched. */
type Searched = "idle" | "searching" | "found" | "nobody" | "unready";

const MOST_SHOWN = 8;

/** The text in a field for companies until one is chosen, and the matching companies. */
function useCompanySearch({ written, isList, change }: CompanyBoxProps) {
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
    // Beside matching companies, it would be chosen by mistake.
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

import { Button, Caption1, Combobox, Link, makeStyles, Option, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { usePane } from "../pane";
import { useCompanyNames } from "./company-names";
import { isCompanyText, listWritten, withCompany, withoutCompany } from "./company-writing";
import { type Matches, useMatches } from "./use-matches";

const useStyles = makeStyles({
  box: { minWidth: 0, width: "100%" },
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
  const { texts } = usePane();
  const { remember } = useCompanyNames();
  const { asWritten, companyExample } = texts.ofBuild;
  const isFormula = written.trim().startsWith("=");
  const [search, setSearch] = useState("");
  const [isOpen, setOpen] = useState(false);
  const matches = useMatches(isCompanyText(search) ? "" : search.trim());
  const write = (text: string) => {
    const isFormulaNow = text.trim().startsWith("=");
    setSearch(isFormulaNow ? "" : text);
    setOpen(!isFormulaNow); // by itself it opens at keys of one letter, which an input method does not send
    if (isFormulaNow || isFormula) change(isFormulaNow ? text : "");
  };
  const choose = (company: string) => {
    setSearch("");
    const match = matches.found.find(({ id }) => id === company);
    if (match !== undefined) remember(match);
    change(withCompany(written, company, isList));
  };
  // Beside companies that were found, it would be taken by mistake.
  const isOffered = isCompanyText(search) || matches.status === "nobody" || matches.status === "unready";
  const settle = () => isCompanyText(search) && choose(search.trim());
  return (
    <div>
      <Combobox
        freeform
        inlinePopup
        open={isOpen}
        onOpenChange={(_, { open }) => setOpen(open)}
        className={styles.box}
        placeholder={companyExample}
        value={isFormula ? written : search}
        selectedOptions={[]}
        onChange={({ target }) => write(target.value)}
        onOptionSelect={(_, { optionValue }) => optionValue !== undefined && choose(optionValue)}
        onBlur={settle}
      >
        {matches.found.map(({ id, name, code }) => (
          <Option key={id} value={id} text={name}>
            <span>
              {name} <span className={styles.code}>{code}</span>
            </span>
          </Option>
        ))}
        {isOffered && (
          <Option value={search.trim()} text={search.trim()}>
            {asWritten(search.trim())}
          </Option>
        )}
      </Combobox>
      <Searched matches={matches} search={search.trim()} />
      <Chosen written={written} change={change} />
    </div>
  );
}

/** That nobody was found, or why nobody could be looked for. */
function Searched({ matches: { status }, search }: { matches: Matches; search: string }) {
  const { texts, open } = usePane();
  const { searching, noMatch, noNames, lookInFind } = texts.ofBuild;
  const isEmpty = status === "nobody" || status === "unready";
  return (
    <div role="status">
      {status === "searching" && <Caption1>{searching}</Caption1>}
      {isEmpty && (
        <Caption1>
          {status === "nobody" ? noMatch(search) : noNames}{" "}
          <Link inline onClick={() => open("find", { name: search })}>
            {lookInFind}
          </Link>
        </Caption1>
      )}
    </div>
  );
}

/** The companies that were chosen, each to be taken out again. */
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

import { Button, Caption1, Link, makeStyles, tokens } from "@fluentui/react-components";
import { ComboBox } from "../ComboBox";
import { usePane } from "../pane";
import { useCompanyNames } from "./company-names";
import { listWritten, withoutCompany } from "./company-writing";
import { type Searched, useCompanySearch } from "./use-company-search";

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
      <Said searched={searched} search={text} />
      <Chosen written={written} change={change} />
    </div>
  );
}

/** That nobody was found, or why nobody could be looked for. */
function Said({ searched, search }: { searched: Searched; search: string }) {
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

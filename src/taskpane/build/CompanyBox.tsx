import { Button, Caption1, Link, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from "react";
import type { NameSource } from "../../feed/names/rows";
import { ComboBox } from "../ComboBox";
import { type Found, type FoundCompany, useSearch } from "../company-search";
import { usePane } from "../pane";
import {
  isCompanyText,
  listPasted,
  listWritten,
  useCompanyNames,
  withCompanies,
  withCompany,
  withIds,
  withoutCompany,
} from "./company-writing";
import { useReadCompanies } from "./read-companies";

const useStyles = makeStyles({
  chosen: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalXS, marginTop: tokens.spacingVerticalXS },
  company: { maxWidth: "100%", minWidth: 0, overflowWrap: "anywhere", textAlign: "start" },
  doubtful: {
    border: `1px dashed ${tokens.colorStatusWarningBorder2}`,
    color: tokens.colorStatusWarningForeground2,
    backgroundColor: tokens.colorStatusWarningBackground1,
  },
  fact: { color: tokens.colorNeutralForeground3 },
});

interface CompanyBoxProps {
  written: string;
  isList: boolean;
  /** The family of data that must have a company. */
  needs: NameSource;
  change: (written: string) => void;
}

/** A field for companies: by name or ticker from the index, by id or number, by a pasted list, or from cells. */
export function CompanyBox({ written, isList, needs, change }: CompanyBoxProps) {
  const { asWritten, companyExample, leftOut } = usePane().texts.ofBuild;
  const field = useCompanyField({ written, isList, needs, change });
  const { shown, text, found, searched, isOffered } = field;
  const companies = searched === "idle" ? [] : (found?.companies ?? []);
  const offers = companies.map((company) => ({
    value: company.id,
    text: company.name,
    label: <Label company={company} />,
  }));
  const left = searched === "found" || searched === "nobody" ? (found?.leftOut ?? 0) : 0;
  return (
    <div onPaste={field.paste}>
      <ComboBox
        takesFirst={searched === "found"}
        placeholder={companyExample}
        value={shown}
        offers={[...offers, ...(isOffered ? [{ value: text, label: asWritten(text) }] : [])]}
        onWrite={field.write}
        onChoose={field.choose}
        onKeyDown={field.press}
        onBlur={field.settle}
      />
      <SearchStatus searched={searched} search={text} />
      {left > 0 && <Caption1 block>{leftOut[needs](left)}</Caption1>}
      <Chosen written={written} change={change} correct={field.correct} />
    </div>
  );
}

/** A company's name, and what tells it from its namesakes. */
function Label({ company: { name, ticker, registrationNumber, country } }: { company: FoundCompany }) {
  const styles = useStyles();
  const { listed, unlisted } = usePane().texts.ofBuild;
  const facts = [country, ticker === null ? unlisted(registrationNumber) : listed(ticker)];
  return (
    <>
      {name} <span className={styles.fact}>{facts.filter((fact) => fact !== null).join(" · ")}</span>
    </>
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

interface ChosenProps extends Pick<CompanyBoxProps, "written" | "change"> {
  /** Takes a doubtful text back into the field. */
  correct: (text: string) => void;
}

/** The chosen companies, each with a button that removes it; a doubtful one goes back into the field. */
function Chosen({ written, change, correct }: ChosenProps) {
  const styles = useStyles();
  const { nameOf, isDoubtful } = useCompanyNames();
  const { removeCompany, correctCompany, doubtfulCompany } = usePane().texts.ofBuild;
  const companies = listWritten(written);
  return (
    companies.length > 0 && (
      <div className={styles.chosen}>
        {companies.map((company) => {
          const isWrong = isDoubtful(company);
          const name = nameOf(company) ?? company;
          return (
            <Button
              key={company}
              size="small"
              className={mergeClasses(styles.company, isWrong && styles.doubtful)}
              aria-label={isWrong ? correctCompany(name) : removeCompany(name)}
              title={isWrong ? doubtfulCompany : undefined}
              onClick={() => (isWrong ? correct(company) : change(withoutCompany(written, company)))}
            >
              {name} {isWrong ? "?" : "×"}
            </Button>
          );
        })}
      </div>
    )
  );
}

/** The state of a search; unready where the index cannot be searched. */
type Searched = "idle" | "searching" | "found" | "nobody" | "unready";

const MOST_SHOWN = 8;

/** The text in a field for companies until one is chosen, and the matching companies. */
function useCompanyField({ written, isList, needs, change }: CompanyBoxProps) {
  const { country } = usePane().session.settings;
  const { remember, doubt } = useCompanyNames();
  const add = useAdd({ written, isList, needs, change });
  const [search, setSearch] = useState("");
  const text = search.trim();
  const wanted = isCompanyText(text) ? "" : text;
  const found = useSearch({ text: wanted, isComposing: false, country, most: MOST_SHOWN, needs });
  const searched = toSearched(wanted, found);
  const isFormula = written.trim().startsWith("=");
  const enter = (texts: readonly string[]) => {
    setSearch("");
    void add(texts);
  };
  return {
    shown: isFormula ? written : search,
    text,
    found,
    searched,
    // Beside matching companies, it would be chosen by mistake.
    isOffered: isCompanyText(text) || searched === "nobody" || searched === "unready",
    choose(company: string) {
      setSearch("");
      const chosen = found?.companies.find(({ id }) => id === company);
      if (chosen !== undefined) remember([chosen]);
      else if (!isCompanyText(company)) doubt([company]);
      change(withCompany(written, company, isList));
    },
    write(typed: string) {
      const isFormulaNow = typed.trim().startsWith("=");
      setSearch(isFormulaNow ? "" : typed);
      if (isFormulaNow || isFormula) change(isFormulaNow ? typed : "");
    },
    press(event: KeyboardEvent) {
      if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing || text === "") return;
      event.preventDefault(); // of the form
      enter([text]);
    },
    settle: () => text !== "" && enter([text]),
    paste(event: ClipboardEvent) {
      const pasted = listPasted(event.clipboardData.getData("text"));
      if (!isList || pasted.length < 2) return;
      event.preventDefault(); // the field has one line
      enter(pasted);
    },
    correct(company: string) {
      change(withoutCompany(written, company));
      setSearch(company);
    },
  };
}

/** Returns a function that adds texts as companies: a name becomes its company's id once it is read, or is doubtful. */
export function useAdd({ written, isList, needs, change }: CompanyBoxProps) {
  const { remember, doubt } = useCompanyNames();
  const read = useReadCompanies(needs);
  const latest = useRef({ written, change });
  latest.current = { written, change };
  return async (texts: readonly string[]) => {
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

function toSearched(wanted: string, found: Found | null): Searched {
  if (wanted === "") return "idle";
  if (!found?.isCurrent) return "searching";
  if (found.error !== null) return "unready";
  return found.companies.length === 0 ? "nobody" : "found";
}

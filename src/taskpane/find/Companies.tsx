import { Field, Input, makeStyles, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { type Found, type FoundCompany, useSearch } from "../company-search";
import { type Handoffs, useHandoff, usePane } from "../pane";
import { Country } from "./Country";
import { NamesBuilt, NamesWanted, useNames } from "./Names";
import { Results, toOptionId } from "./Results";
import { SearchStatus } from "./SearchStatus";

const useStyles = makeStyles({
  page: { display: "grid", rowGap: tokens.spacingVerticalM },
  fields: { display: "flex", alignItems: "start", columnGap: tokens.spacingHorizontalS },
});

export const MOST_SHOWN = 50;

interface CompaniesProps {
  country: string;
  onCountry: (country: string) => void;
  /** The name to search, handed over by another part. */
  handoff: Handoffs["find"] | undefined;
  /** The search field, for focus. */
  field: RefObject<HTMLInputElement | null>;
  onOpen: (company: FoundCompany) => void;
}

/** Finds companies by their names and numbers while a person types. */
export function Companies({ country, onCountry, handoff, field, onOpen }: CompaniesProps) {
  const styles = useStyles();
  const [text, setText] = useState("");
  const [isComposing, setComposing] = useState(false);
  const list = useId();
  const names = useNames(country);
  const found = useSearch({ text, isComposing, country, most: MOST_SHOWN });
  const { active, go, press, open } = useChoosing(found, onOpen);
  const hasResults = found !== null && found.companies.length > 0;
  const write = (written: string) => {
    setText(written);
    go(-1);
  };
  useHandoff(handoff, ({ name }) => write(name));
  return (
    <div className={styles.page}>
      <div className={styles.fields}>
        <SearchField
          {...{ field, text, press, setComposing }}
          write={write}
          list={hasResults ? list : null}
          option={active === -1 ? null : toOptionId(list, active)}
        />
        <Country country={country} onChoose={onCountry} />
      </div>
      <NamesWanted {...names} />
      <SearchStatus {...{ found, text, names, write, onCountry }} />
      {hasResults && <Results id={list} found={found} active={active} onOpen={open} />}
      <NamesBuilt {...names} />
    </div>
  );
}

/** The active company, which Enter opens, and its keys; -1 is the field itself. */
function useChoosing(found: Found | null, onOpen: (company: FoundCompany) => void) {
  const [active, go] = useState(-1);
  const companies = found?.companies ?? [];
  const open = (company: FoundCompany, place: number) => {
    go(place);
    onOpen(company);
  };
  const press = (event: KeyboardEvent) => {
    const chosen = Math.max(active, 0);
    const company = companies[chosen];
    if (event.key === "Enter" && company !== undefined && found?.isCurrent) return open(company, chosen);
    const place = toPlace(event.key, active, companies.length);
    if (place === null) return;
    event.preventDefault(); // the arrows would move the cursor within the text
    go(place);
  };
  return { active, go, press, open };
}

/** The line that a key leads to; null for none. Above the first line is the field itself. */
function toPlace(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  if (key === "ArrowDown") return active + 1 < count ? active + 1 : -1;
  if (key === "ArrowUp") return active === -1 ? count - 1 : active - 1;
  return key === "Escape" && active !== -1 ? -1 : null;
}

const useSearchFieldStyles = makeStyles({
  field: { flex: "1 1 auto", minWidth: 0 },
  input: { minWidth: 0 },
});

interface SearchFieldProps {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  write: (text: string) => void;
  /** Handles the keys that move through the results. */
  press: (event: KeyboardEvent) => void;
  /** Called when an input method begins and ends composing. */
  setComposing: (isComposing: boolean) => void;
  /** Id of the list of results; null while there is none. */
  list: string | null;
  /** Id of the active line. */
  option: string | null;
}

/** The field for names, tickers and numbers, which keeps the focus while arrow keys move through the list below. */
function SearchField({ field, text, write, press, setComposing, list, option }: SearchFieldProps) {
  const { ofFind } = usePane().texts;
  const styles = useSearchFieldStyles();
  return (
    <Field label={ofFind.company} className={styles.field}>
      <Input
        ref={field}
        className={styles.input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={list !== null}
        aria-controls={list ?? undefined}
        aria-activedescendant={option ?? undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={ofFind.companyHint}
        value={text}
        onChange={(_, { value }) => write(value)}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
        onKeyDown={(event) => !event.nativeEvent.isComposing && press(event)}
      />
    </Field>
  );
}

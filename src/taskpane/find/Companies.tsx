import { Body1, Button, Field, Link, makeStyles, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";
import { FeedError } from "../../client/errors";
import { readCountryPrefix } from "../../feed/names/country-prefix";
import type { NamedCompany } from "../../feed/resolutions";
import { Country } from "../Choice";
import { type FoundCompany, type SearchedCompanies, useIsSample, useSearch } from "../company-search";
import { Hint, Row, Stack, useLook } from "../layout";
import { wantsFigures } from "../named-companies";
import { ComboField, Options, useOptionKeys } from "../Options";
import { type Handoffs, useHandoff, usePane } from "../pane";
import { useCandidates } from "../picker/Candidates";
import { CompanyRow } from "../picker/CompanyRow";
import { Reason } from "../Reason";
import { type Names, NamesBuilt, NamesWanted, useNames } from "./Names";

const useStyles = makeStyles({
  list: { margin: `0 calc(-1 * ${tokens.spacingHorizontalS})` },
  example: { marginLeft: tokens.spacingHorizontalS },
});

export const MOST_SHOWN = 50;

interface CompaniesProps {
  country: string;
  onCountry: (country: string) => void;
  /** The name to search, handed over by another part. */
  handoff: Handoffs["find"] | undefined;
  /** The text of formulas whose company is to be chosen; null for none. */
  named: NamedCompany | null;
  /** The search field, for focus. */
  field: RefObject<HTMLInputElement | null>;
  onOpen: (company: FoundCompany) => void;
}

/** Finds companies by their names and numbers while a person types. */
export function Companies({ country, onCountry, handoff, named, field, onOpen }: CompaniesProps) {
  const styles = useStyles();
  const { ofFind, ofPicker } = usePane().texts;
  const [text, setText] = useState("");
  const [isComposing, setComposing] = useState(false);
  const list = useId();
  const names = useNames(readCountryPrefix(text, country).country);
  const found = useSearch({ text, isComposing, country, most: MOST_SHOWN });
  const isEmpty = found !== null && found.error === null && found.companies.length === 0;
  const closest = useCandidates(isEmpty ? found : null)?.companies ?? [];
  const companies = useOrder(isEmpty ? closest : (found?.companies ?? []), named);
  const open = (place: number) => {
    keys.go(place);
    onOpen(companies[place] as FoundCompany);
  };
  // Enter opens nothing that was found for the text before.
  const keys = useOptionKeys({
    count: companies.length,
    first: found?.isCurrent ? 0 : null,
    take: open,
  });
  const press = useEarlyEnter(keys.press, text, found?.isCurrent === true && companies.length > 0, open);
  const write = (written: string) => {
    setText(written);
    keys.go(null);
  };
  useHandoff(handoff, ({ name }) => write(name));
  const hasResults = companies.length > 0;
  return (
    <Stack gap="M">
      <Row align="start" isOneLine>
        <SearchField
          {...{ field, text, press, setComposing, write, active: keys.active }}
          list={hasResults ? list : null}
        />
        <Country country={country} onChoose={onCountry} />
      </Row>
      {named !== null && <Body1 block>{ofPicker.choosing(named.name)}</Body1>}
      <NamesWanted {...names} />
      <SearchStatus {...{ found, text, names, write, onCountry }} closest={closest.length} />
      {hasResults && found !== null && (
        <Options
          id={list}
          aria-label={ofFind.results}
          className={styles.list}
          offers={companies.map((company) => ({
            value: company.id,
            label: <CompanyRow company={company} query={found.text} />,
          }))}
          active={keys.active}
          choose={open}
        />
      )}
      <NamesBuilt {...names} />
    </Stack>
  );
}

/** Takes the first company for Enter pressed before any was found for the text, once one is and unless the text changes. */
function useEarlyEnter(
  pressOption: (event: KeyboardEvent) => void,
  text: string,
  isFound: boolean,
  open: (place: number) => void,
) {
  const [entered, enter] = useState<string | null>(null);
  useEffect(() => {
    if (entered === null || (entered === text && !isFound)) return;
    enter(null);
    if (entered === text) open(0);
  });
  return (event: KeyboardEvent) => {
    pressOption(event);
    const isOpen = event.key === "Enter" && !event.defaultPrevented && !event.nativeEvent.isComposing;
    if (isOpen && text.trim() !== "") enter(text);
  };
}

/** Companies that may have figures come first where formulas want some of the one that is chosen. */
function useOrder(companies: readonly FoundCompany[], named: NamedCompany | null): readonly FoundCompany[] {
  const { session } = usePane();
  if (named === null || !wantsFigures(session, named)) return companies;
  return [...companies.filter(({ isPrivate }) => isPrivate), ...companies.filter(({ isPrivate }) => !isPrivate)];
}

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
  /** The place of the active company; null for none. */
  active: number | null;
}

/** The field for names, tickers and numbers, which keeps the focus while arrow keys move through the list below. */
function SearchField({ field, text, write, press, setComposing, list, active }: SearchFieldProps) {
  const { ofFind } = usePane().texts;
  return (
    <Field label={ofFind.company} className={useLook().growing}>
      <ComboField
        ref={field}
        placeholder={ofFind.companyHint}
        value={text}
        list={list}
        active={active}
        onWrite={write}
        onKeyDown={press}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
      />
    </Field>
  );
}

interface SearchStatusProps {
  found: SearchedCompanies | null;
  /** The field's text. */
  text: string;
  /** How many companies are most like a text that none matches. */
  closest: number;
  names: Names;
  write: (text: string) => void;
  onCountry: (country: string) => void;
}

/** The status of a search: the number of results, or advice. Screen readers announce it. */
function SearchStatus(props: SearchStatusProps) {
  const look = useLook();
  const { ofFind } = usePane().texts;
  const { found, text, names, closest } = props;
  const isSample = useIsSample();
  const isEmpty = found?.companies.length === 0 && found.error === null;
  return (
    <div>
      <div role="status">
        {text.trim() === "" && <Body1 block>{ofFind.begin}</Body1>}
        {found !== null && found.companies.length > 0 && (
          <Hint block>{ofFind.found(found.companies.length, found.isAll)}</Hint>
        )}
        {isEmpty && (
          <Body1 block>
            {ofFind.nobody(found.text, found.country)} {isSample && ofFind.onlySample}
          </Body1>
        )}
        {isEmpty && closest > 0 && <Hint block>{ofFind.closest(closest)}</Hint>}
        <Failure error={found?.error ?? null} isConnected={names.isConnected} />
      </div>
      {isEmpty && found.country !== "ALL" && (
        <Button size="small" className={look.aboveS} onClick={() => props.onCountry("ALL")}>
          {ofFind.searchAll}
        </Button>
      )}
      {text.trim() === "" && <Examples write={props.write} />}
      {!names.isConnected && (
        <Body1 block className={look.aboveS}>
          {ofFind.notConnected}
        </Body1>
      )}
    </div>
  );
}

/** The error of a search; a missing index and a missing connection show elsewhere. */
function Failure({ error, isConnected }: { error: unknown; isConnected: boolean }) {
  if (error === null || !isConnected) return null;
  if (error instanceof FeedError && error.code === "FEED_INDEX_NOT_READY") return null;
  return <Reason error={error} />;
}

/** Only the companies of the sample data are known in advance. */
const EXAMPLES = ["Sakura", "高島"];

function Examples({ write }: Pick<SearchStatusProps, "write">) {
  const { texts } = usePane();
  const styles = useStyles();
  const isSample = useIsSample();
  if (!isSample) return null;
  return (
    <Body1 block>
      {texts.ofFind.examples}
      {EXAMPLES.map((example) => (
        <Link key={example} as="button" className={styles.example} onClick={() => write(example)}>
          {example}
        </Link>
      ))}
    </Body1>
  );
}

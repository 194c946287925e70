import { Button, Caption1, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from "react";
import type { NameSource } from "../../feed/names/rows";
import { type FoundCompany, readFound, useNameLanguage } from "../company-search";
import { Row, Stack } from "../layout";
import { Options, toOptionId, useOptionKeys } from "../Options";
import { usePane } from "../pane";
import { useLastKnown } from "../query";
import { CompanyRow } from "./CompanyRow";

const useStyles = makeStyles({
  panel: {
    margin: `${tokens.spacingVerticalXS} 0 0`,
    border: 0,
    padding: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    overflowWrap: "anywhere",
  },
  list: { outlineStyle: "none" }, // its active option has the ring
});

interface CandidatesProps {
  /** The doubtful text. */
  text: string;
  /** The family of data that must have the company. */
  needs: NameSource;
  choose: (company: FoundCompany) => void;
  remove: () => void;
  /** Takes the text back into the field. */
  searchAgain: () => void;
  close: () => void;
}

/** The companies that a doubtful text may mean, to choose one. */
export function Candidates({ text, needs, choose, remove, searchAgain, close }: CandidatesProps) {
  const styles = useStyles();
  const id = useId();
  const { session, texts } = usePane();
  const { ofPicker } = texts;
  const panel = useRef<HTMLFieldSetElement>(null);
  const candidates = useCandidates({ text, country: session.settings.country }, needs);
  const { companies, leftOut } = candidates ?? NOBODY;
  const { active, press } = useOptionKeys({
    count: companies.length,
    first: 0,
    take: (place) => choose(companies[place] as FoundCompany),
  });
  const isRead = candidates !== null;
  const nobody = leftOut > 0 ? ofPicker.without[needs] : ofPicker.noCandidates;
  useEffect(() => {
    if (isRead) panel.current?.querySelector<HTMLElement>("[role=listbox], button")?.focus();
  }, [isRead]);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  return (
    <Stack as="fieldset" gap="XS" ref={panel} aria-labelledby={id} className={styles.panel} onKeyDown={leave}>
      <Caption1 id={id}>{(isRead && companies.length === 0 ? nobody : ofPicker.candidates)(text)}</Caption1>
      {!isRead && <Spinner size="extra-tiny" label={ofPicker.searching} />}
      {companies.length > 0 && (
        <Options
          id={`${id}-list`}
          aria-labelledby={id}
          aria-activedescendant={toOptionId(`${id}-list`, active)}
          tabIndex={0}
          className={styles.list}
          offers={companies.map((company) => ({
            value: company.id,
            label: <CompanyRow company={company} query={text} />,
          }))}
          active={active}
          choose={(place) => choose(companies[place] as FoundCompany)}
          onKeyDown={press}
        />
      )}
      <Row gap="XS">
        <Button size="small" onClick={searchAgain}>
          {ofPicker.searchAgain}
        </Button>
        <Button size="small" onClick={remove}>
          {ofPicker.removeText}
        </Button>
      </Row>
    </Stack>
  );
}

const NOBODY = { companies: [], leftOut: 0 };

/** Reads the candidates of a text; null without a text and until they are read, none where names cannot be searched. */
export function useCandidates(named: { text: string; country: string } | null, needs?: NameSource) {
  const { session } = usePane();
  const language = useNameLanguage();
  const { text = null, country = "" } = named ?? {};
  const query = useMemo(
    () => (text === null ? null : session.feed.names.query(text, country, "candidates", needs)),
    [session, text, country, needs],
  );
  const known = useLastKnown(query);
  if (known === null || known.query !== query || known.state.status === "pending") return null;
  if (known.state.status === "failed") return NOBODY;
  const { rows, leftOut } = known.state.answer.value;
  return { companies: rows.flatMap((row) => readFound(row, language) ?? []), leftOut };
}

import { Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import type { FoundCompany } from "../companies/found";
import type { Found } from "../companies/search";
import { usePane } from "../pane";
import { toParts } from "./matches";

const useStyles = makeStyles({
  list: { margin: `0 calc(-1 * ${tokens.spacingHorizontalS})` },
  option: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    cursor: "pointer",
    overflowWrap: "anywhere",
    ":hover": { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  active: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    outline: `2px solid ${tokens.colorStrokeFocus2}`,
    outlineOffset: "-2px",
  },
  fact: { color: tokens.colorNeutralForeground3 },
  match: { backgroundColor: "transparent", color: "inherit", fontWeight: tokens.fontWeightSemibold },
});

interface ResultsProps {
  id: string;
  found: Found;
  /** Place of the company that Enter opens; -1 for none. */
  active: number;
  onOpen: (company: FoundCompany, place: number) => void;
}

/** Id of a company's line, by which the search field names the active one. */
export const toOptionId = (list: string, place: number): string => `${list}-${place}`;

/** Companies to choose from; the search field keeps the focus and moves through them. */
export function Results({ id, found, active, onOpen }: ResultsProps) {
  const { texts } = usePane();
  const styles = useStyles();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== -1) list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={texts.ofFind.results} className={styles.list}>
      {found.companies.map((company, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and takes the keys
        <div
          key={company.id}
          id={toOptionId(id, place)}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          className={mergeClasses(styles.option, place === active && styles.active)}
          onClick={() => onOpen(company, place)}
        >
          <Name name={company.name} query={found.text} />
          <Caption1 block className={styles.fact}>
            {company.otherName !== null && (
              <>
                <Name name={company.otherName} query={found.text} />
                {" · "}
              </>
            )}
            {[company.country, company.ticker, company.registrationNumber].filter((fact) => fact !== null).join(" · ")}
          </Caption1>
        </div>
      ))}
    </div>
  );
}

function Name({ name, query }: { name: string; query: string }) {
  const styles = useStyles();
  return toParts(name, query).map(({ text, isMatch }, place) =>
    isMatch ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name than their place
      <mark key={place} className={styles.match}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

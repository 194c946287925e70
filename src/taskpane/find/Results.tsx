import { Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { foldCode } from "../../feed/names/folding";
import type { Found, FoundCompany } from "../company-search";
import { usePane } from "../pane";

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
  /** Index of the active company; -1 for none. */
  active: number;
  onOpen: (company: FoundCompany, place: number) => void;
}

/** Id of a company's line, for the search field's active descendant. */
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

/** A part of a name, and whether it matches the search. */
interface Part {
  text: string;
  isMatch: boolean;
}

/**
 * Splits a name into matching and other parts, letter by letter as the search compares them: "高島" matches "髙島".
 * Other matches (a legal form, a long vowel) are not marked.
 */
export function toParts(name: string, query: string): Part[] {
  const letters = [...name];
  const marked = new Set<number>();
  const folded = letters.flatMap((letter, place) => [...foldLetter(letter)].map((each) => ({ each, place })));
  const text = folded.map(({ each }) => each).join("");
  for (const word of query.split(/\s+/).map(toFolded)) {
    const at = word === "" ? -1 : text.indexOf(word);
    const [first, last] = [folded[at], folded[at + word.length - 1]];
    if (first !== undefined && last !== undefined) for (let i = first.place; i <= last.place; i++) marked.add(i);
  }
  const parts: Part[] = [];
  letters.forEach((letter, place) => {
    const last = parts.at(-1);
    if (last?.isMatch === marked.has(place)) last.text += letter;
    else parts.push({ text: letter, isMatch: marked.has(place) });
  });
  return parts;
}

const toFolded = (text: string): string => [...text].map(foldLetter).join("");

/** A long vowel mark folds only together with the kana before it. */
const foldLetter = (letter: string): string => (letter === "ー" ? letter : foldCode(letter));

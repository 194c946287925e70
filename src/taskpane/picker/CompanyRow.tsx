import { makeStyles, tokens } from "@fluentui/react-components";
import { findLatestYear } from "../../feed/financials/periods";
import { foldCode } from "../../feed/names/folded-letters";
import type { Session } from "../../session/session";
import type { FoundCompany } from "../company-search";
import { Hint } from "../layout";
import { usePane } from "../pane";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  badge: {
    display: "inline-block",
    padding: `0 ${tokens.spacingHorizontalXS}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground2,
    whiteSpace: "nowrap",
  },
  match: { backgroundColor: "transparent", color: "inherit", fontWeight: tokens.fontWeightSemibold },
});

interface CompanyRowProps {
  company: FoundCompany;
  /** The text whose occurrences in the names are marked; default none. */
  query?: string;
}

/** A company in a list: its name, whether it is listed, and what else tells it from its namesakes. */
export function CompanyRow({ company, query = "" }: CompanyRowProps) {
  const { session, texts } = usePane();
  const styles = useStyles();
  const { name, otherName, country, city, registrationNumber } = company;
  const facts = [country, city, registrationNumber].filter((fact) => fact !== null).join(" · ");
  return (
    <>
      <Name name={name} query={query} />
      <Hint block>
        {otherName !== null && (
          <>
            <Name name={otherName} query={query} />{" "}
          </>
        )}
        <span className={styles.badge}>{toBadge(company, session, texts)}</span> {facts}
      </Hint>
    </>
  );
}

/** "Listed · 4952" or "Private · financials to 2024", the year only where an answer at hand has it. */
export function toBadge({ id, ticker }: FoundCompany, { feed }: Session, { ofPicker }: Texts): string {
  if (ticker !== null) return ofPicker.listed(ticker);
  const known = feed.queryCache.peek(feed.financials.query({ companyId: id }));
  return ofPicker.private(known.status === "answered" ? findLatestYear(known.answer.value) : null);
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
interface NamePart {
  text: string;
  isMatch: boolean;
}

/**
 * Splits a name into matching and other parts, letter by letter as the search compares them: "高島" matches "髙島".
 * Other matches (a legal form, a long vowel) are not marked.
 */
export function toParts(name: string, query: string): NamePart[] {
  const letters = [...name];
  const marked = new Set<number>();
  const folded = letters.flatMap((letter, place) => [...foldLetter(letter)].map((each) => ({ each, place })));
  const text = folded.map(({ each }) => each).join("");
  for (const word of query.split(/\s+/).map(toFolded)) {
    const at = word === "" ? -1 : text.indexOf(word);
    const [first, last] = [folded[at], folded[at + word.length - 1]];
    if (first !== undefined && last !== undefined) for (let i = first.place; i <= last.place; i++) marked.add(i);
  }
  const parts: NamePart[] = [];
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

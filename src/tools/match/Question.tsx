import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useId, useRef } from "react";
import { Heading, Hint } from "../../taskpane/layout";
import type { ChosenCompany } from "../../taskpane/pane";
import { CandidateList } from "./CandidateList";
import type { Decision } from "./decisions";
import { OtherCompany } from "./OtherCompany";
import type { Item } from "./queue";
import { useMatchTexts } from "./use-match-texts";
import { type Review, toDecision, useMovedFocus } from "./use-review";
import { toCell } from "./writing";

const useStyles = makeStyles({
  question: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr)",
    rowGap: tokens.spacingVerticalS,
    margin: 0,
    padding: 0,
    border: 0,
    outlineStyle: "none",
    overflowWrap: "anywhere",
  },
  actions: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  decided: { color: tokens.colorStatusSuccessForeground3 },
});

interface QuestionProps {
  review: Review;
  item: Item;
}

/** One name, and the companies that it may mean. */
export function Question({ review, item }: QuestionProps) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const id = useId();
  const place = useRef<HTMLFieldSetElement>(null);
  const { queue, at, go } = review;
  const { text, candidates } = item;
  const findList = () => place.current?.querySelector<HTMLElement>("[role=listbox], [data-none]") ?? null;
  useMovedFocus(review, findList);
  const settle = (decision: Decision) => {
    review.decide(text, decision);
    go(at + 1);
  };
  const choose = (company: ChosenCompany) => settle(toDecision(company));
  const acts: Readonly<Record<string, () => void>> = {
    s: () => go(at + 1),
    n: () => settle({ kind: "none" }),
    b: () => at > 0 && go(at - 1),
    "/": () => place.current?.querySelector("input")?.focus(),
  };
  const press = (event: KeyboardEvent) => {
    const act = toAct(
      event,
      acts,
      candidates.map((company) => () => choose(company)),
    );
    if (event.target instanceof HTMLInputElement) {
      const isOwn = event.defaultPrevented || event.nativeEvent.isComposing; // of the field or an input method
      if (event.key === "Escape" && !isOwn) findList()?.focus();
    } else if (act !== undefined) {
      event.preventDefault();
      act();
    }
  };
  return (
    <fieldset ref={place} aria-labelledby={id} className={styles.question} onKeyDown={press}>
      <div id={id}>
        <Hint block>{ofMatch.place(at + 1, queue.length)}</Hint>
        <Heading isSmall>{candidates.length === 0 ? ofMatch.unknown(text) : ofMatch.which(text)}</Heading>
      </div>
      <Facts review={review} item={item} />
      {item.decision !== null && <Decided review={review} item={item} />}
      {candidates.length > 0 && <CandidateList {...{ review, item, choose }} labelledBy={id} />}
      {item.alike > candidates.length && <Hint block>{ofMatch.alike(item.alike)}</Hint>}
      <Actions acts={acts} isFirst={at === 0} />
      <OtherCompany country={review.country} choose={choose} />
      <Hint block>{ofMatch.keys}</Hint>
    </fieldset>
  );
}

/** The answers besides a candidate, and the way back. */
function Actions({ acts, isFirst }: { acts: Readonly<Record<string, () => void>>; isFirst: boolean }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  return (
    <div className={styles.actions}>
      <Button size="small" data-none aria-keyshortcuts="n" onClick={acts.n}>
        {ofMatch.noneOfThese}
      </Button>
      <Button size="small" aria-keyshortcuts="s" onClick={acts.s}>
        {ofMatch.skip}
      </Button>
      <Button size="small" aria-keyshortcuts="b" disabledFocusable={isFirst} onClick={acts.b}>
        {ofMatch.back}
      </Button>
    </div>
  );
}

/** The act of a key: a candidate's number, or a letter. A key that is held decides once. */
function toAct(
  event: KeyboardEvent,
  acts: Readonly<Record<string, () => void>>,
  choices: readonly (() => void)[],
): (() => void) | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return undefined;
  const key = toPlainKey(event);
  return /^[1-9]$/.test(key) ? choices[Number(key) - 1] : acts[key];
}

/** The key without an input method, which may give "１", "め" or "Process" for it. */
function toPlainKey({ key, code }: KeyboardEvent): string {
  const plain = key.normalize("NFKC").toLowerCase();
  if (key !== "Process" && /^[\x20-\x7e]+$/.test(plain)) return plain;
  if (code === "Slash") return "/";
  return (/^(?:Digit|Numpad|Key)(.)$/.exec(code)?.[1] ?? "").toLowerCase();
}

const MOST_CELLS = 5;

/** Where the name stands, and what its rows say besides. */
function Facts({ review: { list }, item: { rows, hints } }: QuestionProps) {
  const ofMatch = useMatchTexts();
  if (list === null) return null;
  const cells = rows.slice(0, MOST_CELLS).map((row) => toCell(list.area.column, row));
  const rest = rows.length > MOST_CELLS ? [ofMatch.more(rows.length - MOST_CELLS)] : [];
  return <Hint block>{[[ofMatch.cells(cells.join(", ")), ...rest].join(" "), ...hints].join(" · ")}</Hint>;
}

function Decided({ review, item: { text, decision } }: QuestionProps) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  return (
    <div>
      <Caption1 block className={styles.decided}>
        {decision?.kind === "company" ? ofMatch.chosen(decision.company.name) : ofMatch.chosenNone}
      </Caption1>
      <Button size="small" appearance="subtle" onClick={() => review.decide(text, null)}>
        {ofMatch.clear}
      </Button>
    </div>
  );
}

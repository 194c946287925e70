import { Body1, Button, Caption1, Field, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { ComboBox } from "../../taskpane/ComboBox";
import { useSearch } from "../../taskpane/company-search";
import { Heading, Hint, Row, Stack, useLook } from "../../taskpane/layout";
import { Options, toOptionId, useOptionKeys } from "../../taskpane/Options";
import type { ChosenCompany } from "../../taskpane/pane";
import { CompanyRow } from "../../taskpane/picker/CompanyRow";
import type { Decision } from "./decisions";
import { SameCompany } from "./NameLists";
import { type Candidate, type Item, isOpen } from "./queue";
import { type MatchTexts, useMatchTexts } from "./texts";
import { type Review, toDecision, useMovedFocus } from "./use-review";
import { toCell } from "./writing";

const useStyles = makeStyles({
  question: { margin: 0, padding: 0, border: 0, outlineStyle: "none" },
  list: { outlineStyle: "none", margin: `0 calc(-1 * ${tokens.spacingHorizontalS})` }, // its active option has the ring
});

interface QuestionProps {
  review: Review;
  item: Item;
}

/** The names to decide on one by one; after the last one, those that were skipped. */
export function Queue({ review }: { review: Review }) {
  const { queue, at, items } = review;
  const text = queue[at];
  const item = items.find((each) => each.text === text);
  return item === undefined ? <End review={review} /> : <Question key={item.text} review={review} item={item} />;
}

function End({ review }: { review: Review }) {
  const ofMatch = useMatchTexts();
  const { queue, items, counts, go, showSure } = review;
  const open = items.filter(isOpen);
  const isSureLeft = open.length === 0 && counts.sure > 0;
  const button = useRef<HTMLButtonElement>(null);
  useMovedFocus(review, () => button.current);
  return (
    <Row role="status" align="center">
      <Body1>{toSentence(review, open.length, ofMatch)}</Body1>
      {isSureLeft && (
        <Button ref={button} size="small" onClick={showSure}>
          {ofMatch.showSure}
        </Button>
      )}
      {open.length > 0 && (
        <Button ref={button} size="small" onClick={() => go(queue.indexOf(open[0]?.text ?? ""))}>
          {ofMatch.reviewSkipped}
        </Button>
      )}
      {queue.length > 0 && (
        <Button size="small" onClick={() => go(queue.length - 1)}>
          {ofMatch.back}
        </Button>
      )}
    </Row>
  );
}

/** What is left to do after the last name. */
function toSentence({ counts }: Review, open: number, ofMatch: MatchTexts): string {
  if (open > 0) return ofMatch.skipped(open);
  return counts.sure > 0 ? ofMatch.sureLeft(counts.sure) : ofMatch.allDecided;
}

/** One name, and the companies that it may mean. */
function Question({ review, item }: QuestionProps) {
  const styles = useStyles();
  const look = useLook();
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
    <Stack
      as="fieldset"
      ref={place}
      aria-labelledby={id}
      className={mergeClasses(styles.question, look.breaking)}
      onKeyDown={press}
    >
      <div id={id}>
        <Hint block>{ofMatch.place(at + 1, queue.length)}</Hint>
        <Heading isSmall>{candidates.length === 0 ? ofMatch.unknown(text) : ofMatch.which(text)}</Heading>
      </div>
      <Place review={review} item={item} />
      {item.decision !== null && <Decided review={review} item={item} />}
      {candidates.length > 0 && <CandidateList {...{ review, item, choose }} labelledBy={id} />}
      {item.alike > candidates.length && <Hint block>{ofMatch.alike(item.alike)}</Hint>}
      <Actions acts={acts} isFirst={at === 0} />
      <OtherCompany country={review.country} choose={choose} />
      <Hint block>{ofMatch.keys}</Hint>
    </Stack>
  );
}

/** The answers besides a candidate, and the way back. */
function Actions({ acts, isFirst }: { acts: Readonly<Record<string, () => void>>; isFirst: boolean }) {
  const ofMatch = useMatchTexts();
  return (
    <Row>
      <Button size="small" data-none aria-keyshortcuts="n" onClick={acts.n}>
        {ofMatch.noneOfThese}
      </Button>
      <Button size="small" aria-keyshortcuts="s" onClick={acts.s}>
        {ofMatch.skip}
      </Button>
      <Button size="small" aria-keyshortcuts="b" disabledFocusable={isFirst} onClick={acts.b}>
        {ofMatch.back}
      </Button>
    </Row>
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
function Place({ review: { list }, item: { rows, hints } }: QuestionProps) {
  const ofMatch = useMatchTexts();
  if (list === null) return null;
  const cells = rows.slice(0, MOST_CELLS).map((row) => toCell(list.area.column, row));
  const rest = rows.length > MOST_CELLS ? [ofMatch.more(rows.length - MOST_CELLS)] : [];
  return <Hint block>{[[ofMatch.cells(cells.join(", ")), ...rest].join(" "), ...hints].join(" · ")}</Hint>;
}

function Decided({ review, item: { text, decision } }: QuestionProps) {
  const look = useLook();
  const ofMatch = useMatchTexts();
  return (
    <div>
      <Caption1 block className={look.good}>
        {decision?.kind === "company" ? ofMatch.chosen(decision.company.name) : ofMatch.chosenNone}
      </Caption1>
      <Button size="small" appearance="subtle" onClick={() => review.decide(text, null)}>
        {ofMatch.clear}
      </Button>
    </div>
  );
}

interface CandidateListProps extends QuestionProps {
  choose: (company: ChosenCompany) => void;
  /** Id of the element with the name. */
  labelledBy: string;
}

/** The companies that a name may mean, numbered; Enter takes the active one, which is the first until a key moves. */
function CandidateList({ review, item, choose, labelledBy }: CandidateListProps) {
  const styles = useStyles();
  const look = useLook();
  const id = useId();
  const { text, candidates, decision } = item;
  const take = (place: number) => choose(candidates[place] as Candidate);
  const { active, press } = useOptionKeys({ count: candidates.length, first: 0, take });
  return (
    <Options
      id={id}
      aria-labelledby={labelledBy}
      aria-activedescendant={toOptionId(id, active)}
      tabIndex={0}
      className={styles.list}
      offers={candidates.map((candidate, place) => ({
        value: candidate.id,
        label: (
          <Row isOneLine>
            <span className={mergeClasses(look.muted, look.numbers)}>{place + 1}</span>
            <div className={look.breaking}>
              <CompanyRow company={candidate} query={text} />
              <Facts candidate={candidate} />
              <SameCompany review={review} id={candidate.id} text={text} />
            </div>
          </Row>
        ),
      }))}
      active={active}
      chosen={decision?.kind === "company" ? decision.company.id : undefined}
      choose={take}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !event.repeat) press(event); // a key that is held decides once
      }}
    />
  );
}

/** What else speaks for a candidate. */
function Facts({ candidate: { industry, evidence, score } }: { candidate: Candidate }) {
  const ofMatch = useMatchTexts();
  const facts = evidence.map((each) => ofMatch.evidence[each]);
  return <Hint block>{[...(industry === null ? [] : [industry]), ...facts, ofMatch.score(score)].join(" · ")}</Hint>;
}

const MOST_SHOWN = 8;

interface OtherCompanyProps {
  /** Where it is looked up. */
  country: string;
  choose: (company: ChosenCompany) => void;
}

/** Looks for a company that is not among the candidates. */
function OtherCompany({ country, choose }: OtherCompanyProps) {
  const ofMatch = useMatchTexts();
  const [text, setText] = useState("");
  const [isComposing, setComposing] = useState(false);
  const found = useSearch({ text, isComposing, country, most: MOST_SHOWN });
  const companies = found?.companies ?? [];
  const isEmpty = found?.isCurrent === true && companies.length === 0;
  return (
    <div>
      <Field label={ofMatch.other} size="small">
        <ComboBox
          placeholder={ofMatch.otherHint}
          aria-keyshortcuts="/"
          value={text}
          takes={found?.isCurrent ? "first" : "none"}
          offers={companies.map((company) => ({
            value: company.id,
            text: company.name,
            label: <CompanyRow company={company} query={found?.text ?? ""} />,
          }))}
          onWrite={setText}
          onChoose={(id) => {
            const chosen = companies.find((company) => company.id === id);
            if (chosen !== undefined) choose(chosen);
          }}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
        />
      </Field>
      <div role="status">{isEmpty && <Caption1>{ofMatch.nobody(text.trim())}</Caption1>}</div>
    </div>
  );
}

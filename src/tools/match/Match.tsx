import { Body1, Button, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useEffectEvent, useId, useRef } from "react";
import { hasCode } from "../../client/errors";
import { readCountryPrefix } from "../../feed/names/country-prefix";
import { showPlace, toAddress } from "../../taskpane/addresses";
import { Country } from "../../taskpane/Choice";
import { NamesWanted, useNames } from "../../taskpane/find/Names";
import { Heading, Hint, Progress, Row, Stack } from "../../taskpane/layout";
import { usePane } from "../../taskpane/pane";
import { Reason } from "../../taskpane/Reason";
import { Tabs, toTabIds } from "../../taskpane/Tabs";
import { Decided, Sure } from "./NameLists";
import { Queue } from "./Question";
import { useMatchTexts } from "./texts";
import { type Review, type Step, useMovedFocus, useReview } from "./use-review";
import { toBesideAddress, useWriting, type WritingKind } from "./writing";

const useStyles = makeStyles({
  tabs: { margin: `0 calc(-1 * ${tokens.spacingHorizontalS})` },
  result: { paddingTop: tokens.spacingVerticalM, borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
});

interface MatchProps {
  country: string;
  onCountry: (country: string) => void;
}

/** Finds the companies that a list of names in cells means; a person decides on what is doubtful. */
export function Match({ country, onCountry }: MatchProps) {
  const ofMatch = useMatchTexts();
  const review = useReview();
  const { phase, list, stored, step } = review;
  const isRunning = phase === "reading" || phase === "matching";
  const writing = useWriting(review);
  return (
    <Stack gap="M">
      {list === null && <Body1>{ofMatch.begin}</Body1>}
      <Row align="end">
        <Country country={country} onChoose={onCountry} />
        <Button appearance="primary" disabledFocusable={isRunning} onClick={() => review.begin(country)}>
          {ofMatch.match}
        </Button>
        {phase === "idle" && stored !== null && (
          <Button
            onClick={() => {
              onCountry(stored.country);
              review.resume();
            }}
          >
            {ofMatch.resume(showPlace(stored))}
          </Button>
        )}
      </Row>
      <div role="status">{review.problem !== null && <Body1>{review.problem}</Body1>}</div>
      {isRunning && <Running review={review} />}
      <Halt review={review} />
      {phase === "ready" && step !== null && <Steps review={review} step={step} write={writing.write} />}
      <Written {...writing} />
    </Stack>
  );
}

/** The progress of reading and matching, which can be stopped. */
function Running({ review: { phase, share, list, stop } }: { review: Review }) {
  const ofMatch = useMatchTexts();
  const all = list?.names.length ?? 0;
  const text = phase === "reading" ? ofMatch.reading : ofMatch.matching(Math.round(share * all), all);
  return (
    <Progress label={ofMatch.progress} share={share} cancel={stop} cancelText={ofMatch.stop}>
      {text}
    </Progress>
  );
}

const isNotReady = hasCode("FEED_INDEX_NOT_READY");

/** What keeps names from being matched: an index that is not built, an error, or the person's stop. */
function Halt({ review }: { review: Review }) {
  const { session, texts } = usePane();
  const ofMatch = useMatchTexts();
  const { list, error, phase, counts } = review;
  const { nameIndexes } = session.feed;
  const countries = (list?.names ?? []).map(({ text }) => readCountryPrefix(text, review.country).country);
  const lacking = countries.find((each) => nameIndexes.state(each).facts === null) ?? review.country;
  const names = useNames(lacking);
  const hasWaited = isNotReady(error);
  const isBuilt = names.state.status === "built";
  const goOn = useEffectEvent(review.goOn);
  useEffect(() => {
    if (hasWaited && isBuilt) goOn();
  }, [hasWaited, isBuilt]);
  if (list === null) return null;
  const isWanted = names.state.facts === null && (hasWaited || phase === "matching");
  return (
    <>
      {isWanted && <NamesWanted {...names} />}
      {isWanted && !names.isConnected && <Body1>{texts.ofFind.notConnected}</Body1>}
      {error !== null && !hasWaited && <Reason error={error} />}
      {phase === "ready" && counts.unmatched > 0 && (
        <Row align="center">
          <Body1>{ofMatch.stopped(counts.unmatched)}</Body1>
          <Button size="small" onClick={review.goOn}>
            {ofMatch.goOn}
          </Button>
        </Row>
      )}
    </>
  );
}

interface StepsProps {
  review: Review;
  step: Step;
  write: (kind: WritingKind) => void;
}

/** The steps of the review, and its result. */
function Steps({ review, step, write }: StepsProps) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const id = useId();
  const { counts, show } = review;
  const tabs: Record<Step, string> = {
    sure: ofMatch.step.sure(counts.sure),
    open: ofMatch.step.open(counts.doubtful + counts.unknown),
    decided: ofMatch.step.decided(counts.decided + counts.none),
  };
  const Shown = { sure: Sure, open: Queue, decided: Decided }[step];
  return (
    <>
      <Summary review={review} />
      <Tabs id={id} label={ofMatch.steps} tabs={tabs} shown={step} open={show} className={styles.tabs} />
      <div id={toTabIds(id, step).panel} role="tabpanel" aria-labelledby={toTabIds(id, step).tab}>
        <Shown review={review} />
      </div>
      <Result review={review} write={write} />
    </>
  );
}

function Summary({ review: { list, items } }: { review: Review }) {
  const { texts } = usePane();
  const ofMatch = useMatchTexts();
  if (list === null) return null;
  const { sheet, area, headings, blanks, unreadable, hidden } = list;
  const cells = items.reduce((sum, { rows }) => sum + rows.length, 0);
  const parts = [
    ofMatch.summary(showPlace({ sheet, address: toAddress(area) }), items.length, cells),
    ...(hidden > 0 ? [ofMatch.hidden(hidden)] : []),
    ...(headings > 0 ? [ofMatch.headings(headings)] : []),
    ...(blanks > 0 ? [ofMatch.blanks(blanks)] : []),
    ...(unreadable > 0 ? [ofMatch.unreadable(unreadable)] : []),
  ];
  return (
    <div role="status">
      <Hint>{parts.join(texts.gap)}</Hint>
    </div>
  );
}

/** Writes the companies beside the names, as ids or as a formula. */
function Result({ review, write }: Pick<StepsProps, "review" | "write">) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const id = useId();
  const { counts, items, list, queue, at, step } = review;
  const ids = useRef<HTMLButtonElement>(null);
  const isAtEnd = step === "open" && at >= queue.length && counts.sure + counts.doubtful + counts.unknown === 0;
  useMovedFocus(review, () => (isAtEnd ? ids.current : null));
  if (list === null) return null;
  const address = toBesideAddress(list.area);
  return (
    <Stack as="section" aria-labelledby={id} className={styles.result}>
      <Heading isSmall id={id}>
        {ofMatch.result}
      </Heading>
      <Hint block>{ofMatch.resultHint(counts.decided, items.length)}</Hint>
      <Row>
        <Button
          ref={ids}
          size="small"
          appearance={isAtEnd ? "primary" : "secondary"}
          disabledFocusable={counts.decided === 0}
          onClick={() => write("ids")}
        >
          {ofMatch.ids(address)}
        </Button>
        <Button size="small" onClick={() => write("formula")}>
          {ofMatch.formula(address.split(":")[0] ?? "")}
        </Button>
      </Row>
    </Stack>
  );
}

/** What was written last, which can be undone while other names are matched. */
function Written({ said, undo }: Pick<ReturnType<typeof useWriting>, "said" | "undo">) {
  const ofMatch = useMatchTexts();
  return (
    <Row role="status" align="center">
      {said !== null && <Body1>{said}</Body1>}
      {undo !== null && (
        <Button size="small" onClick={undo}>
          {ofMatch.undo}
        </Button>
      )}
    </Row>
  );
}

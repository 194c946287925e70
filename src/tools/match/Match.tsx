import { Body1, Button, Caption1, makeStyles, ProgressBar, tokens } from "@fluentui/react-components";
import { useEffect, useEffectEvent, useId } from "react";
import { hasCode } from "../../client/errors";
import { readCountryPrefix } from "../../feed/names/country-prefix";
import { showPlace, toAddress } from "../../taskpane/addresses";
import { Country } from "../../taskpane/find/Country";
import { NamesWanted, useNames } from "../../taskpane/find/Names";
import { usePane } from "../../taskpane/pane";
import { Reason } from "../../taskpane/Reason";
import { Tabs, toTabIds } from "../../taskpane/Tabs";
import { Decided } from "./Decided";
import { Queue } from "./Queue";
import { Result } from "./Result";
import { Sure } from "./Sure";
import { useMatchTexts } from "./use-match-texts";
import { type Review, type Step, useReview } from "./use-review";
import { useWriting, type WritingKind } from "./writing";

const useStyles = makeStyles({
  page: { display: "grid", gridTemplateColumns: "minmax(0, 1fr)", rowGap: tokens.spacingVerticalM },
  start: { display: "flex", flexWrap: "wrap", alignItems: "end", gap: tokens.spacingHorizontalS },
  running: {
    display: "grid",
    gridTemplateColumns: "1fr auto",
    alignItems: "center",
    columnGap: tokens.spacingHorizontalM,
  },
  bar: { gridColumn: "1 / -1", marginTop: tokens.spacingVerticalXS },
  summary: { color: tokens.colorNeutralForeground3 },
  tabs: { margin: `0 calc(-1 * ${tokens.spacingHorizontalS})` },
});

interface MatchProps {
  country: string;
  onCountry: (country: string) => void;
}

/** Finds the companies that a list of names in cells means; a person decides on what is doubtful. */
export function Match({ country, onCountry }: MatchProps) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const review = useReview();
  const isRunning = review.phase === "reading" || review.phase === "matching";
  const { stored } = review;
  const writing = useWriting(review);
  return (
    <div className={styles.page}>
      {review.list === null && <Body1>{ofMatch.begin}</Body1>}
      <div className={styles.start}>
        <Country country={country} onChoose={onCountry} />
        <Button appearance="primary" disabledFocusable={isRunning} onClick={() => review.begin(country)}>
          {ofMatch.match}
        </Button>
        {review.phase === "idle" && stored !== null && (
          <Button
            onClick={() => {
              onCountry(stored.country);
              review.resume();
            }}
          >
            {ofMatch.resume(showPlace(stored))}
          </Button>
        )}
      </div>
      <div role="status">{review.problem !== null && <Body1>{review.problem}</Body1>}</div>
      {isRunning && <Running review={review} />}
      <Halt review={review} />
      {review.phase === "ready" && review.step !== null && (
        <Steps review={review} step={review.step} write={writing.write} />
      )}
      <Written {...writing} />
    </div>
  );
}

/** The progress of reading and matching, which can be stopped. */
function Running({ review: { phase, share, list, stop } }: { review: Review }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const all = list?.names.length ?? 0;
  return (
    <div className={styles.running}>
      <Caption1>{phase === "reading" ? ofMatch.reading : ofMatch.matching(Math.round(share * all), all)}</Caption1>
      <Button size="small" onClick={stop}>
        {ofMatch.stop}
      </Button>
      <ProgressBar className={styles.bar} aria-label={ofMatch.progress} {...(share > 0 && { value: share })} />
    </div>
  );
}

const isNotReady = hasCode("FEED_INDEX_NOT_READY");

/** What keeps names from being matched: an index that is not built, an error, or the person's stop. */
function Halt({ review }: { review: Review }) {
  const { session, texts } = usePane();
  const styles = useStyles();
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
        <div className={styles.start}>
          <Body1>{ofMatch.stopped(counts.unmatched)}</Body1>
          <Button size="small" onClick={review.goOn}>
            {ofMatch.goOn}
          </Button>
        </div>
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
  const styles = useStyles();
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
      <Caption1 className={styles.summary}>{parts.join(texts.gap)}</Caption1>
    </div>
  );
}

/** What was written last, which can be undone while other names are matched. */
function Written({ said, undo }: Pick<ReturnType<typeof useWriting>, "said" | "undo">) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  return (
    <div role="status" className={styles.start}>
      {said !== null && <Body1>{said}</Body1>}
      {undo !== null && (
        <Button size="small" onClick={undo}>
          {ofMatch.undo}
        </Button>
      )}
    </div>
  );
}

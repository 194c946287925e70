import { Caption1, makeStyles, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";
import type { Answer } from "../../../feed/query-cache";
import { usePane } from "../../pane";
import { Reason } from "../../Reason";
import type { Texts } from "../../texts";
import type { Snapshot } from "../snapshot";
import { toMoment } from "./moments";
import { PieceText } from "./PieceText";
import type { KnownQuery } from "./queries";
import { toQueryWords } from "./query-words";
import { Sources } from "./Sources";

const useStyles = makeStyles({
  question: { display: "grid", rowGap: tokens.spacingVerticalXS, minWidth: 0, fontSize: tokens.fontSizeBase200 },
  facts: {
    display: "grid",
    gridTemplateColumns: "auto minmax(0, 1fr)",
    gap: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalS}`,
    margin: 0,
    lineHeight: tokens.lineHeightBase200,
  },
  term: { color: tokens.colorNeutralForeground3 },
  fact: { margin: 0, overflowWrap: "anywhere" },
  parameters: { display: "block", color: tokens.colorNeutralForeground2 },
});

interface QueryFactsProps {
  known: KnownQuery;
  snapshot: Snapshot;
}

/** A query of a cell: what was asked, what came of it, by which requests, and what of it the cell shows. */
export function QueryFacts({ known, snapshot }: QueryFactsProps) {
  const { texts } = usePane();
  const { ofProvenance } = texts;
  const styles = useStyles();
  const { query, state, piece } = known;
  const { title, parameters } = toQueryWords(query, texts);
  const isPartly = state.status === "answered" && !state.answer.isComplete;
  return (
    <div className={styles.question}>
      <dl className={styles.facts}>
        <Fact term={ofProvenance.query}>
          {title} <span className={styles.parameters}>{parameters.join(" · ")}</span>
        </Fact>
        {state.status === "answered" && <AnswerFacts {...known} answer={state.answer} snapshot={snapshot} />}
        {state.status !== "pending" && <Requests known={known} snapshot={snapshot} />}
      </dl>
      {state.status === "pending" && <Caption1>{ofProvenance.asking}</Caption1>}
      {isPartly && <Caption1>{ofProvenance.partly}</Caption1>}
      {state.status === "answered" && state.error !== null && (
        <div>
          {ofProvenance.notRefreshed}
          <Reason error={state.error} texts={texts} />
        </div>
      )}
      {piece !== null && <PieceText key={piece.kind} piece={piece} />}
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  const styles = useStyles();
  return (
    <>
      <dt className={styles.term}>{term}</dt>
      <dd className={styles.fact}>{children}</dd>
    </>
  );
}

/** When an answer came, from where, and how long it counts as fresh. */
function AnswerFacts({ query, answer, shared, snapshot }: QueryFactsProps["known"] & AnswerFactsProps) {
  const { session, texts } = usePane();
  const { ofProvenance, ofActivity, language } = texts;
  const time = toMoment(answer.asOfMs, language);
  const untilMs = session.freshUntilMs(query, answer.asOfMs);
  const toFreshness = session.isStale(query, answer.asOfMs) ? ofProvenance.staleSince : ofProvenance.freshUntil;
  return (
    <>
      <Fact term={ofProvenance.asOf}>{ofProvenance.ago(time, ofActivity.ago(snapshot.nowMs - answer.asOfMs))}</Fact>
      <Fact term={ofProvenance.origin}>{toOriginText(answer, time, shared, texts)}</Fact>
      {untilMs !== null && <Fact term={ofProvenance.freshness}>{toFreshness(toMoment(untilMs, language))}</Fact>}
    </>
  );
}

/** A query of the index of names is answered on this computer. */
function toOriginText(
  { persisted: stored, requests }: Answer<unknown>,
  time: string,
  shared: number,
  { ofProvenance }: Texts,
) {
  if (stored !== null) return ofProvenance.kept(time, shared);
  return requests.length === 0 ? ofProvenance.made : ofProvenance.asked(shared);
}

interface AnswerFactsProps {
  answer: Answer<unknown>;
  snapshot: Snapshot;
}

/** The requests of this page, as the log has them, and those of the earlier one that the answer was kept from. */
function Requests({ known: { state, requests }, snapshot }: QueryFactsProps) {
  const { ofProvenance } = usePane().texts;
  const stored = (state.status === "answered" && state.answer.persisted) || [];
  if (stored.length === 0 && requests.length === 0) return null;
  const logged = snapshot.requests.filter(({ number }) => requests.includes(number));
  return (
    <Fact term={ofProvenance.requests}>
      <Sources sources={[...logged, ...stored]} />
    </Fact>
  );
}

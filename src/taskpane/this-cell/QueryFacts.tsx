import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { LoggedRequest, Source } from "../../client/http/request-log";
import type { Answer } from "../../feed/query-cache";
import type { Snapshot } from "../activity/snapshot";
import { FoldLine } from "../Fold";
import { Hint, PlainList, Stack, useLook } from "../layout";
import { useCopy, usePane } from "../pane";
import { TextArea } from "../TextArea";
import type { Texts } from "../texts";
import { toQueryWords } from "./line";
import type { KnownQuery, Piece } from "./provenance";

const useStyles = makeStyles({
  query: { fontSize: tokens.fontSizeBase200 },
  facts: {
    display: "grid",
    gridTemplateColumns: "auto minmax(0, 1fr)",
    gap: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalS}`,
    margin: 0,
    lineHeight: tokens.lineHeightBase200,
  },
  fact: { margin: 0, overflowWrap: "anywhere" },
  parameters: { display: "block" },
});

interface QueryFactsProps {
  known: KnownQuery;
  snapshot: Snapshot;
}

/** A query of a cell with its answer, its requests, and the part of the answer that the cell shows. */
export function QueryFacts({ known, snapshot }: QueryFactsProps) {
  const { texts } = usePane();
  const { ofProvenance } = texts;
  const styles = useStyles();
  const { query, state, piece } = known;
  const { title, parameters } = toQueryWords(query, texts);
  return (
    <Stack gap="XS" className={styles.query}>
      <dl className={styles.facts}>
        <Fact term={ofProvenance.query}>
          {title} <span className={mergeClasses(styles.parameters, useLook().second)}>{parameters.join(" · ")}</span>
        </Fact>
        {state.status === "answered" && <AnswerFacts {...known} answer={state.answer} snapshot={snapshot} />}
        {state.status !== "pending" && <Requests known={known} snapshot={snapshot} />}
      </dl>
      {piece !== null && <PieceText key={piece.kind} piece={piece} />}
    </Stack>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className={useLook().muted}>{term}</dt>
      <dd className={useStyles().fact}>{children}</dd>
    </>
  );
}

/** An answer's time, origin and freshness. */
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

/** Names the origin; a query of the index of names is answered on this computer. */
function toOriginText(
  { persisted: stored, requests }: Answer<unknown>,
  time: string,
  shared: number,
  { ofProvenance }: Texts,
) {
  if (stored !== null) return ofProvenance.persisted(time, shared);
  return requests.length === 0 ? ofProvenance.made : ofProvenance.fetched(shared);
}

interface AnswerFactsProps {
  answer: Answer<unknown>;
  snapshot: Snapshot;
}

/** The logged requests of this page, and those stored with a persisted answer. */
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

const useSourcesStyles = makeStyles({
  facts: { color: tokens.colorNeutralForeground3, fontVariantNumeric: "tabular-nums" },
  copy: { minWidth: 0, padding: `0 ${tokens.spacingHorizontalXS}`, fontWeight: tokens.fontWeightRegular },
});

/** A request; of an earlier session less is known than of a logged one. */
type KnownRequest = Source & Partial<Pick<LoggedRequest, "number" | "tookMs" | "status">>;

/** The requests of an answer, with the facts that support needs. */
export function Sources({ sources }: { sources: readonly KnownRequest[] }) {
  const { ofProvenance } = usePane().texts;
  const styles = useSourcesStyles();
  const look = useLook();
  if (sources.length === 0) return <Caption1 className={styles.facts}>{ofProvenance.forgotten}</Caption1>;
  return (
    <PlainList>
      {sources.map((source, index) => (
        <li key={source.number ?? -index} className={look.breaking}>
          {source.operation} <Facts source={source} />
          {source.traceId !== null && <TraceId traceId={source.traceId} />}
        </li>
      ))}
    </PlainList>
  );
}

function Facts({ source: { sentAtMs, tookMs, status } }: { source: KnownRequest }) {
  const { ofProvenance, language } = usePane().texts;
  const styles = useSourcesStyles();
  const facts = [
    toMoment(sentAtMs, language),
    typeof tookMs === "number" && ofProvenance.took(tookMs),
    typeof status === "number" && ofProvenance.status(status),
  ];
  return <span className={styles.facts}>{facts.filter(Boolean).join(" · ")}</span>;
}

function TraceId({ traceId }: { traceId: string }) {
  const { ofProvenance } = usePane().texts;
  const styles = useSourcesStyles();
  const text = useRef<HTMLSpanElement>(null);
  const copy = useCopy();
  return (
    <>
      {" · traceId "}
      <span ref={text}>{traceId}</span>{" "}
      <Button className={styles.copy} size="small" appearance="subtle" onClick={() => void copy(traceId, text.current)}>
        {ofProvenance.copyTraceId}
      </Button>
    </>
  );
}

/** A moment in local time: "21 Nov 2026, 14:05:12". */
const toMoment = (ms: number, language: string): string =>
  new Date(ms).toLocaleString(language, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });

const usePieceStyles = makeStyles({
  text: {
    height: "14em",
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase100,
    lineHeight: tokens.lineHeightBase100,
    whiteSpace: "pre",
  },
});

/** A longer text would take long to show, and is rarely read here. */
const MOST_CHARACTERS = 20_000;

/** The part of an answer behind a cell, as JSON. */
function PieceText({ piece: { kind, value } }: { piece: Piece }) {
  const { ofProvenance } = usePane().texts;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? kind !== "answer";
  return (
    <Stack gap="XS" isAtStart>
      <FoldLine isOpen={isOpen} toggle={() => setChosen(!isOpen)}>
        {ofProvenance.pieces[kind]}
      </FoldLine>
      {isOpen && <Json label={ofProvenance.pieces[kind]} value={value} />}
    </Stack>
  );
}

function Json({ label, value }: { label: string; value: unknown }) {
  const { ofProvenance } = usePane().texts;
  const styles = usePieceStyles();
  const area = useRef<HTMLTextAreaElement>(null);
  const copy = useCopy();
  const whole = useMemo(() => JSON.stringify(value, null, 2), [value]);
  const text = whole.slice(0, MOST_CHARACTERS);
  return (
    <>
      <TextArea ref={area} aria-label={label} className={styles.text} readOnly value={text} />
      {whole.length > text.length && <Hint>{ofProvenance.cut}</Hint>}
      <Button size="small" onClick={() => void copy(text, area.current)}>
        {ofProvenance.copy}
      </Button>
    </>
  );
}

import { Caption1, Link, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import type { Workbook } from "../../contract/workbook";
import type { QueryCache, Refreshed } from "../../feed/query-cache";
import type { Call } from "../../session/calls";
import type { RefreshProgress } from "../../session/refreshing";
import type { Session } from "../../session/session";
import { needsCorrection } from "../activity/formula-state";
import { type LiveCall, readLiveCalls } from "../activity/live-calls";
import { showPlace } from "../addresses";
import { type CellChange, toCellChanges } from "../cell-changes";
import { type FormulaCells, findFormulaCells, readOutputs } from "../cells";
import { useVisit } from "../changes/visit";
import { Bar } from "../layout";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { finishInSlices, runInSlices, type Steps } from "../slices";
import type { Texts } from "../texts";
import { toPercent } from "../texts/quantities";

/** Thousands of queries may be answered in that time. */
const LOOK_AGAIN_MS = 250;

const useStyles = makeStyles({
  bar: { marginTop: tokens.spacingVerticalXS, minWidth: "160px" },
  count: { fontVariantNumeric: "tabular-nums" },
});

const NOTHING: RefreshProgress = { total: 0, done: 0, requests: 0 };

/** The progress of a refresh; its sentence stays, so that it is read out once. */
export function RefreshBar() {
  const { session, texts } = usePane();
  const styles = useStyles();
  const { done, total, requests } = useProgress(session) ?? NOTHING;
  const { ofRefresh } = texts;
  return (
    <>
      {ofRefresh.refetching}
      {total > 0 && (
        <Caption1 block aria-hidden className={styles.count}>
          {ofRefresh.done(toPercent(done, total), requests)}
        </Caption1>
      )}
      <Bar className={styles.bar} aria-label={ofRefresh.progress} value={done} max={total} />
    </>
  );
}

/** Progress of the running refresh, else of the last one seen; null before any. */
function useProgress({ refreshing, subscribe, feed, ports }: Session): RefreshProgress | null {
  const [seen, setSeen] = useState(() => refreshing.state().running);
  useEffect(() => {
    let callOff: (() => void) | null = null;
    const look = () => {
      callOff = null;
      setSeen((before) => refreshing.state().running ?? before);
    };
    const lookSoon = () => {
      callOff ??= ports.after(LOOK_AGAIN_MS, look);
    };
    const stops = [subscribe(lookSoon), feed.activity.onChange(lookSoon)];
    look();
    return () => {
      for (const stop of stops) stop();
      callOff?.();
    };
  }, [refreshing, subscribe, feed, ports]);
  return seen;
}

interface OutcomeProps {
  refreshed: Refreshed;
  report: RefreshReport;
  /** Number of cells that match no live formula. */
  unknown: number;
}

/** A refresh's result: formulas refreshed and failed with their cells, changed cells, and formulas to correct. */
export function Outcome({ refreshed, report, unknown }: OutcomeProps) {
  const { texts, open } = usePane();
  const { ofRefresh, gap } = texts;
  const { failed, wrong, cells } = report;
  const reason = failed.find(({ error }) => error !== null)?.error ?? null;
  return (
    <>
      {toText()}
      {!refreshed.isCancelled && failed.length > 0 && <Places failed={failed} />}
      {!refreshed.isCancelled && refreshed.held !== undefined && `${gap}${toHeldText(refreshed, texts)}`}
      {unknown > 0 && `${gap}${ofRefresh.someUnknown(unknown)}`}
      <Changed cells={cells} />
      {wrong.length > 0 && (
        <>
          {gap}
          <Link as="button" inline onClick={() => open("changes")}>
            {ofRefresh.toCorrect(wrong.length)}
          </Link>
        </>
      )}
      {!refreshed.isCancelled && reason !== null && <Reason error={reason} />}
    </>
  );

  function toText(): string {
    if (refreshed.isCancelled) return ofRefresh.cancelled;
    if (isAllHeld(refreshed)) return "";
    if (failed.length > 0) return ofRefresh.failed(failed.length, report.refreshed + failed.length);
    return report.refreshed > 0 ? ofRefresh.refreshed(report.refreshed) : "";
  }
}

const MOST_NAMED = 5;

/** Links to the cells of the failed formulas. */
function Places({ failed }: { failed: readonly LiveCall[] }) {
  const { texts, open } = usePane();
  const { ofRefresh, gap } = texts;
  const visit = useVisit();
  const placed = failed.flatMap(({ call, key, place }) => (place === null ? [] : [{ call, key, place }]));
  const left = failed.length - Math.min(placed.length, MOST_NAMED);
  return (
    <>
      {placed.slice(0, MOST_NAMED).map(({ call, key, place }, index) => (
        <span key={key}>
          {index === 0 ? ofRefresh.colon : ofRefresh.comma}
          <Link as="button" inline onClick={() => void visit(call.name, place)}>
            {showPlace(place)}
          </Link>
        </span>
      ))}
      {left > 0 && (
        <>
          {placed.length === 0 ? ofRefresh.colon : gap}
          <Link as="button" inline onClick={() => open("changes")}>
            {placed.length === 0 ? ofRefresh.whatFailed : ofRefresh.others(left)}
          </Link>
        </>
      )}
      {ofRefresh.stop}
    </>
  );
}

/** Cells receive their values gradually. */
const COUNT_AGAIN_MS = 500;

/** The number of cells that the ended refresh changed, with a link to them. @param cells a change shows in all of them */
function Changed({ cells }: { cells: FormulaCells }) {
  const { session, texts, open } = usePane();
  const count = useChanged(session, cells);
  const { changed, whatChanged } = texts.ofRefresh;
  if (count === null) return null;
  return (
    <>
      {" "}
      <span>{changed(count)}</span>
      {count > 0 && (
        <>
          {" "}
          <Link as="button" inline onClick={() => open("changes")}>
            {whatChanged}
          </Link>
        </>
      )}
    </>
  );
}

/** Counts until another refresh begins or the changes are undone; null before the first count. */
function useChanged({ changes, calls, ports }: Session, cells: FormulaCells): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    let callOff: (() => void) | null = null;
    let endCounting = () => {};
    const look = () => {
      callOff = null;
      endCounting();
      endCounting = runInSlices(toCellChanges(changes.each()), (changed) => setCount(countCells(changed, cells)));
    };
    const stopCalls = calls.onChange(() => {
      callOff ??= ports.after(COUNT_AGAIN_MS, look);
    });
    const stop = () => {
      stopCalls();
      stopChanges();
      callOff?.();
      endCounting();
    };
    const stopChanges = changes.onChange(stop);
    look();
    return stop;
  }, [changes, calls, ports, cells]);
  return count;
}

const countCells = (changed: readonly CellChange[], cells: FormulaCells): number =>
  changed.reduce((count, { call }) => count + (cells.get(call)?.length ?? 1), 0);

/** A refresh's result by the formulas of cells. */
interface RefreshReport {
  /** Number of the others: what asks nothing of the provider is as new. */
  refreshed: number;
  /** Those with an answer that could not be refetched. */
  failed: readonly LiveCall[];
  /** Those that a person has to correct: no refresh has failed by them. */
  wrong: readonly LiveCall[];
  cells: FormulaCells;
}

/** Reads what a refresh brought the formulas that it was for; each counts once. */
export async function readReport(
  workbook: Pick<Workbook, "listFeedCells" | "readSheets">,
  queryCache: Pick<QueryCache, "find">,
  calls: readonly Call[],
): Promise<RefreshReport> {
  const outputs = await finishInSlices(readOutputs(calls));
  const cells = await findFormulaCells(workbook, calls);
  const { calls: all, wrong } = await finishInSlices(readLiveCalls(calls, queryCache, undefined, { cells, outputs }));
  const failed = await finishInSlices(listFailed(all, queryCache));
  return { refreshed: all.length - failed.length - wrong.length, failed, wrong, cells };
}

function* listFailed(all: readonly LiveCall[], queryCache: Pick<QueryCache, "find">): Steps<LiveCall[]> {
  const failed: LiveCall[] = [];
  for (const live of all) {
    yield;
    const errors = live.state === "wrong" ? [] : listErrors(live.call, queryCache);
    if (errors.some((error) => !needsCorrection(error))) failed.push(live);
  }
  return failed;
}

/** The errors of a formula's queries. */
function listErrors({ queries }: Call, queryCache: Pick<QueryCache, "find">): unknown[] {
  return queries.flatMap((query) => {
    const state = queryCache.find(query)?.state;
    return state === undefined || state.status === "pending" || state.error === null ? [] : [state.error];
  });
}

/** Below this, times need their seconds to differ. */
const SHORT_MS = 2 * 60_000;

/** A refresh's result without counts, for where its formulas are not known, and answers held back by the firm's policy. */
export function toRefreshedText(refreshed: Omit<Refreshed, "isCancelled">, texts: Texts): string {
  const said = refreshed.failures.length === 0 ? texts.refreshed : texts.partlyRefreshed;
  if (isAllHeld(refreshed)) return toHeldText(refreshed, texts);
  return refreshed.held === undefined ? said : `${said}${texts.gap}${toHeldText(refreshed, texts)}`;
}

/** Whether the firm's policy held back all answers. */
const isAllHeld = ({ refetched, failures, held }: Omit<Refreshed, "isCancelled">): boolean =>
  failures.length === 0 && held?.count === refetched;

function toHeldText(refreshed: Omit<Refreshed, "isCancelled">, { held, language }: Texts): string {
  if (refreshed.held === undefined) return "";
  const { asOfMs, newerAtMs } = refreshed.held;
  const second = newerAtMs - asOfMs < SHORT_MS ? "2-digit" : undefined;
  const toTime = (ms: number) =>
    new Date(ms).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second });
  return held(isAllHeld(refreshed), toTime(asOfMs), toTime(newerAtMs));
}

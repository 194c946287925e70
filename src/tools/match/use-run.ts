import { useCallback, useEffect, useRef, useState } from "react";
import type { Place } from "../../contract/workbook";
import type { NameMatch, NameMatches } from "../../feed/names";
import type { Query, QueryCache } from "../../feed/query-cache";
import type { Session } from "../../session/session";
import { isWorkbookError, toFaultText, usePane } from "../../taskpane/pane";
import { settle, untilAborted } from "../../taskpane/settle";
import { type ListedName, MOST_NAMES, type NameList, readNames } from "./names-in-cells";
import { useMatchTexts } from "./texts";

type Matches = ReadonlyMap<string, NameMatch>;

/** The reading and matching of a list of names. */
export interface Run {
  phase: "idle" | "reading" | "matching" | "ready";
  /** Share of the present phase, 0 to 1. */
  share: number;
  list: NameList | null;
  /** Where the names are looked up. */
  country: string;
  /** By the name's text. */
  matches: Matches;
  /** Why there is no list, as a sentence; null where there is one. */
  problem: string | null;
  /** The error that ended matching early; null for none. */
  error: unknown;
}

interface RunOptions {
  /** Whether a name has a decision, and so needs no match. */
  isDecided: (text: string, country: string) => boolean;
  /** Called once the names have been read. */
  onRead: (list: NameList, country: string) => void;
}

const NOTHING: Run = {
  phase: "idle",
  share: 0,
  list: null,
  country: "",
  matches: new Map(),
  problem: null,
  error: null,
};

/** Reads names from cells and matches them; a run that is stopped keeps what it has. */
export function useRun({ isDecided, onRead }: RunOptions) {
  const { session, workbook, texts } = usePane();
  const ofMatch = useMatchTexts();
  const [run, setRun] = useState(NOTHING);
  const abort = useRef(new AbortController());
  const change = useCallback((part: Partial<Run>) => setRun((before) => ({ ...before, ...part })), []);
  useEffect(() => () => abort.current.abort(), []);
  const renewSignal = () => {
    abort.current.abort();
    abort.current = new AbortController();
    return abort.current.signal;
  };
  const match = async (list: NameList, country: string, known: Matches, signal: AbortSignal) => {
    change({ phase: "matching", share: 0, error: null });
    const due = list.names.filter(({ text }) => !known.has(text) && !isDecided(text, country));
    const found = (matches: Matches, done: number) => change({ matches, share: done / due.length });
    const error = await matchDue(session.feed, due, { country, signal, known, found });
    if (signal === abort.current.signal) change({ phase: "ready", error });
  };
  /** Reads the names of a place, default the selection, and matches them. */
  const begin = async (country: string, place?: Place) => {
    const signal = renewSignal();
    setRun({ ...NOTHING, phase: "reading", country });
    try {
      const from = place ?? (await workbook.readSelection());
      const list = await readNames(workbook, from, { signal, progress: (share) => change({ share }) });
      const { length } = list.names;
      if (length === 0 || length > MOST_NAMES) {
        const problem = length === 0 ? ofMatch.noNames(from.address) : ofMatch.tooMany(length, MOST_NAMES);
        return change({ phase: "idle", problem });
      }
      change({ list });
      onRead(list, country);
      await match(list, country, new Map(), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isWorkbookError(error)) throw error;
      change({ phase: "idle", problem: toFaultText(error, texts) });
    }
  };
  return {
    ...run,
    begin,
    /** Matches the names that are not matched yet. */
    async goOn() {
      if (run.list !== null) await match(run.list, run.country, run.matches, renewSignal());
    },
    stop() {
      abort.current.abort();
      setRun((before) => ({ ...before, phase: before.list === null ? "idle" : "ready" }));
    },
  };
}

/** Names of one query, after each of which matching can be stopped. */
const NAMES_AT_ONCE = 50;

interface DueOptions {
  country: string;
  signal: AbortSignal;
  known: Matches;
  found: (matches: Matches, done: number) => void;
}

/** Matches names beside the known ones; gives the error that ended it, null where all are matched or it was stopped. */
export async function matchDue(
  feed: Session["feed"],
  due: readonly ListedName[],
  options: DueOptions,
): Promise<unknown> {
  const { country, signal, known, found } = options;
  const matches = new Map(known);
  const until = untilAborted(signal);
  try {
    for (let from = 0; from < due.length; from += NAMES_AT_ONCE) {
      signal.throwIfAborted();
      const some = due.slice(from, from + NAMES_AT_ONCE);
      const names = some.map(({ text, hints }) => ({ name: text, hints }));
      const answer = await readWhole(feed.queryCache, feed.names.queryMatches(names, country), until);
      some.forEach(({ text }, place) => void matches.set(text, answer.matches[place] as NameMatch));
      found(new Map(matches), from + some.length);
    }
    return null;
  } catch (error) {
    return signal.aborted ? null : error;
  }
}

/** Reads an answer; a failure of before is retried. @throws the query's error; what `until` rejects with */
async function readWhole(
  queryCache: QueryCache,
  query: Query<NameMatches>,
  until: Promise<never>,
): Promise<NameMatches> {
  let isOfBefore = true;
  const settling = settle(queryCache, query, { until, isPassing: () => isOfBefore });
  isOfBefore = false;
  if (queryCache.peek(query).status === "failed") queryCache.renew(query.key);
  const state = await settling;
  if (state.status === "failed") throw state.error;
  return state.answer.value;
}

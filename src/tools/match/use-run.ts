import { useCallback, useEffect, useRef, useState } from "react";
import type { Place } from "../../contract/workbook";
import type { NameMatch, NameMatches } from "../../feed/names";
import type { Query, QueryCache } from "../../feed/query-cache";
import type { Session } from "../../session/session";
import { isWorkbookError, toFaultText, usePane } from "../../taskpane/pane";
import { type ListedName, MOST_NAMES, type NameList, readNames } from "./names-in-cells";
import { useMatchTexts } from "./use-match-texts";

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

interface Runner extends Run {
  /** Reads the names of a place, default the selection, and matches them. */
  begin: (country: string, place?: Place) => Promise<void>;
  /** Matches the names that are not matched yet. */
  goOn: () => Promise<void>;
  stop: () => void;
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
export function useRun({ isDecided, onRead }: RunOptions): Runner {
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
    async goOn() {
      if (run.list !== null) await match(run.list, run.country, run.matches, renewSignal());
    },
    stop() {
      abort.current.abort();
      setRun((before) => ({ ...before, phase: before.list === null ? "idle" : "ready" }));
    },
  };
}

interface DueOptions {
  country: string;
  signal: AbortSignal;
  known: Matches;
  found: (matches: Matches, done: number) => void;
}

/** Matches names beside the known ones; gives the error that ended it, null where all are matched or it was stopped. */
async function matchDue(feed: Session["feed"], due: readonly ListedName[], options: DueOptions): Promise<unknown> {
  const { country, signal, known } = options;
  const matches = new Map(known);
  let done = 0;
  try {
    await matchNames(feed, due, {
      country,
      signal,
      found(names, found) {
        names.forEach(({ text }, place) => void matches.set(text, found[place] as NameMatch));
        done += names.length;
        options.found(new Map(matches), done);
      },
    });
    return null;
  } catch (error) {
    return signal.aborted ? null : error;
  }
}

/** Names of one query, after each of which matching can be stopped. */
const NAMES_AT_ONCE = 50;

interface MatchingOptions {
  country: string;
  signal: AbortSignal;
  /** Called with the matches of some names, in their order. */
  found: (names: readonly ListedName[], matches: readonly NameMatch[]) => void;
}

/** Matches names, some at a time. @throws the error of a query; the reason of an abort */
export async function matchNames(
  { queryCache, names: known }: Session["feed"],
  names: readonly ListedName[],
  { country, signal, found }: MatchingOptions,
): Promise<void> {
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    signal.throwIfAborted();
    const some = names.slice(from, from + NAMES_AT_ONCE);
    const query = known.queryMatches(
      some.map(({ text, hints }) => ({ name: text, hints })),
      country,
    );
    found(some, (await readWhole(queryCache, query, signal)).matches);
  }
}

/** Observes a query until its answer comes; leaving it ends it. A failure of before is retried. */
async function readWhole(queryCache: QueryCache, query: Query<NameMatches>, signal: AbortSignal): Promise<NameMatches> {
  let leave = () => {};
  let isOfBefore = true;
  try {
    return await new Promise<NameMatches>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      leave = queryCache.observe(query, (state) => {
        if (state.status === "failed" && !isOfBefore) reject(state.error);
        if (state.status === "answered") resolve(state.answer.value);
      });
      isOfBefore = false;
      if (queryCache.peek(query).status === "failed") queryCache.renew(query.key);
    });
  } finally {
    leave();
  }
}

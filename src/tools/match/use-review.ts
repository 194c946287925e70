import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useReducer, useRef, useState } from "react";
import type { Place } from "../../contract/workbook";
import { toAddress } from "../../taskpane/addresses";
import { findSheetName } from "../../taskpane/cell-journal";
import { useNameLanguage } from "../../taskpane/company-search";
import { takeFocus } from "../../taskpane/focus";
import { type ChosenCompany, usePane } from "../../taskpane/pane";
import { type Decision, openDecisions } from "./decisions";
import { extendQueue, type Item, indexByCompany, isOpen, toCounts, toItems, toProposal } from "./queue";
import { type Run, useRun } from "./use-run";

/** Steps of a review: to accept what is sure, to decide on the rest, and to look through what is decided. */
export type Step = "sure" | "open" | "decided";

/** The review of a list of names. */
export type Review = ReturnType<typeof useReview>;

/** Reviews the companies of names in cells. */
export function useReview() {
  const { session, workbook } = usePane();
  const language = useNameLanguage();
  const [version, bump] = useReducer((count: number) => count + 1, 0);
  const [decisions] = useState(() => openDecisions(session, bump));
  useEffect(() => session.feed.resolutions.onChange(bump), [session]);
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const run = useRun({
    isDecided: (name, country) => decisions.find({ name, country }) !== null,
    onRead: ({ sheet, sheetId, area }, country) =>
      decisions.begin({ sheet, sheetId, address: toAddress(area), country }),
  });
  const { list, matches, country } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a version is of the decisions
  const items = useMemo(() => {
    const find = (name: string) => decisions.find({ name, country });
    return toItems(list?.names ?? [], matches, find, out, language);
  }, [list, matches, country, out, decisions, version, language]);
  const queue = useQueue(run, items);
  const decide = (text: string, decision: Decision | null) => decisions.decide([[{ name: text, country }, decision]]);
  const begin = (wanted: string, place?: Place) => {
    setOut(new Set());
    setUnticked(new Set());
    queue.empty();
    void run.begin(wanted, place);
  };
  return {
    ...run,
    ...queue,
    items,
    counts: toCounts(items),
    /** Texts of names by their company. */
    sames: useMemo(() => indexByCompany(items), [items]),
    decide,
    /** Sure names that `accept` leaves out. */
    unticked,
    tick: (text: string, isTicked: boolean) =>
      setUnticked((before) => new Set([...before, text].filter((each) => each !== text || !isTicked))),
    /** Accepts the proposed companies of all sure names but the unticked ones, which are then decided on one by one. */
    accept() {
      const sure = items.filter(({ isProposed, text }) => isProposed && !unticked.has(text));
      setOut((before) => new Set([...before, ...unticked]));
      decisions.decide(sure.map((item) => [{ name: item.text, country }, toDecision(toProposal(item))]));
      queue.leaveSure();
    },
    /** The review that the workbook holds; null for none. */
    stored: decisions.review(),
    begin: (wanted: string) => begin(wanted),
    /** Goes on with the review that the workbook holds. */
    async resume() {
      const review = decisions.review();
      if (review === null) return;
      begin(review.country, { sheet: await findSheetName(workbook, review), address: review.address });
    },
    goOn: () => void run.goOn(),
  };
}

export const toDecision = ({ id, name }: ChosenCompany): Decision => ({ kind: "company", company: { id, name } });

/** The step that shows, and the names to decide on one by one. */
function useQueue({ phase }: Run, items: readonly Item[]) {
  const [queue, setQueue] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const [step, setStep] = useState<Step | null>(null);
  const [moves, setMoves] = useState(0);
  const move = (wanted: Step) => {
    setMoves((before) => before + 1);
    setStep(wanted);
  };
  const isReady = phase === "ready";
  const wasReady = useRef(false);
  useEffect(() => {
    if (isReady) setQueue((before) => extendQueue(before, items));
  }, [isReady, items]);
  useEffect(() => {
    if (isReady && !wasReady.current) {
      const isSure = items.some(({ isProposed }) => isProposed);
      setMoves((before) => before + 1);
      setStep(isSure ? "sure" : items.some(isOpen) ? "open" : "decided");
    }
    if (!isReady) setStep(null);
    wasReady.current = isReady;
  }, [isReady, items]);
  return {
    /** Names to decide on one by one, and the place of the present one; their number at the end. */
    queue,
    at,
    /** Null until there is something to review. */
    step,
    /** Moves of the review itself, each of which may take the focus; 0 once the person has opened a step. */
    moves,
    show(wanted: Step) {
      setMoves(0);
      setStep(wanted);
    },
    go(wanted: number) {
      setMoves((before) => before + 1);
      setAt(wanted);
    },
    /** Goes on to the names to decide on one by one, without the sure ones. */
    leaveSure: () => move("open"),
    /** Goes back to the sure ones. */
    showSure: () => move("sure"),
    /** Opens a name to decide on it anew. */
    reopen(text: string) {
      const place = queue.indexOf(text);
      if (place < 0) setQueue([...queue, text]);
      setAt(place < 0 ? queue.length : place);
      move("open");
    },
    empty() {
      setQueue([]);
      setAt(0);
    },
  };
}

/**
 * Focuses an element of a step after a move of the review, so that keys go on there; not while the person is in the
 * sheet.
 */
export function useMovedFocus({ moves }: Review, find: () => HTMLElement | null): void {
  const focus = useEffectEvent(() => {
    if (document.hasFocus()) takeFocus(find());
  });
  // Before the next key, which may come at once.
  useLayoutEffect(() => {
    if (moves > 0) focus();
  }, [moves]);
}

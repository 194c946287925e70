import { useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { Place } from "../../contract/workbook";
import { toAddress } from "../addresses";
import { type ChosenCompany, usePane } from "../pane";
import { type Decision, openDecisions } from "./decisions";
import { type Counts, extendQueue, type Item, indexByCompany, isOpen, toCounts, toItems, toProposal } from "./queue";
import type { StoredReview } from "./stored-review";
import { type Run, useRun } from "./use-run";

/** Steps of a review: to accept what is sure, to decide on the rest, and to look through what is decided. */
export type Step = "sure" | "open" | "decided";

/** The review of a list of names. */
export interface Review extends Run {
  items: readonly Item[];
  counts: Counts;
  /** Texts of names by their company. */
  sames: ReturnType<typeof indexByCompany>;
  /** Null until there is something to review. */
  step: Step | null;
  show: (step: Step) => void;
  /** Names to decide on one by one, and the place of the present one; their number at the end. */
  queue: readonly string[];
  at: number;
  go: (at: number) => void;
  /** Whether a step that has just come up may take the focus; reading it ends it. */
  takesFocus: () => boolean;
  decide: (text: string, decision: Decision | null) => void;
  /** Sure names that {@link accept} leaves out. */
  unticked: ReadonlySet<string>;
  tick: (text: string, isTicked: boolean) => void;
  /** Accepts the proposed companies of all sure names but the unticked ones, which are then decided on one by one. */
  accept: () => void;
  /** Goes on to the names to decide on one by one, without the sure ones. */
  leaveSure: () => void;
  /** Opens a name to decide on it anew. */
  reopen: (text: string) => void;
  /** The review that the workbook holds; null for none. */
  stored: StoredReview | null;
  begin: (country: string) => void;
  /** Goes on with the review that the workbook holds. */
  resume: () => void;
  goOn: () => void;
  stop: () => void;
}

/** Reviews the companies of names in cells. */
export function useReview(): Review {
  const { session, workbook, texts } = usePane();
  const [version, bump] = useReducer((count: number) => count + 1, 0);
  const [decisions] = useState(() => openDecisions(session, bump));
  useEffect(() => session.feed.resolutions.onChange(bump), [session]);
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const run = useRun({
    isDecided: (name, country) => decisions.find({ name, country }) !== null,
    onRead({ sheet, area }, country) {
      void findSheetId(sheet).then((sheetId) => decisions.begin({ sheet, sheetId, address: toAddress(area), country }));
    },
  });
  const findSheetId = async (sheet: string) =>
    (await workbook.listSheets().catch(() => [])).find(({ name }) => name === sheet)?.id ?? null;
  const { list, matches, country } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a version is of the decisions
  const items = useMemo(() => {
    const find = (name: string) => decisions.find({ name, country });
    return toItems(list?.names ?? [], matches, find, out, texts.language);
  }, [list, matches, country, out, decisions, version, texts]);
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
    sames: useMemo(() => indexByCompany(items), [items]),
    decide,
    unticked,
    tick: (text, isTicked) =>
      setUnticked((before) => new Set([...before, text].filter((each) => each !== text || !isTicked))),
    accept() {
      const sure = items.filter(({ isProposed, text }) => isProposed && !unticked.has(text));
      setOut((before) => new Set([...before, ...unticked]));
      decisions.decide(sure.map((item) => [{ name: item.text, country }, toDecision(toProposal(item))]));
      queue.leaveSure();
    },
    stored: decisions.review(),
    begin: (wanted) => begin(wanted),
    async resume() {
      const review = decisions.review();
      if (review === null) return;
      const sheets = await workbook.listSheets().catch(() => []);
      const sheet = sheets.find(({ id }) => id === review.sheetId)?.name ?? review.sheet;
      begin(review.country, { sheet, address: review.address });
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
  const isMoving = useRef(false);
  const move = (wanted: Step) => {
    isMoving.current = true;
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
      isMoving.current = true;
      setStep(isSure ? "sure" : items.some(isOpen) ? "open" : "decided");
    }
    if (!isReady) setStep(null);
    wasReady.current = isReady;
  }, [isReady, items]);
  return {
    queue,
    at,
    step,
    show: setStep,
    go(wanted: number) {
      isMoving.current = true;
      setAt(wanted);
    },
    takesFocus() {
      const isWanted = isMoving.current && document.hasFocus(); // the person may be in the sheet by then
      isMoving.current = false;
      return isWanted;
    },
    leaveSure: () => move("open"),
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

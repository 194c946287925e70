import { useCallback, useEffect, useRef, useState } from "react";
import { showPlace } from "../../taskpane/addresses";
import { makeChanges, takeBack } from "../../taskpane/cell-journal";
import { attempt } from "../../taskpane/commands/desk";
import type { NoticeEnd } from "../../taskpane/notice-ends";
import { usePane } from "../../taskpane/pane";
import { type NameList, readAgain } from "./names-in-cells";
import { useMatchTexts } from "./use-match-texts";
import type { Review } from "./use-review";
import { planFormula, planIds, type Writing, type WritingKind, type Written } from "./writing";

/** Writes, after a confirmation where cells hold something else, and can undo each writing, the last one first. */
export function useWriting(review: Review) {
  const pane = usePane();
  const ofMatch = useMatchTexts();
  const { session, workbook, texts, notify } = pane;
  const latest = useLatest(review);
  const [writings, setWritings] = useState<readonly Written[]>([]);
  const [said, setSaid] = useState<string | null>(null);
  const begin = useOneAtATime();
  const until = useUntilOther(review.list);
  const warn = (text: string) => notify({ intent: "warning", text, until });
  const plan = (kind: WritingKind, names: NameList) =>
    kind === "ids"
      ? planIds(workbook, names, toIdOf(latest.current))
      : planFormula(workbook, names, review.country === session.settings.country ? null : review.country);
  const finish = async (writing: Writing) => {
    const done = await makeChanges(workbook, writing);
    const [cells, left] = [done.cells.length, writing.cells.length - done.cells.length];
    const place = showPlace(done);
    if (cells === 0) return warn(ofMatch.notWritten(place));
    const sentence = ofMatch.written[done.kind](cells, place);
    setSaid(left === 0 ? sentence : `${sentence}${texts.gap}${ofMatch.leftAlone(left)}`);
    setWritings((before) => [...before, done]);
  };
  const tryToWrite = async (kind: WritingKind, names: NameList, confirmed: readonly string[]) => {
    const list = names === latest.current.list ? await readAgain(workbook, names) : null;
    if (list === null) return warn(ofMatch.changed);
    const writing = await plan(kind, list);
    const place = showPlace(writing);
    if (writing.isSpilled) return warn(ofMatch.spilled(place));
    if (writing.cells.length === 0) return notify({ intent: "info", text: ofMatch.sameAlready(place), until });
    const { occupied } = writing;
    if (occupied.every((cell) => confirmed.includes(cell))) return finish(writing);
    const act = () => begin(() => attempt(pane, () => tryToWrite(kind, names, occupied)));
    notify({
      intent: "warning",
      text: ofMatch.occupied(occupied.length, place),
      actions: [{ label: texts.replace, act }],
      until,
    });
  };
  const undoLast = async (written: Written) => {
    const { sheet, restored } = await takeBack(workbook, written);
    setWritings((before) => before.filter((each) => each !== written));
    const left = written.cells.length - restored;
    const shown = showPlace({ sheet, address: written.address });
    if (restored === 0) setSaid(ofMatch.notUndone(shown));
    else setSaid(left === 0 ? ofMatch.undone(shown) : ofMatch.partlyUndone(left, shown));
  };
  const { list } = review;
  const last = writings.at(-1);
  return {
    said,
    write: (kind: WritingKind) => list !== null && begin(() => attempt(pane, () => tryToWrite(kind, list, []))),
    undo: last === undefined ? null : () => begin(() => attempt(pane, () => undoLast(last))),
  };
}

/** The id of each name with a company by decision. */
function toIdOf({ items }: Review): (text: string) => string | null {
  const decided = items.flatMap(({ text, decision }) =>
    decision?.kind === "company" ? [[text, decision.company.id] as const] : [],
  );
  const ids = new Map(decided);
  return (text) => ids.get(text) ?? null;
}

/** The end of notices about a list: once it is read again, or another one is. */
function useUntilOther(list: NameList | null): NoticeEnd {
  const ends = useRef(new Set<() => void>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list ends them
  useEffect(() => {
    for (const end of [...ends.current]) end();
  }, [list]);
  return useCallback((end) => {
    ends.current.add(end);
    return () => ends.current.delete(end);
  }, []);
}

/** A confirmation may come long after the question, and other decisions meanwhile. */
function useLatest<T>(value: T) {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Work that is begun while other work is under way is not done: a button may be pressed twice. */
function useOneAtATime(): (work: () => Promise<void>) => void {
  const isBusy = useRef(false);
  return (work) => {
    if (isBusy.current) return;
    isBusy.current = true;
    void work().finally(() => {
      isBusy.current = false;
    });
  };
}

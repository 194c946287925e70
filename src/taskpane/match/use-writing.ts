import { useState } from "react";
import { showPlace } from "../addresses";
import { attempt } from "../commands/desk";
import { usePane } from "../pane";
import { isUnchanged, type NameList } from "./names-in-cells";
import { useMatchTexts } from "./use-match-texts";
import type { Review } from "./use-review";
import { planFormula, planIds, undo, type Writing, type WritingKind, type Written, write } from "./writing";

/** Writes, after a confirmation where cells hold something else, and can undo the last writing. */
export function useWriting({ list, items, country }: Review) {
  const pane = usePane();
  const ofMatch = useMatchTexts();
  const { session, workbook, texts, notify } = pane;
  const [written, setWritten] = useState<Written | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const tell = (sentence: string, undoable: Written | null = null) => {
    setSaid(sentence);
    setWritten(undoable);
  };
  const decided = new Map(
    items.flatMap(({ text, decision }) => (decision?.kind === "company" ? [[text, decision.company.id] as const] : [])),
  );
  const plan = (kind: WritingKind, names: NameList) =>
    kind === "ids"
      ? planIds(workbook, names, (text) => decided.get(text) ?? null)
      : planFormula(workbook, names, country === session.settings.country ? null : country);
  const finish = (writing: Writing) =>
    attempt(pane, async () => {
      const done = await write(workbook, writing);
      tell(ofMatch.written[done.kind](done.swaps.length, showPlace(done)), done);
    });
  return {
    said,
    write: (kind: WritingKind) =>
      void attempt(pane, async () => {
        if (list === null) return;
        if (!(await isUnchanged(workbook, list))) return notify({ intent: "warning", text: ofMatch.changed });
        const writing = await plan(kind, list);
        const place = showPlace(writing);
        if (writing.isSpilled) return notify({ intent: "warning", text: ofMatch.spilled(place) });
        if (writing.swaps.length === 0) return notify({ intent: "info", text: ofMatch.sameAlready(place) });
        if (writing.occupied === 0) return finish(writing);
        const replace = { label: texts.replace, act: () => void finish(writing) };
        notify({ intent: "warning", text: ofMatch.occupied(writing.occupied, place), actions: [replace] });
      }),
    undo:
      written &&
      (() =>
        void attempt(pane, async () => {
          const left = await undo(workbook, written);
          const place = showPlace(written);
          tell(left === 0 ? ofMatch.undone(place) : ofMatch.partlyUndone(left, place));
        })),
  };
}

import { useEffect, useRef, useState } from "react";
import { type CellChanges, takeBack } from "../../taskpane/cell-journal";
import { attempt, toFaultText, usePane } from "../../taskpane/pane";
import {
  type Chosen,
  type ComparedCell,
  type Comparison,
  compareBlock,
  replaceCells,
  toFirstChoices,
} from "./comparison";
import type { Hypothesis } from "./proposals";
import { adoptTexts } from "./texts";
import type { SelectedBlock } from "./use-selected-block";

/** The steps of one block. */
export type Phase =
  | { step: "selecting" }
  | { step: "comparing"; done: number; all: number }
  | { step: "compared" | "replacing" | "replaced"; comparison: Comparison; chosen: Chosen };

const SELECTING: Phase = { step: "selecting" };

/** The texts of this part, in the pane's language. */
export const useAdoptTexts = () => adoptTexts[usePane().texts.language];

/** Compares a block, replaces its numbers, and offers to undo that. */
export function useComparison() {
  const pane = usePane();
  const { session, workbook, texts, notify } = pane;
  const ofAdopt = useAdoptTexts();
  const [phase, setPhase] = useState<Phase>(SELECTING);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const refuse = (error: unknown) => notify({ intent: "error", text: toFaultText(error, texts) });
  const compare = async ({ part, block, queries }: Extract<SelectedBlock, { kind: "block" }>) => {
    const controller = new AbortController();
    running.current = controller;
    const progress = (done: number) => setPhase({ step: "comparing", done, all: queries.length });
    progress(0);
    try {
      const { signal } = controller;
      const comparison = await compareBlock({ session, part, block, queries, progress, signal });
      setPhase({ step: "compared", comparison, chosen: toFirstChoices(comparison) });
    } catch (error) {
      setPhase(SELECTING);
      if (!controller.signal.aborted) refuse(error);
    }
  };
  const undo = (changes: CellChanges, place: string) =>
    attempt(pane, async () => {
      const { restored } = await takeBack(workbook, changes);
      const isWhole = restored === changes.cells.length;
      notify({ intent: isWhole ? "success" : "warning", text: ofAdopt.undone(restored, changes.cells.length, place) });
    });
  const replace = async (compared: readonly ComparedCell[], place: string) => {
    if (phase.step !== "compared") return;
    const wanted = compared.filter(({ agreement }) => agreement === "equal" || agreement === "rounded").length;
    setPhase({ ...phase, step: "replacing" });
    try {
      const changes = await replaceCells(workbook, phase.comparison, compared);
      const replaced = changes.cells.length;
      const kept = wanted - replaced;
      setPhase({ ...phase, step: "replaced" });
      const text = ofAdopt.replaced(replaced, place);
      notify({
        intent: kept === 0 ? "success" : "warning",
        text: kept === 0 ? text : `${text}${texts.gap}${ofAdopt.kept(kept)}`,
        actions: replaced === 0 ? [] : [{ label: ofAdopt.undo, act: () => void undo(changes, place) }],
      });
    } catch (error) {
      setPhase(phase);
      refuse(error);
    }
  };
  return {
    phase,
    compare,
    replace,
    cancel: () => running.current?.abort(),
    reset: () => setPhase(SELECTING),
    choose(line: number, hypothesis: Hypothesis | null) {
      if (phase.step !== "compared") return;
      setPhase({ ...phase, chosen: phase.chosen.map((each, index) => (index === line ? hypothesis : each)) });
    },
  };
}

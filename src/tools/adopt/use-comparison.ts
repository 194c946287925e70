import { useEffect, useRef, useState } from "react";
import type { Workbook } from "../../contract/workbook";
import { showPlace } from "../../taskpane/addresses";
import { toFaultText } from "../../taskpane/insert";
import { usePane } from "../../taskpane/pane";
import {
  type Chosen,
  type ComparedCell,
  type Comparison,
  compareBlock,
  replaceCells,
  toFirstChoices,
} from "./comparison";
import type { Hypothesis } from "./hypotheses";
import { readAdoptions, storeAdoptions } from "./stored-adoptions";
import { adoptTexts } from "./texts";
import { type Adoption, type Replaced, undoAdoption } from "./undo";
import type { SelectedBlock } from "./use-selected-block";

/** The steps of one block. */
export type Phase =
  | { step: "selecting" }
  | { step: "comparing"; done: number; all: number }
  | { step: "compared" | "replacing" | "replaced"; comparison: Comparison; chosen: Chosen };

const SELECTING: Phase = { step: "selecting" };

/** The texts of this part, in the pane's language. */
export const useAdoptTexts = () => adoptTexts[usePane().texts.language];

/** Compares a block, replaces its numbers, and undoes that. */
export function useComparison() {
  const { session, workbook, texts, notify } = usePane();
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
  const { replaced, add, undo } = useReplaced(workbook, refuse);
  const replace = async (compared: readonly ComparedCell[], place: string) => {
    if (phase.step !== "compared") return;
    const wanted = compared.filter(({ agreement }) => agreement === "equal" || agreement === "rounded").length;
    setPhase({ ...phase, step: "replacing" });
    try {
      const adoption = await replaceCells(workbook, phase.comparison, compared);
      const kept = wanted - adoption.cells.length;
      if (adoption.cells.length > 0) add(adoption, place);
      setPhase({ ...phase, step: "replaced" });
      const text = ofAdopt.replaced(adoption.cells.length, place);
      notify({
        intent: kept === 0 ? "success" : "warning",
        text: kept === 0 ? text : `${text}${texts.gap}${ofAdopt.kept(kept)}`,
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
    replaced,
    undo,
    cancel: () => running.current?.abort(),
    reset: () => setPhase(SELECTING),
    choose(line: number, hypothesis: Hypothesis | null) {
      if (phase.step !== "compared") return;
      setPhase({ ...phase, chosen: phase.chosen.map((each, index) => (index === line ? hypothesis : each)) });
    },
  };
}

const MOST_NAMED = 8;

/** The workbook's replaced blocks, the latest first; each can be undone once. */
function useReplaced(workbook: Workbook, refuse: (error: unknown) => void) {
  const { texts, notify } = usePane();
  const ofAdopt = useAdoptTexts();
  const [replaced, setReplaced] = useState<readonly Replaced[]>(readAdoptions);
  const [isUndoing, setUndoing] = useState(false);
  const change = (blocks: readonly Replaced[]) => setReplaced(storeAdoptions(blocks));
  const undo = async (block: Replaced) => {
    if (isUndoing) return;
    setUndoing(true);
    try {
      const { sheet, restored, left } = await undoAdoption(workbook, block.adoption);
      change(replaced.filter(({ id }) => id !== block.id));
      const named = left.slice(0, MOST_NAMED).map(({ address }) => showPlace({ sheet, address }));
      const rest = left.length === 0 ? "" : ofAdopt.left(named.join(", ") + (left.length > MOST_NAMED ? "…" : ""));
      const text = [ofAdopt.undone(restored), rest].filter((part) => part !== "").join(texts.gap);
      notify({ intent: left.length === 0 ? "success" : "warning", text });
    } catch (error) {
      refuse(error);
    } finally {
      setUndoing(false);
    }
  };
  const add = (adoption: Adoption, place: string) =>
    change([{ id: (replaced[0]?.id ?? 0) + 1, place, isStored: false, adoption }, ...replaced]);
  return { replaced, add, undo };
}

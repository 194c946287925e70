import { useEffect, useRef, useState } from "react";
import type { Cost } from "../../feed/cost";
import { type CellChanges, takeBack } from "../../taskpane/cell-journal";
import { attempt, toFaultText, usePane } from "../../taskpane/pane";
import { type Block, type NoBlock, readBlock } from "./block";
import { type CompanyQueries, listCompanyQueries, toBlockCost } from "./companies";
import {
  type Chosen,
  type ComparedCell,
  type Comparison,
  compareBlock,
  isAgreeing,
  markStaying,
  readPart,
  replaceCells,
  toFirstChoices,
} from "./comparison";
import type { Hypothesis } from "./proposals";
import type { SheetPart } from "./sides";
import { useAdoptTexts } from "./texts";

/** The steps of one block. */
export type Phase =
  | { step: "selecting" }
  | { step: "comparing"; done: number; all: number }
  | { step: "compared" | "replacing" | "replaced"; comparison: Comparison; chosen: Chosen };

const SELECTING: Phase = { step: "selecting" };

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
  const undo = (changes: CellChanges, place: string, unmark: () => Promise<void>) =>
    attempt(pane, async () => {
      const { restored } = await takeBack(workbook, changes);
      await unmark();
      const isWhole = restored === changes.cells.length;
      notify({ intent: isWhole ? "success" : "warning", text: ofAdopt.undone(restored, changes.cells.length, place) });
    });
  const replace = async (compared: readonly ComparedCell[], place: string) => {
    if (phase.step !== "compared") return;
    setPhase({ ...phase, step: "replacing" });
    try {
      const changes = await replaceCells(workbook, phase.comparison, compared);
      const replaced = changes.cells.length;
      const kept = compared.filter(isAgreeing).length - replaced;
      const { marked, unmark } = await markStaying(workbook, phase.comparison, compared);
      setPhase({ ...phase, step: "replaced" });
      notify({
        intent: kept + marked === 0 ? "success" : "warning",
        text: ofAdopt.replaced(replaced, place, kept, marked),
        actions: replaced + marked === 0 ? [] : [{ label: ofAdopt.undo, act: () => void undo(changes, place, unmark) }],
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

/** The selection as a block of typed numbers, or why it is none. */
export type SelectedBlock =
  | { kind: "reading" }
  | { kind: "none"; why: NoBlock | "single" | "tooLarge" }
  | { kind: "fault"; text: string }
  | { kind: "block"; part: SheetPart; block: Block; queries: readonly CompanyQueries[]; cost: Cost };

/** A person has stopped selecting after this pause. */
const PAUSE_MS = 300;

/** Follows the selection while `isFollowing`; it reads cells and loads nothing. */
export function useSelectedBlock(isFollowing: boolean): SelectedBlock {
  const { session, workbook, texts } = usePane();
  const [selected, setSelected] = useState<SelectedBlock>({ kind: "reading" });
  useEffect(() => {
    if (!isFollowing) return;
    let isEnded = false;
    let reading = 0;
    const read = async () => {
      const own = ++reading;
      const receive = (found: SelectedBlock) => !isEnded && own === reading && setSelected(found);
      try {
        const part = await readPart(workbook, session.settings.dateSystem);
        if (part === null || part === "tooLarge") return receive({ kind: "none", why: part ?? "single" });
        const block = readBlock(part);
        if (typeof block === "string") return receive({ kind: "none", why: block });
        const queries = await listCompanyQueries(session, block);
        receive({ kind: "block", part, block, queries, cost: toBlockCost(session, queries) });
      } catch (error) {
        receive({ kind: "fault", text: toFaultText(error, texts) });
      }
    };
    let stopWaiting = session.ports.after(0, () => void read());
    const stopFollowing = workbook.onSelection(() => {
      stopWaiting();
      setSelected({ kind: "reading" }); // nobody compares what is no longer selected
      reading++;
      stopWaiting = session.ports.after(PAUSE_MS, () => void read());
    });
    return () => {
      isEnded = true;
      stopWaiting();
      stopFollowing();
    };
  }, [session, workbook, texts, isFollowing]);
  return selected;
}

import { type RefObject, useEffect, useState } from "react";
import type { CellValue, Workbook } from "../../contract/workbook";
import type { Cost } from "../../feed/cost";
import type { Query } from "../../feed/query-cache";
import type { Call, Shown } from "../../session/calls";
import { countRows, type RowCount } from "../activity/live-calls";
import { readPlace, showPlace } from "../addresses";
import type { FormulaCall, Given } from "../formula-text";
import { type PaneContext, toFaultText, usePane } from "../pane";
import { toLocalFormula } from "../separators";
import { buildTexts } from "../texts/build";
import { toPreviewLine } from "../this-cell/line";

/** The preview of a formula. */
export interface Preview {
  /** Its cost; null while unknown. */
  cost: Cost | null;
  /** Its result; null before its answers have come. */
  shown: Shown | null;
  /** The origin of its value in words; null for none. */
  line: string | null;
  /** How far its lists are. */
  progress: RowCount;
  /** Why there is no preview, in words. */
  fault: string | null;
  /** Whether it costs so many requests that the person must ask for it. */
  isCostly: boolean;
}

const NO_ROWS: RowCount = { rows: 0, expected: 0 };
const NOTHING: Preview = { cost: null, shown: null, line: null, progress: NO_ROWS, fault: null, isCostly: false };

/** Requests that a preview sends by itself. */
const MOST_AUTOMATIC = 3;

/** Typing counts as finished after this pause. */
const PAUSE_MS = 400;

interface PreviewOptions {
  /** The formula; null while it is incomplete. */
  call: FormulaCall | null;
  /** The sheet of the formula's cell. */
  sheet: string | null;
  /** Whether the preview is visible. */
  isShown: boolean;
  /** Whether the person asked for a costly preview. */
  isWanted: boolean;
  /** A counter; a change reads the cells again. */
  readings: number;
}

/** Runs a formula once typing pauses, while it stays unchanged and visible. */
export function usePreview({ call, sheet, isShown, isWanted, readings }: PreviewOptions): Preview {
  const { session, workbook, texts } = usePane();
  const [preview, setPreview] = useState(NOTHING);
  const callText = call === null || !isShown ? null : JSON.stringify(call);
  // biome-ignore lint/correctness/useExhaustiveDependencies: cells are read again when `readings` changes
  useEffect(() => {
    setPreview(NOTHING);
    if (callText === null) return;
    const showing = createShowing({ session, texts }, isWanted, (part) => setPreview((before) => change(before, part)));
    const begin = () => void showing.begin(workbook, JSON.parse(callText) as FormulaCall, sheet);
    const stopWaiting = session.ports.after(PAUSE_MS, begin);
    return () => {
      stopWaiting();
      showing.end();
    };
  }, [session, workbook, texts, callText, sheet, isWanted, readings]);
  return preview;
}

/** Returns the same object where nothing changed; the client notifies far more often than the preview changes. */
function change(before: Preview, part: Partial<Preview>): Preview {
  const names = Object.keys(part) as (keyof Preview)[];
  const isSame = (name: keyof Preview) =>
    name !== "shown" && JSON.stringify(before[name]) === JSON.stringify(part[name]);
  return names.every(isSame) ? before : { ...before, ...part };
}

type Pane = Pick<PaneContext, "session" | "texts">;

/** Runs a formula without a cell, from reading its arguments to its last row. */
function createShowing(pane: Pane, isWanted: boolean, notify: (part: Partial<Preview>) => void) {
  const { session, texts } = pane;
  let isEnded = false;
  let stop = () => {};
  const run = ({ name }: FormulaCall, values: readonly Value[], queries: readonly Query<unknown>[]) => {
    const readCost = () => session.feed.toCost(queries);
    const cost = readCost();
    const isCostly = cost.now > MOST_AUTOMATIC || (cost.isLeast && cost.now > 0 && isLong(queries));
    notify({ cost, isCostly: isCostly && !isWanted });
    if (isCostly && !isWanted) return;
    const look = () => notify({ progress: countRows(queries, session.feed.queryCache), cost: readCost() });
    const stopLooking = session.feed.activity.onChange(look);
    const show = (shown: Shown, call: Call) => notify({ shown, line: toPreviewLine({ call, shown }, pane) });
    const end = session.formulas.run(name, values, show);
    look();
    stop = () => {
      stopLooking();
      end();
    };
  };
  return {
    async begin(workbook: Workbook, call: FormulaCall, sheet: string | null) {
      try {
        const values = await readValues(call, workbook, sheet);
        if (isEnded) return;
        const queries = await session.formulas.listQueries(call.name, values);
        if (!isEnded) run(call, values, queries);
      } catch (error) {
        const isOurs = error instanceof Unworkable;
        if (!isEnded)
          notify({
            fault: isOurs
              ? buildTexts[texts.language].unworkable(toLocalFormula(error.text))
              : toFaultText(error, texts),
          });
      }
    },
    end() {
      isEnded = true;
      stop();
    },
  };
}

/** Whole lists and unbuilt indexes of names, whose size is unknown. */
const isLong = (queries: readonly Query<unknown>[]): boolean =>
  queries.some(({ key }) => key.at(-1) === "all" || key[0] === "findNames" || key[0] === "matchNames");

/** An argument as the host passes it: a value, or rows of cells. */
export type Value = CellValue | readonly (readonly CellValue[])[];

/** An argument that only the workbook can calculate. */
class Unworkable extends Error {
  constructor(readonly text: string) {
    super(text);
  }
}

/**
 * Reads a formula's arguments as the host would pass them.
 *
 * @param sheet the sheet of references without one; null for the active sheet
 * @throws Unworkable for an expression; WorkbookError where cells cannot be read
 */
export async function readValues(
  { given }: FormulaCall,
  workbook: Pick<Workbook, "readValues">,
  sheet: string | null,
): Promise<Value[]> {
  const unworkable = given.find((each) => each?.kind === "expression");
  if (unworkable?.kind === "expression") throw new Unworkable(unworkable.text);
  return Promise.all(given.map((each) => readValue(each, workbook, sheet)));
}

async function readValue(given: Given, workbook: Pick<Workbook, "readValues">, sheet: string | null): Promise<Value> {
  if (given === null || given.kind === "expression") return null;
  return given.kind === "cells" ? workbook.readValues(toReference(given.text, sheet)) : given.value;
}

/** A reference without dollar signs, on a sheet. */
export function toReference(text: string, sheet: string | null): string {
  const place = readPlace(text);
  const named = place.sheet || sheet;
  return named === null ? place.address : showPlace({ ...place, sheet: named });
}

/** Whether an element's tab is shown and its folds are open. */
export function useShown(place: RefObject<HTMLElement | null>): boolean {
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    const around = ["[role=tabpanel]", "details"].flatMap((selector) => place.current?.closest(selector) ?? []);
    const look = () => setShown(around.every((element) => !element.matches("[hidden], details:not([open])")));
    const observer = new MutationObserver(look);
    for (const element of around) observer.observe(element, { attributes: true, attributeFilter: ["hidden", "open"] });
    look();
    return () => observer.disconnect();
  }, [place]);
  return isShown;
}

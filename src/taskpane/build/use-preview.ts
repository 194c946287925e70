import { useEffect, useState } from "react";
import type { Cost } from "../../feed/cost";
import type { Query } from "../../feed/query-cache";
import type { Shown } from "../../session/calls";
import type { Session } from "../../session/session";
import { countRows, type RowCount } from "../activity/live-calls";
import type { FormulaCall } from "../formula-text";
import { type PaneContext, toFaultText, usePane } from "../pane";
import { toLocalFormula } from "../separators";
import { readValues, Unworkable, type Value } from "./argument-values";

/** The preview of a formula. */
export interface Preview {
  /** Its cost; null while unknown. */
  cost: Cost | null;
  /** Its result; null before its answers have come. */
  shown: Shown | null;
  /** How far its lists are. */
  progress: RowCount;
  /** Why there is no preview, in words. */
  fault: string | null;
  /** Whether it costs so many requests that the person must ask for it. */
  isCostly: boolean;
}

const NOTHING: Preview = { cost: null, shown: null, progress: { rows: 0, expected: 0 }, fault: null, isCostly: false };

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
    const showing = createShowing(session, isWanted, (part) => setPreview((before) => change(before, part)));
    const begin = () => void showing.begin({ workbook, texts }, JSON.parse(callText) as FormulaCall, sheet);
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

/** Runs a formula without a cell, from reading its arguments to its last row. */
function createShowing(session: Session, isWanted: boolean, notify: (part: Partial<Preview>) => void) {
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
    const end = session.formulas.run(name, values, (shown) => notify({ shown }));
    look();
    stop = () => {
      stopLooking();
      end();
    };
  };
  return {
    async begin({ workbook, texts }: Pick<PaneContext, "workbook" | "texts">, call: FormulaCall, sheet: string | null) {
      try {
        const values = await readValues(call, workbook, sheet);
        if (isEnded) return;
        const queries = await session.formulas.listQueries(call.name, values);
        if (!isEnded) run(call, values, queries);
      } catch (error) {
        const isOurs = error instanceof Unworkable;
        if (!isEnded)
          notify({ fault: isOurs ? texts.ofBuild.unworkable(toLocalFormula(error.text)) : toFaultText(error, texts) });
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

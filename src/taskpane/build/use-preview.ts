import { useEffect, useState } from "react";
import type { CellValue, Workbook } from "../../contract/workbook";
import type { Cost } from "../../feed/cost";
import type { Query } from "../../feed/query-cache";
import type { Shown } from "../../session/calls";
import type { Session } from "../../session/session";
import { readPlace, showPlace } from "../addresses";
import type { FormulaCall, Given } from "../formula-text";
import { toFaultText } from "../insert";
import { type PaneContext, usePane } from "../pane";

/** What is seen of a formula before it stands in a cell. */
export interface Preview {
  /** What it costs; null while that is not known. */
  cost: Cost | null;
  /** What it shows; null before anything came. */
  shown: Shown | null;
  /** Rows that will come, while they do; 0 where nobody knows; null when all are there. */
  expected: number | null;
  /** Why nothing can be shown, in words. */
  fault: string | null;
  /** Whether it costs so much that a person has to want it. */
  isCostly: boolean;
}

const NOTHING: Preview = { cost: null, shown: null, expected: null, fault: null, isCostly: false };

/** What is sent without being asked for, in requests. */
const MOST_AUTOMATIC = 3;

/** A person who types has not finished before she pauses for this long. */
const PAUSE_MS = 400;

interface PreviewOptions {
  /** The formula; null where something is missing yet. */
  call: FormulaCall | null;
  /** The sheet it stands on, or will. */
  sheet: string | null;
  /** Whether anybody sees it. */
  isShown: boolean;
  /** Whether it may cost more than a little. */
  isWanted: boolean;
  /** Changes when cells are to be read again. */
  readings: number;
}

/** Shows what a formula shows, once writing has paused, for as long as it stays as it is and is seen. */
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

/** The same where nothing is new: what goes on in the client is told far more often than it changes this. */
function change(before: Preview, part: Partial<Preview>): Preview {
  const names = Object.keys(part) as (keyof Preview)[];
  const isSame = (name: keyof Preview) =>
    name !== "shown" && JSON.stringify(before[name]) === JSON.stringify(part[name]);
  return names.every(isSame) ? before : { ...before, ...part };
}

/** A formula that is shown without a cell, from the reading of its cells to its last row. */
function createShowing(session: Session, isWanted: boolean, notify: (part: Partial<Preview>) => void) {
  let isEnded = false;
  let stop = () => {};
  const run = ({ name }: FormulaCall, values: readonly Value[], queries: readonly Query<unknown>[]) => {
    const readCost = () => session.feed.toCost(queries);
    const cost = readCost();
    const isCostly = cost.now > MOST_AUTOMATIC || (cost.isLeast && cost.now > 0 && isLong(queries));
    notify({ cost, isCostly: isCostly && !isWanted });
    if (isCostly && !isWanted) return;
    const look = () => notify({ expected: readExpected(session, queries), cost: readCost() });
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
        if (!isEnded) notify({ fault: isOurs ? texts.ofBuild.unworkable(error.text) : toFaultText(error, texts) });
      }
    },
    end() {
      isEnded = true;
      stop();
    },
  };
}

/** Lists to their end, and indexes of names that are not there yet: nobody knows how much of it there is. */
const isLong = (queries: readonly Query<unknown>[]): boolean =>
  queries.some(({ key }) => key.at(-1) === "all" || key[0] === "findNames");

/** Rows that will come; 0 where nobody knows, null when all are there. */
function readExpected({ feed }: Session, queries: readonly Query<unknown>[]): number | null {
  const states = queries.map((query) => feed.queryCache.peek(query));
  const open = states.filter((state) => state.status === "pending" || isGrowing(state));
  if (open.length === 0) return null;
  return open.reduce((sum, state) => sum + (isGrowing(state) ? readRows(state.answer.value) : 0), 0);
}

type State = ReturnType<Session["feed"]["queryCache"]["peek"]>;

const isGrowing = (state: State): state is Extract<State, { status: "answered" }> =>
  state.status === "answered" && !state.answer.isComplete;

const readRows = (value: unknown): number => (value as { expected?: number }).expected ?? 0;

/** An argument as a formula gets it: a value, or rows of cells. */
export type Value = CellValue | readonly (readonly CellValue[])[];

/** What only the workbook itself can work out. */
class Unworkable extends Error {
  constructor(readonly text: string) {
    super(text);
  }
}

/**
 * Reads what a formula is given, as the workbook would hand it over.
 *
 * @param sheet where its references point to when they name no sheet; null for the active one
 * @throws Unworkable for what is more than a value or cells; WorkbookError where cells cannot be read
 */
async function readValues({ given }: FormulaCall, workbook: Workbook, sheet: string | null): Promise<Value[]> {
  const unworkable = given.find((each) => each?.kind === "expression");
  if (unworkable?.kind === "expression") throw new Unworkable(unworkable.text);
  return Promise.all(given.map((each) => readValue(each, workbook, sheet)));
}

async function readValue(given: Given, workbook: Workbook, sheet: string | null): Promise<Value> {
  if (given === null || given.kind === "expression") return null;
  return given.kind === "cells" ? workbook.readValues(toReference(given.text, sheet)) : given.value;
}

/** Without the dollar signs, which say nothing of where the cells are. */
export function toReference(text: string, sheet: string | null): string {
  const place = readPlace(text);
  const named = place.sheet || sheet;
  return named === null ? place.address : showPlace({ ...place, sheet: named });
}

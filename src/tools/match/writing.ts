import { useEffect, useRef, useState } from "react";
import { createSubscribers } from "../../client/subscribers";
import type { CellState, CellSwap, Workbook } from "../../contract/workbook";
import { type Area, showPlace, toAddress, toLetters } from "../../taskpane/addresses";
import { type CellChanges, makeChanges, takeBack } from "../../taskpane/cell-journal";
import { toFormulaText } from "../../taskpane/formula-text";
import type { NoticeEnd } from "../../taskpane/notice-ends";
import { attempt, usePane } from "../../taskpane/pane";
import { type NameList, readAgain } from "./names-in-cells";
import { useMatchTexts } from "./texts";
import type { Review } from "./use-review";

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
  const [others] = useState(createSubscribers);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list ends them
  useEffect(others.notify, [list]);
  return others.subscribe;
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

/** What was written, and can be taken back. */
interface Written extends CellChanges {
  /** The cells, such as "C2:C51". */
  address: string;
  kind: WritingKind;
}

/** The cells beside the names, and what is to be written into them. */
interface Writing extends Written {
  /** The cells that hold something else. */
  occupied: readonly string[];
  /** Whether cells are filled by a formula that stands elsewhere, and so cannot be written. */
  isSpilled: boolean;
}

export type WritingKind = "ids" | "formula";

/** Columns of the formula: company id, name, state and score. */
const FORMULA_COLUMNS = 4;

/** Plans ids in the column beside the names, in the rows whose name has a company; other rows stay as they are. */
export async function planIds(
  workbook: Workbook,
  list: NameList,
  idOf: (text: string) => string | null,
): Promise<Writing> {
  const area = { ...toBeside(list.area), columns: 1 };
  const states = await readStates(workbook, list.sheet, area);
  const ids = list.names.flatMap(({ text, rows }) => {
    const id = idOf(text);
    return id === null ? [] : rows.map((row) => ({ name: text, row, id }));
  });
  const cells = ids
    .sort((one, other) => one.row - other.row)
    .flatMap(({ row, id }): CellSwap[] => {
      const before = states[row - area.row]?.[0] ?? EMPTY;
      if (before.formula === "" && before.value === id) return [];
      const after = { value: id, formula: "", format: before.format };
      return [{ address: toCell(area.column, row), before, after }];
    });
  const labels = ids.map(({ name, row }) => ({ address: toCell(list.area.column, row), text: name }));
  return { ...toWriting("ids", list, area, cells), labels };
}

/** Plans the formula that matches the names, whose cells must be free. @param country null for that of the settings */
export async function planFormula(workbook: Workbook, list: NameList, country: string | null): Promise<Writing> {
  const area = { ...toBeside(list.area), columns: FORMULA_COLUMNS };
  const [first = [], ...others] = await readStates(workbook, list.sheet, area);
  const [before = EMPTY, ...beside] = first;
  const after = { value: null, formula: toMatchFormula(list.area, country), format: before.format };
  const cell = { address: toCell(area.column, area.row), before, after };
  const spill = [beside, ...others].flat();
  const isOwnSpill = before.formula !== "" && spill.every(({ value, formula }) => value === null || formula === "=");
  const writing = toWriting("formula", list, area, before.formula === after.formula ? [] : [cell]);
  if (isOwnSpill) return writing;
  return {
    ...writing,
    isSpilled: writing.isSpilled || spill.some(({ value, formula }) => value !== null || formula !== ""),
  };
}

function toMatchFormula({ row, column, rows, columns }: Area, country: string | null): string {
  const names = toAddress({ row, column, rows, columns: 1 });
  const hints = columns > 1 ? toAddress({ row, column: column + 1, rows, columns: columns - 1 }) : null;
  return toFormulaText({
    name: "COMPANY.MATCH",
    given: [
      { kind: "cells", text: names },
      country === null ? null : { kind: "text", value: country },
      hints === null ? null : { kind: "cells", text: hints },
      null,
      { kind: "flag", value: false },
    ],
  });
}

/** The column beside names and hints. */
const toBeside = ({ row, rows, column, columns }: Area) => ({ row, rows, column: column + columns });

/** Where results are written, such as "C2:C51". */
export const toBesideAddress = (area: Area): string => toAddress({ ...toBeside(area), columns: 1 });

/** Writes the address of a cell. @param column of the sheet, from 0, as `row` */
export const toCell = (column: number, row: number): string => `${toLetters(column)}${row + 1}`;

const EMPTY: CellState = { value: null, formula: "", format: "" };

const readStates = (workbook: Workbook, sheet: string, area: Area) =>
  workbook.readCells(showPlace({ sheet, address: toAddress(area) }));

function toWriting(kind: WritingKind, list: NameList, area: Area, cells: readonly CellSwap[]): Writing {
  const holds = ({ before }: CellSwap) => before.formula !== "" || before.value !== null;
  return {
    sheet: list.sheet,
    sheetId: list.sheetId,
    address: toAddress(area),
    kind,
    cells,
    labels: [],
    occupied: cells.filter(holds).map(({ address }) => address),
    isSpilled: cells.some(({ before }) => before.formula === "="),
  };
}

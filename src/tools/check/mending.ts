import type { CellState, CellValue, Workbook } from "../../contract/workbook";
import { readArea, showPlace, toAddress } from "../../taskpane/addresses";
import { attempt } from "../../taskpane/commands/desk";
import { listCalls } from "../../taskpane/formula-text";
import { type PaneContext, usePane } from "../../taskpane/pane";
import type { Finding, Fix, FixedCell } from "./finding";
import { goTo } from "./go-to";
import { findKnownValue } from "./known-value";
import { toCheckTexts, toShown } from "./wording";

/** A typed number that is not what its neighbours' formula gives: a person decides between the two. */
export interface Choice {
  typed: number;
  /** Null where the formula's value takes a request. */
  value: CellValue;
}

/** A finding with a fix. */
export type Mendable = Finding & { fix: Fix };

/**
 * Returns a function that enters a finding's fix and offers to undo it. It changes nothing where a cell is not as it was
 * checked, or would show something that the finding does not explain.
 *
 * @returns the choice that it leaves to a person, who then calls it with `isChosen`; else null
 */
export function useMend(): (finding: Mendable, isChosen?: boolean) => Promise<Choice | null> {
  const pane = usePane();
  return async (finding, isChosen = false) => {
    let choice: Choice | null = null;
    await attempt(pane, async () => {
      choice = await mend(finding, isChosen, pane);
    });
    return choice;
  };
}

/** Rules whose fix enters a copy of a formula, which may give anything. */
const COPYING = new Set(["typedNumber", "slippedReference"]);

async function mend(finding: Mendable, isChosen: boolean, pane: PaneContext): Promise<Choice | null> {
  const { rule, fix } = finding;
  const [cell] = fix.cells as [FixedCell];
  const value = COPYING.has(rule) ? await findKnownValue(cell.formula, fix.sheet, pane) : null;
  if (isError(value)) return refuse(fix, cell, value, pane);
  const typed = cell.before.value;
  if (rule === "typedNumber" && typeof typed === "number" && !isChosen && !isAgreeing(typed, value)) {
    return { typed, value };
  }
  await enter(finding, pane);
  return null;
}

/** Whether a typed number is the value, to as many digits as were typed. */
export function isAgreeing(typed: number, value: CellValue): boolean {
  if (typeof value !== "number") return false;
  const digits = /\.(\d+)$/.exec(String(typed))?.[1]?.length ?? 0;
  return Math.abs(value - typed) <= 0.5 * 10 ** -digits + Math.abs(typed) * 1e-12;
}

async function enter({ rule, place, fix }: Mendable, pane: PaneContext): Promise<void> {
  const { workbook, notify, texts } = pane;
  const words = toCheckTexts(texts);
  if (!(await goTo(pane, place))) return;
  const before = await readStates(fix, workbook);
  const other = fix.cells.findIndex((cell, index) => !isHolding(before[index] as CellState, cell));
  if (other !== -1) return notifyChanged(fix, other, pane);
  const planned = fix.cells.map(({ formula }, index) => ({ ...(before[index] as CellState), formula, value: null }));
  const missed = await exchange(fix, before, planned, workbook);
  const after = await readStates(fix, workbook);
  // A cell that somebody has changed meanwhile holds another formula, and keeps it.
  const entered = fix.cells.map(({ formula }, index) => {
    const state = after[index] as CellState;
    return toPlain(state.formula) === toPlain(formula) ? state : (planned[index] as CellState);
  });
  const undo = () => exchange(fix, entered, before, workbook);
  if (missed !== -1) {
    await undo();
    return notifyChanged(fix, missed, pane);
  }
  const odd = fix.cells.findIndex((cell, index) => !isExplained(rule, cell, (after[index] as CellState).value));
  if (odd !== -1) {
    await undo();
    return void refuse(fix, fix.cells[odd] as FixedCell, after[odd]?.value ?? null, pane);
  }
  const act = () =>
    void attempt(pane, async () => {
      const left = await undo();
      if (left !== -1) notifyChanged(fix, left, pane);
      else notify({ intent: "success", text: words.undone(toName(fix, pane)) });
    });
  const [from, to] = [before, after].map(([state]) => state?.value ?? null);
  const isKnown = to !== null && to !== undefined && !isBusy(to);
  const shown = [from ?? "", to ?? ""].map((value) => toShown(value, texts)) as [string, string];
  const text = isKnown ? words.fixed(toName(fix, pane), ...shown) : words.entered(toName(fix, pane));
  notify({ intent: "success", text, actions: [{ label: words.undo, act }] });
}

/** Reads the cells of a fix, in one area. */
async function readStates({ sheet, cells }: Fix, workbook: Pick<Workbook, "readCells">): Promise<CellState[]> {
  const areas = cells.map(({ address }) => readArea(address));
  const [top, left] = [Math.min(...areas.map(({ row }) => row)), Math.min(...areas.map(({ column }) => column))];
  const rows = Math.max(...areas.map(({ row }) => row)) - top + 1;
  const columns = Math.max(...areas.map(({ column }) => column)) - left + 1;
  const whole = toAddress({ row: top, column: left, rows, columns });
  const states = await workbook.readCells(showPlace({ sheet, address: whole }));
  return areas.map(({ row, column }) => states[row - top]?.[column - left] as CellState);
}

/** Exchanges the cells of a fix; gives the first that is not as expected, else -1. */
async function exchange(
  { sheet, cells }: Fix,
  expected: readonly CellState[],
  next: readonly CellState[],
  workbook: Pick<Workbook, "swap">,
): Promise<number> {
  const swaps = cells.map(({ address }, index) => ({
    address,
    before: expected[index] as CellState,
    after: next[index] as CellState,
  }));
  return (await workbook.swap(sheet, swaps)).indexOf(false);
}

/** Whether a cell holds what was checked, and shows it where the fix counts on that. */
const isHolding = (state: CellState, { before, shown }: FixedCell): boolean =>
  toPlain(state.formula) === toPlain(before.formula) &&
  (state.value === before.value || (before.formula !== "" && shown === null));

/** Hosts write a formula with spaces of their own, and may mark where it takes one value of several. */
const toPlain = (formula: string) => formula.replace(/[\s@]/g, "").toUpperCase();

/** Whether the finding explains what a cell shows after its fix; a formula of the add-in may show its value later. */
function isExplained(rule: Finding["rule"], { formula, shown }: FixedCell, value: CellValue): boolean {
  if (rule === "hiddenError" || isBusy(value)) return true;
  if (isError(value)) return listCalls(formula).length > 0;
  return shown === null || typeof value !== "number" || Math.abs(value - shown) <= 1e-9 * Math.abs(shown);
}

const isError = (value: CellValue | undefined): boolean => typeof value === "string" && /^#.+[!?A]$/.test(value);
const isBusy = (value: CellValue | undefined): boolean => value === "#BUSY!" || value === "#GETTING_DATA";

/** A fix's cells as a person reads them. */
const toName = ({ sheet, cells: [first, ...others] }: Fix, { texts }: Pick<PaneContext, "texts">) =>
  toCheckTexts(texts).places(showPlace({ sheet, address: first?.address ?? "" }), others.length);

function notifyChanged({ sheet, cells }: Fix, index: number, { notify, texts }: PaneContext): void {
  const place = showPlace({ sheet, address: cells[index]?.address ?? "" });
  notify({ intent: "info", text: toCheckTexts(texts).changed(place) });
}

/** Says why a fix was not entered. */
function refuse({ sheet }: Fix, { address }: FixedCell, value: CellValue, { notify, texts }: PaneContext): null {
  const words = toCheckTexts(texts);
  notify({ intent: "warning", text: words.refused(showPlace({ sheet, address }), toShown(value ?? "", texts)) });
  return null;
}

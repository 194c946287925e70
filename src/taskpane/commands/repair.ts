import { type FeedCell, VALUES_WITHOUT_STREAM } from "../../contract/workbook";
import type { Shown } from "../../session/calls";
import { namePlaces } from "../addresses";
import { findCells, readOutputs, toCellValue } from "../cells";
import { readFormula } from "../formula-text";
import type { Desk } from "../pane";
import { finishInSlices } from "../slices";
import { thaw } from "./freezing";

/** Enters formulas again that Excel no longer calculates, as in a file that was opened without FEED. */
export async function repair(desk: Desk): Promise<void> {
  const { workbook, texts, notify } = desk;
  const { commands, repairing, nothingToRepair, repaired, refusedRepair, undetermined, deadCopies } = texts.ofCommands;
  notify({ intent: "info", text: repairing });
  const { broken, left, dead } = await findBroken(desk);
  const { formulas, refused } = await workbook.repair(broken);
  const rest = [
    ...(refused.length > 0 ? [refusedRepair(refused.length, ...namePlaces(refused))] : []),
    ...(left.length > 0 ? [undetermined(left.length, ...namePlaces(left))] : []),
    ...(dead.length > 0 ? [deadCopies(dead.length, ...namePlaces(dead))] : []),
  ];
  const actions = [{ label: commands.thaw, act: () => void thaw(desk) }];
  const done = formulas > 0 ? [repaired(formulas)] : [];
  if (rest.length > 0)
    notify({ intent: "warning", text: [...done, ...rest].join(" "), ...(dead.length > 0 && { actions }) });
  else if (formulas > 0) notify({ intent: "success", text: done.join(" ") });
  else notify({ intent: "info", text: nothingToRepair });
}

interface Sorted {
  /** Cells that surely have no stream, or whose stream's output Excel has lost. */
  broken: FeedCell[];
  /** Cells that show no value and may be either of these. */
  left: FeedCell[];
  /** Dead copies of formulas. */
  dead: FeedCell[];
}

async function findBroken({ session, workbook }: Pick<Desk, "session" | "workbook">): Promise<Sorted> {
  const calls = session.calls.list();
  // Read before the cells: an output that comes meanwhile is not lost.
  const outputs = await finishInSlices(readOutputs(calls));
  const isManual = await workbook.isManual();
  const { cells, pairs, unknown, findUndetermined } = await findCells(workbook, calls, "workbook");
  const [unmatched, uncertain] = [new Set(unknown), new Set(await findUndetermined())];
  const broken = unknown.filter((cell) => !uncertain.has(cell));
  const sorted: Sorted = { broken, left: [], dead: cells.filter(({ isDead }) => isDead) };
  const silent = cells.filter((cell) => VALUES_WITHOUT_STREAM.includes(cell.value));
  const pairsOf = new Map<FeedCell, (typeof pairs)[number][]>(silent.map((cell) => [cell, []]));
  for (const pair of pairs) pairsOf.get(pair.cell)?.push(pair);
  for (const cell of silent) {
    if (unmatched.has(cell) && !uncertain.has(cell)) continue;
    const own = pairsOf.get(cell) ?? [];
    if (own.some(({ call }) => isExplaining(outputs.get(call) ?? null))) continue;
    // In manual calculation no output reaches a cell, and around a call the rest of the formula may be wrong.
    const isLost = !isManual && !unmatched.has(cell) && own.every(({ isCertain }) => isCertain) && isCallAlone(cell);
    sorted[isLost ? "broken" : "left"].push(cell);
  }
  return sorted;
}

/** Whether a call's output leaves its cell without a value: it waits, or ends in that error. */
function isExplaining(shown: Shown | null): boolean {
  return shown === null || VALUES_WITHOUT_STREAM.includes(toCellValue(Array.isArray(shown) ? shown[0]?.[0] : shown));
}

const isCallAlone = ({ formula, value }: FeedCell) => value === "#BUSY!" || readFormula(formula).kind === "call";

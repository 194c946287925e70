import type { FeedCell, FrozenCell, Scope, Thawed } from "../../contract/workbook";
import { namePlaces } from "../addresses";
import { type CellOfCall, findCells, showsTable } from "../cells";
import { isSpilling } from "../feed-formulas";
import { tryToStore } from "../file-store";
import { untilFormulasCome } from "../notice-ends";
import { attempt, type Desk, isWorkbookError } from "../pane";
import { showLeft } from "./LeftFrozen";
import { notifyLooking } from "./refresh";

const SCOPES: readonly Scope[] = ["selection", "sheet", "workbook"];

/**
 * Reads what each scope holds, the narrowest first; without a selection that is no cells, as a chart.
 *
 * @returns those alone that hold more than the one before, and the whole workbook
 */
export async function listByScope<T>(desk: Desk, list: (scope: Scope) => Promise<T>, count: (listed: T) => number) {
  const read = async (scope: Scope) => {
    try {
      return [{ scope, listed: await list(scope) }];
    } catch (error) {
      if (scope === "selection" && isWorkbookError(error) && error.fault === "missing") return [];
      throw error;
    }
  };
  const callOff = notifyLooking(desk);
  const found = (await Promise.all(SCOPES.map(read)).finally(callOff)).flat();
  const counts = [0, ...found.map(({ listed }) => count(listed))];
  const offered = found.filter((_, index) => Number(counts[index + 1]) > Number(counts[index]));
  return { offered, whole: (found.at(-1) as (typeof found)[number]).listed };
}

/** Asks for scope and confirmation, then replaces FEED formulas by their values. */
export async function freeze(desk: Desk): Promise<void> {
  const { session, workbook, notify, texts } = desk;
  const { nothingToFreeze, confirmFreeze, freezeNow, formulasIn } = texts.ofCommands;
  const tables = session.calls.list().filter(showsTable);
  const list = (scope: Scope) => findCells(workbook, tables, scope);
  const { offered } = await listByScope(desk, list, ({ cells }) => cells.length);
  const actions = offered.map(({ scope, listed: { cells, pairs } }) => ({
    label: freezeNow(formulasIn[scope](cells.length, countFilled(cells, pairs))),
    act: () => void freezeConfirmed(desk, scope, cells),
  }));
  if (actions.length === 0) notify({ intent: "info", text: nothingToFreeze });
  else notify({ intent: "warning", text: confirmFreeze, actions });
}

/** How many cells formulas fill, with their tables. @param pairs those that show a table, with it */
function countFilled(cells: readonly FeedCell[], pairs: readonly CellOfCall[]): number {
  const tables = new Map(pairs.map(({ call, cell }) => [cell, isSpilling(cell) ? [call.shown].flat(2).length : 1]));
  return cells.reduce((sum, cell) => sum + (tables.get(cell) ?? 1), 0);
}

/** Freezes the confirmed cells; where the selection has changed, it prompts again. */
async function freezeConfirmed(desk: Desk, scope: Scope, confirmed: readonly FeedCell[]): Promise<void> {
  const { session, workbook, notify, texts } = desk;
  const { freezing, frozen, leftUnfrozen } = texts.ofCommands;
  try {
    notify({ intent: "info", text: freezing(confirmed.length) });
    await tryToStore();
    const { formulas, left } = await workbook.freeze(scope, confirmed);
    const until = untilFormulasCome(session);
    const rest = tellLeft(desk, left, leftUnfrozen);
    const text = [frozen(formulas), ...rest].join(texts.gap);
    notify({ intent: rest.length === 0 ? "success" : "warning", text, until });
  } catch (error) {
    await promptAgain(desk, error, () => freeze(desk));
  }
}

/** Prompts again where the workbook holds other cells than the confirmed ones. */
function promptAgain(desk: Desk, error: unknown, prompt: () => Promise<void>): Promise<void> {
  return attempt(desk, async () => {
    if (!isWorkbookError(error) || error.fault !== "missing") throw error;
    await prompt();
  });
}

/** Opens a copy of the workbook with values only, and reports cells that kept formulas or values. */
export async function copyValues(desk: Desk): Promise<void> {
  const { workbook, notify, texts } = desk;
  const { copying, copied, leftInCopy, leftFrozen } = texts.ofCommands;
  const { left, changed } = await workbook.copyValues((step) => notify({ intent: "info", text: copying[step] }));
  const rest = [...tellLeft(desk, left, leftInCopy), ...(changed.length > 0 ? [leftFrozen(changed.length)] : [])];
  notify({
    intent: rest.length === 0 ? "success" : "warning",
    text: [copied, ...rest].join(" "),
    list: showLeft(changed),
  });
}

/** Names the formulas that stayed, dead copies apart: no refresh gives these a value. */
function tellLeft(
  { texts }: Desk,
  left: readonly FeedCell[],
  say: (number: number, places: string, isCut: boolean) => string,
): string[] {
  const live = left.filter(({ isDead }) => !isDead);
  const dead = left.filter(({ isDead }) => isDead);
  return [
    ...(live.length > 0 ? [say(live.length, ...namePlaces(live))] : []),
    ...(dead.length > 0 ? [texts.ofCommands.deadCopies(dead.length, ...namePlaces(dead))] : []),
  ];
}

/** Lists the frozen cells and asks for scope and confirmation, then restores their formulas. */
export async function thaw(desk: Desk): Promise<void> {
  const { workbook, notify, texts } = desk;
  const { nothingToThaw, confirmThaw, thawNow, formulasIn, leftFrozen, frozenCells } = texts.ofCommands;
  const listBack = (all: readonly FrozenCell[]) => all.filter(({ isAsFrozen }) => isAsFrozen);
  const read = (scope: Scope) => workbook.listFrozen(scope);
  const { offered, whole } = await listByScope(desk, read, (listed) => listBack(listed).length);
  const changed = whole.filter(({ isAsFrozen }) => !isAsFrozen);
  const rest = changed.length === 0 ? [] : [leftFrozen(changed.length)];
  const actions = offered.map(({ scope, listed }) => ({
    label: thawNow(formulasIn[scope](listBack(listed).length)),
    act: () => void thawConfirmed(desk, scope, listed),
  }));
  if (whole.length === 0) return notify({ intent: "info", text: nothingToThaw });
  const question = actions.length === 0 ? [] : [confirmThaw];
  const text = [...question, ...rest, frozenCells(whole.length)].join(texts.gap);
  const list = showLeft([...changed, ...listBack(whole)]);
  notify({ intent: actions.length === 0 ? "info" : "warning", text, actions, list });
}

async function thawConfirmed(desk: Desk, scope: Scope, confirmed: readonly FrozenCell[]): Promise<void> {
  const { workbook, notify, texts } = desk;
  try {
    notify({ intent: "info", text: texts.ofCommands.thawing });
    const thawed = await workbook.thaw(scope, confirmed);
    const isWhole = thawed.left.length + thawed.gone === 0;
    notify({
      intent: isWhole ? "success" : "warning",
      text: toOutcome(desk, thawed),
      list: showLeft(thawed.left),
    });
  } catch (error) {
    await promptAgain(desk, error, () => thaw(desk));
  }
}

function toOutcome({ texts }: Desk, { formulas, left, gone }: Thawed): string {
  const { thawed, leftFrozen, goneFrozen } = texts.ofCommands;
  return [
    thawed(formulas),
    ...(left.length > 0 ? [leftFrozen(left.length)] : []),
    ...(gone > 0 ? [goneFrozen(gone)] : []),
  ].join(" ");
}

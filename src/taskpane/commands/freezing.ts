import type { FeedCell, FrozenCell, Scope, Thawed } from "../../contract/workbook";
import { namePlaces } from "../addresses";
import { type CellOfCall, findCells, showsTable } from "../cells";
import { isSpilling } from "../feed-formulas";
import { tryToStore } from "../file-store";
import { untilFormulasCome } from "../notice-ends";
import { attempt, type Desk, isWorkbookError } from "../pane";
import { showLeft } from "./LeftFrozen";

/** Asks for confirmation, then replaces FEED formulas by their values. */
export async function freeze(desk: Desk, scope: Scope): Promise<void> {
  const { session, workbook, notify, texts } = desk;
  const { nothingToFreeze, confirmFreeze, freezeNow, standIn } = texts.ofCommands;
  const { cells, pairs } = await findCells(workbook, session.calls.list().filter(showsTable), scope);
  if (cells.length === 0) {
    notify({ intent: "info", text: nothingToFreeze[scope] });
    return;
  }
  const act = () => void freezeConfirmed(desk, scope, cells);
  const filled = countFilled(cells, pairs);
  notify({
    intent: "warning",
    text: `${confirmFreeze[scope](cells.length)}${filled > cells.length ? `${texts.gap}${standIn(filled)}` : ""}`,
    actions: [{ label: freezeNow(cells.length), act }],
  });
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
    await promptAgain(desk, error, () => freeze(desk, scope));
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

/** Asks for confirmation, then restores the formulas of frozen cells. */
export async function thaw(desk: Desk, scope: Scope): Promise<void> {
  const { workbook, notify, texts } = desk;
  const { nothingToThaw, confirmThaw, thawNow, leftFrozen } = texts.ofCommands;
  const cells = await workbook.listFrozen(scope);
  const changed = cells.filter(({ isAsFrozen }) => !isAsFrozen);
  const asFrozen = cells.filter(({ isAsFrozen }) => isAsFrozen);
  const back = asFrozen.length;
  const rest = changed.length === 0 ? [] : [leftFrozen(changed.length)];
  if (back === 0) {
    notify({ intent: "info", text: rest[0] ?? nothingToThaw[scope], list: showLeft(changed) });
    return;
  }
  const act = () => void thawConfirmed(desk, scope, cells);
  notify({
    intent: "warning",
    text: [confirmThaw[scope](back), ...rest].join(" "),
    actions: [{ label: thawNow(back), act }],
    list: showLeft([...changed, ...asFrozen]),
  });
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
    await promptAgain(desk, error, () => thaw(desk, scope));
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

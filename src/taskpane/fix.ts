import { FeedError } from "../client/errors";
import type { Place } from "../contract/workbook";
import { findCause, isPassed, REMEDIES, type Remedy } from "./activity/formula-state";
import type { LiveCall } from "./activity/live-calls";
import { readArea, showPlace, toAddress } from "./addresses";
import { toShownPlace } from "./cells";
import { refresh } from "./commands/refresh";
import { readFormula, replaceText } from "./formula-text";
import { insert, isHolding } from "./insert";
import type { Action } from "./layout";
import { attempt, type PaneContext } from "./pane";
import { toReasonText } from "./Reason";

/** A formula that shows no value, as far as its mending needs it. */
export type Failing = Pick<LiveCall, "call" | "place" | "formula" | "error" | "hiddenBy">;

/** Why a formula is to be corrected, in a sentence with what to do. */
export function toWhy({ call, place, formula, error, hiddenBy }: Failing, { texts }: PaneContext): string {
  const { drifts, blocked, lost, outer, dependsOn, dependsOnOther } = texts.ofFixes;
  if (call.drift) return drifts(call.drift);
  if (hiddenBy === "#SPILL!") return blocked;
  if (hiddenBy !== null) return isAlone(formula) ? lost(hiddenBy) : outer(hiddenBy);
  if (!isPassed(call, error)) return toReasonText(error, texts);
  const cause = formula !== null && place !== null ? findCause(call, formula, place) : null;
  return cause === null ? dependsOnOther : dependsOn(showPlace(cause));
}

const isAlone = (formula: string | null): boolean => readFormula(formula ?? "").kind === "call";

/** The fixes of a formula, the most likely first; none where only an edit of its cell mends it. */
export function toFixes(failing: Failing, pane: PaneContext): readonly Action[] {
  const fixes = [toCorrection(failing, pane), toFix(failing, pane)];
  return fixes.filter((fix) => fix !== null);
}

function toFix(failing: Failing, pane: PaneContext): Action | null {
  const { call, place, formula, error, hiddenBy } = failing;
  const { ofFixes } = pane.texts;
  if (hiddenBy === "#SPILL!" && place !== null) return { label: ofFixes.makeRoom, act: () => makeRoom(failing, pane) };
  if (hiddenBy !== null) return isAlone(formula) ? { label: ofFixes.repair, act: () => pane.run("repair") } : null;
  if (isPassed(call, error)) {
    const cause = formula !== null && place !== null ? findCause(call, formula, place) : null;
    return cause && { label: ofFixes.goTo(showPlace(cause)), act: () => go(cause, pane) };
  }
  return error instanceof FeedError ? toFixOf[REMEDIES[error.code]](failing, pane) : null;
}

const toFixOf: Readonly<Record<Remedy, (failing: Failing, pane: PaneContext) => Action | null>> = {
  edit: () => null,
  grant: () => null,
  find: ({ error }, pane) => {
    const named = error instanceof FeedError ? error.facts.named : undefined;
    if (named === undefined) return null;
    const act = () => pane.open("find", { name: named.name, named });
    return { label: pane.texts.ofPicker.chooseInFind, act };
  },
  index: (failing, pane) => ({
    label: pane.texts.ofFixes.buildIndex,
    act: () => pane.open("find", readNamed(failing) ?? { name: "" }),
  }),
  decide: (failing, pane) =>
    pane.session.confirmation.waiting() === null
      ? toFixOf.refresh(failing, pane)
      : { label: pane.texts.ofFixes.decide, act: pane.session.confirmation.present },
  connect: (failing, pane) =>
    pane.session.state().status === "connected"
      ? toFixOf.refresh(failing, pane)
      : { label: pane.texts.ofFixes.connect, act: () => void pane.session.connect() },
  settings: (_, pane) => ({ label: pane.texts.ofFixes.settings, act: () => pane.open("settings") }),
  refresh: ({ call }, pane) => ({
    label: pane.texts.ofFixes.refresh,
    act: () => void attempt(pane, () => refresh(pane, { calls: [call] })),
  }),
};

/** A name as formulas take it, such as "JPN:さくら食品". */
const NAME = /^(?:([A-Z]{3}):)?(.+)$/;

/** The arguments that name a company. */
const NAMES = ["company", "text", "companies"];

/** The company that a formula names; null for none, or several. */
function readNamed({ call: { given } }: Failing): { name: string; country?: string } | null {
  const written = NAMES.map((name) => given[name]).find((argument) => argument != null);
  const [text, ...others] = [written].flat(2);
  if (typeof text !== "string" || others.length > 0) return null;
  const [, prefix, name = text] = NAME.exec(text) ?? [];
  const country = prefix ?? (typeof given.country === "string" && given.country !== "" ? given.country : undefined);
  return { name, ...(country !== undefined && { country }) };
}

/** Writes the closest company into a formula that has a misspelt name itself; null for any other. */
function toCorrection({ place, formula, error }: Failing, pane: PaneContext): Action | null {
  const { named, closest } = error instanceof FeedError ? error.facts : {};
  if (named === undefined || closest === undefined || place === null || formula === null) return null;
  const corrected = replaceText(formula, named.name, closest);
  if (corrected === null) return null;
  const { correct, correction } = pane.texts.ofFixes;
  const act = async () => {
    const isReplacing = await isHolding(pane.workbook, { ...place, formula });
    await insert(pane, { at: place, cells: [[{ formula: corrected }]], isReplacing });
  };
  return { label: correct, hint: correction(closest), act: () => void act() };
}

const go = (place: Place, pane: PaneContext): void => void attempt(pane, ({ workbook }) => workbook.show(place));

/** Shows the first cell in the way of a table; the table's own where none is, as at the end of the sheet. */
function makeRoom({ call: { shown }, place: anchor }: Failing, pane: PaneContext): void {
  if (anchor === null) return;
  const [rows, columns] = Array.isArray(shown) ? [shown.length, shown[0]?.length ?? 1] : [1, 1];
  const address = toAddress({ ...readArea(anchor.address), rows, columns });
  void attempt(pane, async ({ workbook }) => {
    const values = await workbook.readValues(showPlace({ sheet: anchor.sheet, address }));
    const isInTheWay = (value: unknown, row: number, column: number) =>
      row + column > 0 && value !== null && value !== "";
    const row = values.findIndex((cells, r) => cells.some((value, c) => isInTheWay(value, r, c)));
    const column = (values[row] ?? []).findIndex((value, c) => isInTheWay(value, row, c));
    await workbook.show(row < 0 ? anchor : toShownPlace(anchor, row, column));
  });
}

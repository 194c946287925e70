import type { CellPosition, CoreCommand, Model, Zone } from "@odoo/o-spreadsheet";
import type { Frozen, FrozenCell, Place, Scope, Thawed } from "../../contract/workbook";
import { type KeptFormula, listKept, toForget, toKeep } from "../persisted-formulas";
import { createFault, dispatchAll, readView } from "../workbook";
import { findFeedCells, findFilled, isFeedFormula, isInScope, readFormula, toFeedCell } from "./feed-cells";
import { listPositions, toCellPlace } from "./places";
import { toEntry } from "./writing";

/** Puts what they show in the place of formulas, as one step to undo; those that show no value are left. */
export function freeze(model: Model, scope: Scope, asked?: readonly Place[]): Frozen {
  const cells = findFeedCells(model, scope);
  checkAsked(
    cells.map((position) => toCellPlace(model, position)),
    asked,
  );
  const isInError = (position: CellPosition) => readView(model, position).error !== undefined;
  const frozen = cells.filter((position) => !isInError(position));
  dispatchAll(
    model,
    frozen.flatMap((position) => [keep(model, position), ...toValues(model, position)]),
  );
  const left = cells.filter((position) => isInError(position)).map((position) => toFeedCell(model, position));
  return { formulas: frozen.length, left };
}

function keep(model: Model, position: CellPosition): CoreCommand {
  const zone = findFilled(model, position);
  const formula = readFormula(model, position);
  const shown = readShown(model, position.sheetId, zone);
  return toKeep(model.uuidGenerator.smallUuid(), { sheetId: position.sheetId, zone, formula, shown });
}

/** What cells show, as JSON; a text without letters leaves its cell empty once it is frozen. */
function readShown(model: Model, sheetId: string, zone: Zone): string {
  const values = listPositions(sheetId, zone).map((row) => row.map((each) => readView(model, each).value));
  return JSON.stringify(values, (_, value) => (value === "" ? null : value));
}

/** What writes the values of a formula and of all that it spills; they keep the formats that came with them. */
function toValues(model: Model, position: CellPosition): CoreCommand[] {
  return listPositions(position.sheetId, findFilled(model, position))
    .flat()
    .map((each) => {
      const { value, format } = model.getters.getEvaluatedCell(each);
      const content = value === null ? "" : toEntry(model, value);
      return { type: "UPDATE_CELL", ...each, content, ...(format !== undefined && { format }) };
    });
}

/** What has become of a cell since: it shows what was frozen, or else; or it has a FEED formula again. */
type State = "frozen" | "changed" | "stale" | "gone";

interface KeptCell {
  id: string;
  kept: KeptFormula | null;
  state: State;
}

/** The formulas that the workbook keeps for a scope, as they would be entered now. */
export function listFrozen(model: Model, scope: Scope): FrozenCell[] {
  return findKept(model, scope).flatMap((cell) => toFrozenCell(model, cell));
}

/** Writes kept formulas back, as one step to undo; what was written over since is left. */
export function thaw(model: Model, scope: Scope, asked?: readonly Place[]): Thawed {
  const found = findKept(model, scope);
  checkAsked(
    found.flatMap((cell) => toFrozenCell(model, cell)),
    asked,
  );
  const back = found.filter(({ state }) => state === "frozen");
  const over = found.filter(({ state }) => state !== "changed");
  dispatchAll(model, [...back.flatMap(toFormula), ...over.map(({ id }) => toForget(id))]);
  return {
    formulas: back.length,
    left: found.filter(({ state }) => state === "changed").flatMap((cell) => toFrozenCell(model, cell)),
    gone: found.filter(({ state }) => state === "gone").length,
  };
}

function findKept(model: Model, scope: Scope): KeptCell[] {
  const all = listKept(model);
  const last = new Map(all.map(([id, kept]) => [kept && toKey(kept), id]));
  return all
    .filter(([, kept]) => kept === null || isInScope(model, scope, kept.sheetId, kept.zone))
    .map(([id, kept]) => {
      if (kept === null) return { id, kept, state: "gone" };
      return { id, kept, state: last.get(toKey(kept)) === id ? toState(model, kept) : "stale" };
    });
}

const toKey = ({ sheetId, zone: { top, left } }: KeptFormula) => `${sheetId} ${top} ${left}`;

function toState(model: Model, { sheetId, zone, shown }: KeptFormula): State {
  const [first = "", ...others] = listPositions(sheetId, zone)
    .flat()
    .map((position) => readFormula(model, position));
  if (isFeedFormula(first)) return "stale";
  const isWritten = [first, ...others].some((formula) => formula !== "");
  return !isWritten && readShown(model, sheetId, zone) === shown ? "frozen" : "changed";
}

function toFormula({ kept }: KeptCell): CoreCommand[] {
  if (kept === null) return [];
  const { sheetId, zone, formula } = kept;
  const [first, ...others] = listPositions(sheetId, zone).flat();
  return [
    ...others.map((position): CoreCommand => ({ type: "UPDATE_CELL", ...position, content: "" })),
    { type: "UPDATE_CELL", ...(first as CellPosition), content: formula },
  ];
}

function toFrozenCell(model: Model, { kept, state }: KeptCell): FrozenCell[] {
  if (kept === null || state === "stale") return [];
  const first = { sheetId: kept.sheetId, col: kept.zone.left, row: kept.zone.top };
  return [{ ...toCellPlace(model, first), formula: kept.formula, isAsFrozen: state === "frozen" }];
}

function checkAsked(found: readonly Place[], asked: readonly Place[] | undefined): void {
  const toKey = ({ sheet, address }: Place) => `${sheet}!${address}`;
  if (asked === undefined || asked.map(toKey).join() === found.map(toKey).join()) return;
  throw createFault("missing", "Other cells are there than were asked about.");
}

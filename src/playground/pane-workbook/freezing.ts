import {
  type CellPosition,
  type CoreCommand,
  CorePlugin,
  coreTypes,
  type Model,
  type Range,
  registries,
  type Zone,
} from "@odoo/o-spreadsheet";
import type { Frozen, FrozenCell, Place, Scope, Thawed } from "../../contract/workbook";
import {
  type Contents,
  checkConfirmed,
  decideThaw,
  divide,
  finish,
  isListed,
  judge,
  type Mark,
  type Remembered,
  type SheetArea,
  toFrozenCells,
  toMarks,
} from "../../taskpane/frozen-cells";
import { dispatchAll } from "../workbook";
import {
  findFeedCells,
  findFilled,
  findSheet,
  isInScope,
  listPositions,
  readContents,
  readFormula,
  toCellPlace,
  toEntry,
  toFeedCell,
} from "./cells";

/** Replaces formulas by their values, as one step to undo; formulas without a value stay. */
export function freeze(model: Model, scope: Scope, expected?: readonly Place[]): Frozen {
  const contents = readAll(model);
  const cells = findFeedCells(model, scope).map((position) => {
    const filled = toArea(model, position.sheetId, findFilled(model, position));
    return { ...toCellPlace(model, position), position, filled, formula: readFormula(model, position) };
  });
  checkConfirmed(cells, expected);
  const { left, settled } = finish(divide(cells, contents));
  const marks = finish(toMarks(settled, contents));
  dispatchAll(
    model,
    settled.flatMap(({ position, formula }, index) => [
      toPersist(model, position, formula, marks[index] as Mark),
      ...toValues(model, position),
    ]),
  );
  return { formulas: settled.length, left: left.map(({ position }) => toFeedCell(model, position)) };
}

function toPersist(model: Model, position: CellPosition, formula: string, { labels, ...mark }: Mark): CoreCommand {
  const place = { sheetId: position.sheetId, zone: findFilled(model, position) };
  const record = { ...place, ...mark, formula, frozenAtMs: Date.now() };
  const persisted: PersistedFormula = { ...record, ...(labels && { labels: toZone(labels) }) };
  return { type: PERSIST, id: model.uuidGenerator.smallUuid(), persisted } as unknown as CoreCommand;
}

const toForget = ({ id }: { id: string }) => ({ type: FORGET, id }) as unknown as CoreCommand;

/** The used cells of all sheets. */
const readAll = (model: Model): Contents => new Map(readContents(model).sheets.map((sheet) => [sheet.sheet, sheet]));

function toArea(model: Model, sheetId: string, { left, right, top, bottom }: Zone): SheetArea {
  const sheet = model.getters.getSheetName(sheetId);
  return { sheet, row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 };
}

const toZone = ({ row, column, rows, columns }: SheetArea): Zone => {
  return { left: column, right: column + columns - 1, top: row, bottom: row + rows - 1 };
};

/** The commands that write the values of a formula and its spill, with their formats. */
function toValues(model: Model, position: CellPosition): CoreCommand[] {
  return listPositions(position.sheetId, findFilled(model, position))
    .flat()
    .map((each) => {
      const { value, format } = model.getters.getEvaluatedCell(each);
      const content = value === null ? "" : toEntry(model, value);
      return { type: "UPDATE_CELL", ...each, content, ...(format !== undefined && { format }) };
    });
}

/** The frozen formulas of a scope, as they would be entered now. */
export function listFrozen(model: Model, scope: Scope): FrozenCell[] {
  const { found, contents, isMeant } = findFrozen(model, scope);
  return toFrozenCells(found, contents, isMeant);
}

/** Writes frozen formulas back, as one step to undo; where it is not certain which one belongs, the cell is left. */
export function thaw(model: Model, scope: Scope, expected?: readonly Place[]): Thawed {
  checkConfirmed(listFrozen(model, scope), expected);
  const { found, contents, isMeant } = findFrozen(model, scope);
  const { back, over, left, gone } = decideThaw(found, isMeant);
  dispatchAll(model, [...back.flatMap((each) => toEntries(model, each)), ...over.map(toForget)]);
  return { formulas: back.length, left: toFrozenCells(left, contents), gone };
}

/** The commands that remove the formula of a frozen cell from the store. */
export function toForgetting(model: Model, cell: FrozenCell): CoreCommand[] {
  const { found } = findFrozen(model, "workbook");
  return found.filter((each) => isListed(each, cell)).map(toForget);
}

/** All frozen formulas, and whether cells are in a scope. */
function findFrozen(model: Model, scope: Scope) {
  const all = (model.getters as unknown as FrozenFormulasPlugin).listFrozenFormulas();
  const contents = readAll(model);
  const place = (range: Range | null) => range && toArea(model, range.sheetId, range.zone);
  const remembered = all.map(([id, { range, labels, ...rest }]) => {
    const isWhole = !rest.formula.includes("#REF");
    return { ...rest, id, isWhole, at: place(range), labels: labels === undefined ? undefined : place(labels) };
  });
  const isMeant = (at: SheetArea) => isInScope(model, scope, findSheet(model, at.sheet), toZone(at));
  return { found: finish(judge(remembered, contents)), contents, isMeant };
}

function toEntries(model: Model, { at, formula }: Remembered): CoreCommand[] {
  if (at === null) return [];
  const positions = listPositions(findSheet(model, at.sheet), toZone(at)).flat();
  return positions.map((each, index) => ({ type: "UPDATE_CELL", ...each, content: index === 0 ? formula : "" }));
}
/** The formula of a frozen cell, in a snapshot too. */
interface PersistedFormula extends Omit<Mark, "labels">, Pick<FrozenCell, "frozenAtMs"> {
  /** The cell with all that it spilled over. */
  sheetId: string;
  zone: Zone;
  formula: string;
  /** The labels of its row. */
  labels?: Zone;
}

/** The formula as the engine follows it; no range where cells were deleted. */
interface Followed extends Omit<Mark, "labels">, Pick<FrozenCell, "frozenAtMs"> {
  range: Range | null;
  labels: Range | null | undefined;
  /** As it would be entered now. */
  formula: string;
}

/** A snapshot with what this plugin adds to it. */
type Saved = Parameters<CorePlugin["import"]>[0] & { frozenCells?: Record<string, PersistedFormula> };

const PERSIST = "PLAYGROUND_PERSIST_FORMULA";
const FORGET = "PLAYGROUND_FORGET_FORMULA";
for (const type of [PERSIST, FORGET]) {
  coreTypes.add(type as CoreCommand["type"]);
  registries.inverseCommandRegistry.add(type, (command) => [command]); // as for other commands that write cells
}

/** Persists the formulas of frozen cells; the engine moves them like references. */
class FrozenFormulasPlugin extends CorePlugin<{ frozen: Record<string, Followed | undefined> }> {
  static override getters = ["listFrozenFormulas"];
  readonly frozen: Record<string, Followed | undefined> = {};

  // biome-ignore lint/suspicious/noExplicitAny: the engine's type lists its own commands only.
  override handle(command: any) {
    if (command.type === PERSIST) this.history.update("frozen", command.id, this.#follow(command.persisted));
    if (command.type === FORGET) this.history.update("frozen", command.id, undefined);
  }

  override adaptRanges({ applyChange, adaptFormulaString }: Parameters<CorePlugin["adaptRanges"]>[0]) {
    const adapt = (range: Range) => {
      const { changeType, range: now } = applyChange(range);
      return changeType === "REMOVE" ? null : now;
    };
    for (const [id, followed] of this.listFrozenFormulas()) {
      if (followed.range === null) continue;
      const formula = adaptFormulaString(followed.range.sheetId, followed.formula);
      const [range, labels] = [adapt(followed.range), followed.labels && adapt(followed.labels)];
      this.history.update("frozen", id, { ...followed, formula, range, labels });
    }
  }

  /** The formulas by id, the earliest first. */
  listFrozenFormulas(): [id: string, followed: Followed][] {
    return Object.entries(this.frozen).flatMap(([id, followed]) => (followed ? [[id, followed] as const] : []));
  }

  override import(data: Saved) {
    // A file may come back without a sheet.
    for (const [id, persisted] of Object.entries(data.frozenCells ?? {}))
      if (this.getters.tryGetSheet(persisted.sheetId)) this.frozen[id] = this.#follow(persisted);
  }

  override export(data: Saved) {
    const saved = this.listFrozenFormulas().flatMap(([id, { range, labels, ...rest }]) => {
      if (range === null) return [];
      const { sheetId, zone } = range;
      return [[id, { ...rest, sheetId, zone, ...(labels && { labels: labels.zone }) }] as const];
    });
    data.frozenCells = Object.fromEntries(saved);
  }

  #follow({ sheetId, zone, labels, ...rest }: PersistedFormula): Followed {
    const find = (zone: Zone) => this.getters.getRangeFromZone(sheetId, zone);
    return { ...rest, range: find(zone), labels: labels && find(labels) };
  }
}
registries.corePluginRegistry.add("playground_frozen_formulas", FrozenFormulasPlugin);

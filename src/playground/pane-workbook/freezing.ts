import {
  type CellPosition,
  CompiledFormula,
  type CoreCommand,
  CorePlugin,
  coreTypes,
  helpers,
  type Model,
  type Range,
  registries,
  type Zone,
} from "@odoo/o-spreadsheet";
import type { Frozen, FrozenCell, Place, Scope, Thawed } from "../../contract/workbook";
import { createFault, dispatchAll, readView } from "../workbook";
import {
  findFeedCells,
  findFilled,
  findSheet,
  isHolding,
  isInScope,
  listPositions,
  readFormula,
  toCellPlace,
  toEntry,
  toFeedCell,
  toPlace,
} from "./cells";

/** Replaces formulas by their values, as one step to undo; formulas without a value stay. */
export function freeze(model: Model, scope: Scope, expected?: readonly Place[]): Frozen {
  const cells = findFeedCells(model, scope);
  checkUnchanged(
    cells.map((position) => toCellPlace(model, position)),
    expected,
  );
  const isInError = (position: CellPosition) => readView(model, position).error !== undefined;
  const frozen = cells.filter((position) => !isInError(position));
  dispatchAll(
    model,
    frozen.flatMap((position) => [toPersist(model, position), ...toValues(model, position)]),
  );
  const left = cells.filter((position) => isInError(position)).map((position) => toFeedCell(model, position));
  return { formulas: frozen.length, left };
}

function toPersist(model: Model, position: CellPosition): CoreCommand {
  const { sheetId } = position;
  const zone = findFilled(model, position);
  const shown = readShown(model, sheetId, zone);
  const labels = readLabels(model, sheetId, zone);
  const persisted: PersistedFormula = { sheetId, zone, formula: readFormula(model, position), shown, labels };
  return { type: PERSIST, id: model.uuidGenerator.smallUuid(), persisted } as unknown as CoreCommand;
}

/** The values of cells as JSON; an empty text counts as an empty cell. */
function readShown(model: Model, sheetId: string, zone: Zone): string {
  const values = listPositions(sheetId, zone).map((row) => row.map((each) => readView(model, each).value));
  return JSON.stringify(values, (_, value) => (value === "" ? null : value));
}

/** The values of a formula's row before it, or else after it, as JSON. */
function readLabels(model: Model, sheetId: string, { top, left, right }: Zone): string {
  const last = model.getters.getNumberCols(sheetId) - 1;
  const read = (from: number, to: number) =>
    listPositions(sheetId, { left: from, right: to, top, bottom: top })
      .flat()
      .map((cell) => readView(model, cell).value)
      .filter((value) => value !== null && value !== "");
  const inFront = read(0, left - 1);
  return JSON.stringify(inFront.length > 0 ? inFront : read(right + 1, last));
}

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

/** A frozen formula and its cell's state: as frozen, changed, or with its formula again. */
interface FoundFormula {
  id: string;
  persisted: PersistedFormula;
  state: "frozen" | "changed" | "stale";
}

/** The frozen formulas of a scope, as they would be entered now. */
export function listFrozen(model: Model, scope: Scope): FrozenCell[] {
  return toFrozenCells(model, findFrozen(model, scope).found);
}

/** Writes frozen formulas back, as one step to undo; where it is not certain which one belongs, the cell is left. */
export function thaw(model: Model, scope: Scope, expected?: readonly Place[]): Thawed {
  const { found, gone } = findFrozen(model, scope);
  checkUnchanged(toFrozenCells(model, found), expected);
  const back = found.filter(({ state }) => state === "frozen");
  const left = found.filter(({ state }) => state === "changed");
  const over = [...found.filter(({ state }) => state !== "changed").map(({ id }) => id), ...gone];
  const forget = over.map((id) => ({ type: FORGET, id }) as unknown as CoreCommand);
  dispatchAll(model, [...back.flatMap(toFormula), ...forget]);
  return { formulas: back.length, left: toFrozenCells(model, left), gone: gone.length };
}

/** Writes a stored formula into the active cell or `over` others, and forgets it; as one step to undo. */
export function putBack(model: Model, { sheet, address, formula }: FrozenCell, over?: Place): Place {
  const own = findFrozen(model, "workbook").found.filter((each) => {
    const [listed] = toFrozenCells(model, [each]);
    return listed?.sheet === sheet && listed.address === address && listed.formula === formula;
  });
  const from = helpers.toCartesian(address);
  const active = model.getters.getActivePosition();
  const { left, right, top, bottom } = own[0]?.persisted.zone ?? helpers.positionToZone(active);
  const free = {
    left: active.col,
    right: active.col + right - left,
    top: active.row,
    bottom: active.row + bottom - top,
  };
  const sheetId = over ? findSheet(model, over.sheet) : active.sheetId;
  const room = over ? helpers.toZone(over.address) : free;
  const [at = active, ...others] = listPositions(sheetId, room).flat();
  if (!over && others.some((each) => isHolding(model, each)))
    throw createFault("occupied", "The cells hold something.", toPlace(model, at.sheetId, room));
  const compiled = CompiledFormula.Compile(formula, at.sheetId, model.getters);
  const content = model.getters.getTranslatedCellFormula(at.sheetId, at.col - from.col, at.row - from.row, compiled);
  dispatchAll(model, [
    ...others.map((each): CoreCommand => ({ type: "UPDATE_CELL", ...each, content: "" })),
    { type: "UPDATE_CELL", ...at, content },
    ...own.map(({ id }) => ({ type: FORGET, id }) as unknown as CoreCommand),
  ]);
  return toCellPlace(model, at);
}

/** The frozen formulas of a scope, and the ids of deleted cells' ones. */
function findFrozen(model: Model, scope: Scope): { found: FoundFormula[]; gone: string[] } {
  const all = (model.getters as unknown as FrozenFormulasPlugin).listFrozenFormulas();
  const present = all.flatMap(([id, persisted]) => (persisted === null ? [] : [{ id, persisted }]));
  const toCell = ({ sheetId, zone }: PersistedFormula) => JSON.stringify([sheetId, zone.top, zone.left]);
  const last = new Map(present.map(({ id, persisted }) => [toCell(persisted), id]));
  const found = present.map(({ id, persisted }): FoundFormula => {
    return { id, persisted, state: last.get(toCell(persisted)) === id ? toState(model, persisted) : "stale" };
  });
  return {
    found: withoutDoubtful(model, found).filter(({ persisted: { sheetId, zone } }) =>
      isInScope(model, scope, sheetId, zone),
    ),
    gone: all.flatMap(([id, persisted]) => (persisted === null ? [id] : [])),
  };
}

function toState(model: Model, { sheetId, zone, formula, shown }: PersistedFormula): FoundFormula["state"] {
  const [first = "", ...others] = listPositions(sheetId, zone)
    .flat()
    .map((position) => readFormula(model, position));
  if (first === formula) return "stale";
  const isWritten = [first, ...others].some((formula) => formula !== "");
  return !isWritten && readShown(model, sheetId, zone) === shown ? "frozen" : "changed";
}

/**
 * A sort may have exchanged cells that show the same while their formulas ask for different things. The labels of its
 * row identify such a cell; nothing does where those are the same too and anything in its column has changed.
 */
function withoutDoubtful(model: Model, found: readonly FoundFormula[]): FoundFormula[] {
  const toColumn = ({ persisted: { sheetId, zone } }: FoundFormula) => JSON.stringify([sheetId, zone.left]);
  const isShared = findShared(found, (each) => [toColumn(each), each.persisted.shown]);
  const isSharedWithLabels = findShared(found, (each) => [toColumn(each), each.persisted.shown, each.persisted.labels]);
  const compared = found.map((each): FoundFormula => {
    const { sheetId, zone, labels } = each.persisted;
    const hasMoved = each.state === "frozen" && isShared(each) && readLabels(model, sheetId, zone) !== labels;
    return hasMoved ? { ...each, state: "changed" } : each;
  });
  const changed = new Set(compared.filter(({ state }) => state === "changed").map(toColumn));
  return compared.map((each) => {
    const isDoubtful = each.state === "frozen" && changed.has(toColumn(each)) && isSharedWithLabels(each);
    return isDoubtful ? { ...each, state: "changed" } : each;
  });
}

/** Finds cells that share a key with cells of another formula. */
function findShared(found: readonly FoundFormula[], toKey: (each: FoundFormula) => string[]) {
  const meanings = new Map<string, Set<string>>();
  for (const each of found.filter(({ state }) => state !== "stale")) {
    const key = JSON.stringify(toKey(each));
    meanings.set(key, (meanings.get(key) ?? new Set()).add(toMeaning(each.persisted)));
  }
  return (each: FoundFormula) => (meanings.get(JSON.stringify(toKey(each)))?.size ?? 0) > 1;
}

/** A formula without its own row's number, so that formulas over their own rows are equal. */
function toMeaning({ zone, formula }: PersistedFormula): string {
  const ownRow = new RegExp(`"(?:[^"]|"")*"|(?<![!$\\w.])(\\$?[A-Z]+)${zone.top + 1}(?![\\w(])`, "gi");
  return formula.replace(ownRow, (match, column?: string) => column ?? match);
}

function toFormula({ persisted: { sheetId, zone, formula } }: FoundFormula): CoreCommand[] {
  const [first, ...others] = listPositions(sheetId, zone).flat();
  return [
    ...others.map((position): CoreCommand => ({ type: "UPDATE_CELL", ...position, content: "" })),
    { type: "UPDATE_CELL", ...(first as CellPosition), content: formula },
  ];
}

function toFrozenCells(model: Model, found: readonly FoundFormula[]): FrozenCell[] {
  return found
    .filter(({ state }) => state !== "stale")
    .map(({ persisted: { sheetId, zone, formula, labels }, state }) => ({
      ...toCellPlace(model, { sheetId, col: zone.left, row: zone.top }),
      formula,
      label: state === "frozen" ? "" : JSON.parse(labels).join(" "),
      isAsFrozen: state === "frozen",
    }));
}

function checkUnchanged(found: readonly Place[], expected: readonly Place[] | undefined): void {
  const toAddress = ({ sheet, address }: Place) => `${sheet}!${address}`;
  if (expected === undefined || expected.map(toAddress).join() === found.map(toAddress).join()) return;
  throw createFault("missing", "Other cells are there than were asked about.");
}

/** The formula of a frozen cell, in a snapshot too. */
interface PersistedFormula {
  /** The cell with all that it spilled over. */
  sheetId: string;
  zone: Zone;
  /** As it would be entered now. */
  formula: string;
  /** The values of its cells and of its row's labels, as JSON. */
  shown: string;
  labels: string;
}

/** The formula as the engine follows it; without a range where its cells were deleted. */
type Followed = Omit<PersistedFormula, "sheetId" | "zone"> & { range: Range | null };

/** A snapshot with what this plugin adds to it. */
type Saved = Parameters<CorePlugin["import"]>[0] & { frozenFormulas?: Record<string, PersistedFormula> };

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
    for (const [id, followed] of Object.entries(this.frozen)) {
      if (!followed?.range) continue;
      const { changeType, range } = applyChange(followed.range);
      const formula = adaptFormulaString(followed.range.sheetId, followed.formula);
      if (changeType === "NONE" && formula === followed.formula) continue;
      this.history.update("frozen", id, { ...followed, formula, range: changeType === "REMOVE" ? null : range });
    }
  }

  /** The formulas by id; null where the cells were deleted. */
  listFrozenFormulas(): [id: string, persisted: PersistedFormula | null][] {
    return Object.entries(this.frozen).flatMap(([id, followed]): [string, PersistedFormula | null][] => {
      if (followed === undefined) return [];
      const { range, ...rest } = followed;
      return [[id, range && { ...rest, sheetId: range.sheetId, zone: range.zone }]];
    });
  }

  override import(data: Saved) {
    for (const [id, persisted] of Object.entries(data.frozenFormulas ?? {})) this.frozen[id] = this.#follow(persisted);
  }

  override export(data: Saved) {
    const saved = this.listFrozenFormulas().flatMap(([id, each]) => (each === null ? [] : [[id, each] as const]));
    data.frozenFormulas = Object.fromEntries(saved);
  }

  #follow({ sheetId, zone, ...rest }: PersistedFormula): Followed {
    return { range: this.getters.getRangeFromZone(sheetId, zone), ...rest };
  }
}
registries.corePluginRegistry.add("playground_frozen_formulas", FrozenFormulasPlugin);

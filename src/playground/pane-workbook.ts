import { helpers, type Model } from "@odoo/o-spreadsheet";
import type { NamedSheet, Place, Selection, Workbook } from "../contract/workbook";
import {
  findSheet,
  listFeedCells,
  listHiddenRows,
  listSpilled,
  readCells,
  readContents,
  readFeedCell,
  readFormula,
  readSheets,
  readValues,
  repair,
  swap,
  toPlace,
  write,
} from "./pane-workbook/cells";
import { freeze, listFrozen, thaw, toForgetting } from "./pane-workbook/freezing";
import { addRules, addSheet } from "./pane-workbook/sheet-plans";
import type { Sheets } from "./playground";
import { createFault } from "./workbook";

type OpenSheets = Pick<Sheets, "model" | "isEditing" | "onUpdate" | "onEdit">;

/** Creates the pane's workbook on the open spreadsheet. */
export function createPaneWorkbook(sheets: OpenSheets): Workbook {
  // As in Excel, it rejects while a cell is being edited.
  const act = async <T>(work: (model: Model) => T): Promise<T> => {
    if (sheets.isEditing) throw createFault("editing", "A cell is being edited.");
    return work(sheets.model);
  };
  return {
    readSelection: () => act(readSelection),
    readFeedCell: () => act(readFeedCell),
    onSelection: (listener) => watchSelection(sheets, listener),
    readValues: (reference) => act((model) => readValues(model, reference)),
    readSheets: (names) => act((model) => readSheets(model, names)),
    listHiddenRows: (place) => act((model) => listHiddenRows(model, place)),
    readContents: () => act(readContents),
    listSpilled: (places) => act((model) => listSpilled(model, places)),
    readCells: (reference) => act((model) => readCells(model, reference)),
    swap: (sheet, swaps) => act((model) => swap(model, sheet, swaps)),
    write: (block) => act((model) => write(model, block, block.forgets ? toForgetting(model, block.forgets) : [])),
    addRules: (sheet, rules) => act((model) => addRules(model, sheet, rules)),
    addSheet: (plan) => act((model) => addSheet(model, plan)),
    show: (place) => act((model) => show(model, place)),
    listSheets: () => act(listSheets),
    onEdit: sheets.onEdit,
    listFeedCells: (scope) => act((model) => listFeedCells(model, scope)),
    freeze: (scope, expected) => act((model) => freeze(model, scope, expected)),
    listFrozen: (scope) => act((model) => listFrozen(model, scope)),
    thaw: (scope, expected) => act((model) => thaw(model, scope, expected)),
    copyValues: () => act(refuseCopy),
    repair: (broken) => act((model) => ({ formulas: repair(model, broken), refused: [] })),
    isManual: async () => false,
    deliver: (push) => push(),
    readDateSystem: async () => 1900,
  };
}

function refuseCopy(): never {
  throw createFault("noCopies", "The playground holds one workbook only; Excel opens copies.");
}

function readSelection(model: Model): Selection {
  const { getters } = model;
  const position = getters.getActivePosition();
  return {
    ...toPlace(model, position.sheetId, getters.getSelectedZone()),
    cell: helpers.toXC(position.col, position.row),
    formula: readFormula(model, position),
  };
}

const listSheets = ({ getters }: Model): NamedSheet[] =>
  getters.getSheetIds().map((id) => ({ id, name: getters.getSheetName(id) }));

/** Filters the engine's updates, which do not distinguish the selection. */
function watchSelection(sheets: OpenSheets, listener: () => void): () => void {
  let before = "";
  return sheets.onUpdate(({ getters }) => {
    const selected = JSON.stringify([getters.getActivePosition(), getters.getSelectedZones()]);
    if (selected === before) return;
    before = selected;
    listener();
  });
}

function show(model: Model, { sheet, address }: Place): void {
  const sheetId = findSheet(model, sheet);
  const { zone, invalidXc } = model.getters.getRangeFromSheetXC(sheetId, address);
  if (invalidXc !== undefined) throw createFault("missing", `There are no cells ${address}.`, { sheet, address });
  model.dispatch("ACTIVATE_SHEET", { sheetIdFrom: model.getters.getActiveSheetId(), sheetIdTo: sheetId });
  model.selection.selectZone({ cell: { col: zone.left, row: zone.top }, zone });
}

import type { Workbook } from "../contract/workbook";
import { loadScript } from "../feed/script";
import { deliver, isManual } from "./workbook/calculation";
import { listFeedCells } from "./workbook/feed-cells";
import {
  listSheets,
  readDateSystem,
  readSheets,
  readValues,
  show,
  watchEdits,
  watchSelection,
} from "./workbook/reading";
import { readSelection } from "./workbook/selection";
import { write } from "./workbook/writing";

/** A script of its own: only a check of the model reads everything. */
const loadContents = () => loadScript(() => import(/* webpackChunkName: "contents" */ "./workbook/contents"));

/**
 * The workbook that Excel has open. It needs ExcelApi 1.12, which the manifest requires. A person's
 * action rejects as "editing" at once, since waiting for a cell's edit would look like nothing.
 */
export function createExcelWorkbook(): Workbook {
  return {
    readSelection,
    onSelection: watchSelection,
    readValues,
    readSheets,
    listHiddenRows: async (place) => (await loadHiddenRows()).listHiddenRows(place),
    readContents: async () => (await loadContents()).readContents(),
    listSpilled: async (places) => (await loadContents()).listSpilled(places),
    readCells: async (reference) => (await loadSwapping()).readCells(reference),
    swap: async (sheet, swaps) => (await loadSwapping()).swap(sheet, swaps),
    write,
    addSheet: async (plan) => (await loadNewSheet()).addSheet(plan),
    show,
    listSheets,
    onEdit: watchEdits,
    listFeedCells,
    freeze: async (...given) => (await loadFreezing()).freeze(...given),
    listFrozen: async (scope) => (await loadThawing()).listFrozen(scope),
    thaw: async (...given) => (await loadThawing()).thaw(...given),
    putBack: async (cell) => (await loadThawing()).putBack(cell),
    copyValues: async (notify) => (await loadCopying()).copyValues(notify),
    repair: async (broken) => (await loadRepairing()).repair(broken),
    isManual,
    deliver,
    readDateSystem,
  };
}

/** What lays out a sheet is seldom needed. */
const loadNewSheet = () => loadScript(() => import(/* webpackChunkName: "new-sheet" */ "./workbook/new-sheet"));

/** Formulas are frozen now and then, and seldom repaired. */
const loadFreezing = () => loadScript(() => import(/* webpackChunkName: "frozen" */ "./workbook/freezing"));
const loadThawing = () => loadScript(() => import(/* webpackChunkName: "frozen" */ "./workbook/thawing"));
const loadCopying = () => loadScript(() => import(/* webpackChunkName: "frozen" */ "./workbook/copying"));
const loadRepairing = () => loadScript(() => import(/* webpackChunkName: "frozen" */ "./workbook/repairing"));

/** Few people exchange contents: the script comes with the part of the pane that does. */
const loadSwapping = () => import(/* webpackChunkName: "adopt" */ "./workbook/swapping");
const loadHiddenRows = () => import(/* webpackChunkName: "adopt" */ "./workbook/hidden-rows");

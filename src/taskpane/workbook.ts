import type { Workbook } from "../contract/workbook";
import { loadScript } from "../feed/script";
import { readDateSystem } from "./host";
import { inExcel, WAITING } from "./workbook/excel-run";
import { listFeedCells, readFeedCell } from "./workbook/feed-cells";
import {
  listSheets,
  readSelection,
  readSheets,
  readValues,
  show,
  watchEdits,
  watchSelection,
} from "./workbook/reading";
import { write } from "./workbook/writing";

/** A script of its own: only a check of the model reads everything. */
const loadContents = () => loadScript(() => import(/* webpackChunkName: "contents" */ "./workbook/contents"));

/**
 * The workbook that Excel has open. It needs ExcelApi 1.12, which the manifest does not name: no Excel is known that has
 * the required CustomFunctionsRuntime 1.3 without it. A person's action rejects as "editing" at once, since waiting for
 * a cell's edit would look like nothing.
 */
export function createExcelWorkbook(): Workbook {
  return {
    readSelection,
    readFeedCell,
    onSelection: watchSelection,
    readValues,
    readSheets,
    listHiddenRows: async (place) => (await loadCellStates()).listHiddenRows(place),
    readContents: async () => (await loadContents()).readContents(),
    listSpilled: async (places) => (await loadContents()).listSpilled(places),
    readCells: async (reference) => (await loadCellStates()).readCells(reference),
    swap: async (sheet, swaps) => (await loadCellStates()).swap(sheet, swaps),
    async write(block) {
      const place = await write(block);
      if (block.forgets !== undefined) await (await loadThawing()).forgetFrozen(block.forgets);
      return place;
    },
    addRules: async (...given) => (await loadNewSheet()).addRules(...given),
    addSheet: async (plan) => (await loadNewSheet()).addSheet(plan),
    show,
    listSheets,
    onEdit: watchEdits,
    listFeedCells,
    freeze: async (...given) => (await loadFreezing()).freeze(...given),
    listFrozen: async (scope) => (await loadThawing()).listFrozen(scope),
    thaw: async (...given) => (await loadThawing()).thaw(...given),
    copyValues: async (notify) => (await loadFreezing()).copyValues(notify),
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
const loadRepairing = () => loadScript(() => import(/* webpackChunkName: "frozen" */ "./workbook/repairing"));

/** Few people exchange contents: the script comes with the part of the pane that does. */
const loadCellStates = () => import(/* webpackChunkName: "adopt" */ "./workbook/cell-states");

/** The host passes results of streams to cells every half second; this is a little more than twice that. */
const REACHED_MS = 1_200;

function isManual(): Promise<boolean> {
  return inExcel(async (context) => {
    const { application } = context.workbook;
    application.load("calculationMode");
    await context.sync();
    return application.calculationMode === "Manual";
  });
}

/** Runs a push with automatic calculation, so that its results reach the cells of a manual workbook. */
async function deliver<T>(push: () => Promise<T>): Promise<T> {
  if (!(await isManual())) return push();
  await calculate("Automatic");
  try {
    return await push();
  } finally {
    await new Promise((resolve) => setTimeout(resolve, REACHED_MS)); // also delivers results before a failure
    await calculate("Manual");
  }
}

/** Waits for a cell's edit, so that the mode is set in any case. */
function calculate(mode: "Automatic" | "Manual"): Promise<void> {
  return inExcel(
    async (context) => {
      context.workbook.application.calculationMode = mode;
      await context.sync();
    },
    {},
    WAITING,
  );
}

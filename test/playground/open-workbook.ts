import { jest } from "@jest/globals";
import type { Model } from "@odoo/o-spreadsheet";
import type { Workbook } from "../../src/contract/workbook";
import type { Outcome } from "../../src/playground/custom-functions";
import { registerFormulas } from "../../src/playground/formulas";
import { createPaneWorkbook } from "../../src/playground/pane-workbook";
import type { Sheets } from "../../src/playground/playground";
import * as workbook from "../../src/playground/workbook";
import results from "./say-results.json";

/** The engine with an open workbook, and the pane's adapter on it; nothing is rendered. */
export interface OpenedWorkbook {
  model: Model;
  pane: Workbook;
  enter(...entries: workbook.Entry[]): void;
  /** A cell's formula, or the text of its value. */
  read(reference: string): string;
  /** Starts or ends cell editing. */
  edit(isEditing: boolean): void;
}

/** The results of FEED.SAY("…") by argument; any other stays busy. */
export const SAY_RESULTS = results as Record<string, Outcome>;

const FUNCTIONS = {
  functions: [{ id: "SAY", name: "SAY", parameters: [{ name: "what" }] }],
};

/** Node 20 lacks it, and the engine, made for browsers, needs it. */
function groupBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Record<string, Item[]> {
  const groups: Record<string, Item[]> = {};
  for (const item of items) groups[toKey(item)] = [...(groups[toKey(item)] ?? []), item];
  return groups;
}

/** Registers FEED.SAY in the engine, once a test file; the engine logs step times by console.debug. */
export function prepareEngine(): void {
  Object.assign(Object, { groupBy });
  jest.spyOn(console, "debug").mockImplementation(() => {});
  registerFormulas("FEED", FUNCTIONS, (_evaluation, _name, [what]) => SAY_RESULTS[String(what)] ?? { kind: "busy" });
}

let version: unknown;

/** An empty workbook of 200 rows, which opens twenty times as fast as one of 5,000. */
function createSmall(): object {
  version ??= workbook.openWorkbook(undefined, () => {}).exportData().version;
  return { version, sheets: [{ id: "sheet1", name: "Sheet1", colNumber: 200, rowNumber: 200 }] };
}

/** @param snapshot The result of `exportData`, or "new" for a new workbook; default a small empty one. */
export function openWorkbook(snapshot: object | "new" = createSmall()): OpenedWorkbook {
  const editListeners = new Set<() => void>();
  const model = workbook.openWorkbook(snapshot === "new" ? undefined : snapshot, () => {
    for (const listener of editListeners) listener();
  });
  const editing = { isEditing: false };
  const onUpdate = (listener: (model: Model) => void) => {
    model.on("update", listener, () => listener(model));
    return () => model.off("update", listener);
  };
  const sheets: Pick<Sheets, "model" | "isEditing" | "onUpdate" | "onEdit"> = {
    model,
    onUpdate,
    onEdit(listener) {
      editListeners.add(listener);
      return () => void editListeners.delete(listener);
    },
    get isEditing() {
      return editing.isEditing;
    },
  };
  return {
    model,
    pane: createPaneWorkbook(sheets),
    enter: (...entries) => workbook.enterCells(model, entries),
    read: (reference) => workbook.readFormula(model, reference),
    edit: (isEditing) => Object.assign(editing, { isEditing }),
  };
}

import { type CellKey, columnOf, rowOf, type SheetBlock, sheetOf, toKey } from "./cell-keys";
import type { Found, Rule, Subject } from "./rule";

/**
 * Names a finding in later checks. Inserted rows and columns change no part of it, and a sheet's new name neither; another
 * formula, label, number, figure or number of cells does.
 */
export function toStableKey({ id }: Rule, { at, cells, evidence }: Found, subject: Subject): string {
  const { model } = subject;
  const figures = evidence.map((key) => toFigureKey(key, subject));
  const sheet = model.input.sheets[sheetOf(at)]?.id;
  // null stands where rules that ended had an error's code: workbooks store the keys.
  const parts = [sheet, toContent(at, subject), figures, null, new Set(cells).size];
  return `${id} ${toHash(JSON.stringify(parts))}`;
}

/** A cell's number, or its formula by what it refers to: addresses change with each inserted row. */
function toContent(at: CellKey, subject: Subject): unknown {
  const { model, evaluation } = subject;
  const formula = model.formulas.get(at);
  if (formula === undefined) return model.valueAt(at);
  const blocks = model.attempt(at, () => evaluation.listBlocks(formula.tree, at)) ?? [];
  return [formula.skeleton, blocks.map((block) => toBlockKey(block, at, subject))];
}

/** A block by its size, and what stands in its corners. */
function toBlockKey({ sheet, top, left, bottom, right }: SheetBlock, at: CellKey, subject: Subject): unknown {
  const corners = [toKey(sheet, top, left), toKey(sheet, bottom, right)];
  return [bottom - top, right - left, corners.map((key) => toCornerKey(key, at, subject))];
}

function toCornerKey(key: CellKey, at: CellKey, subject: Subject): unknown {
  const { model } = subject;
  const own = toFigureKey(key, subject) ?? model.formulas.get(key)?.skeleton ?? model.valueAt(key);
  return own ?? [rowOf(key) - rowOf(at), columnOf(key) - columnOf(at)];
}

function toFigureKey(key: CellKey, { model }: Subject): unknown {
  const figure = model.figureAt(key);
  return figure && [figure.companyId, figure.metric, figure.year, figure.consolidation];
}

/** Two halves of 32 bits (FNV-1a): the workbook stores a key for each dismissal. */
function toHash(text: string): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (let index = 0; index < text.length; index++) {
    one = Math.imul(one ^ text.charCodeAt(index), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

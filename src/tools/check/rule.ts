import type { Evaluation } from "./evaluation";
import type { Gravity } from "./finding";
import {
  type CellKey,
  type CheckedModel,
  columnOf,
  type FigureBlock,
  rowOf,
  type SheetBlock,
  sheetOf,
  toKey,
} from "./model";
import type { RuleId } from "./texts";

/** What rules look at. */
export interface Subject {
  model: CheckedModel;
  evaluation: Evaluation;
  /** The blocks of cells with figures that touch one another. */
  blocks: readonly FigureBlock[];
}

/** A finding of a rule, by the keys of its cells. */
export interface Suspicion {
  /** The cell to look at. */
  at: CellKey;
  /** All cells that it is about; the first is that cell. */
  cells: readonly CellKey[];
  /** The cells that it is compared with; default those of the evidence. */
  around?: readonly CellKey[];
  /** One or two cells that show it. */
  evidence: readonly CellKey[];
  values?: Readonly<Record<string, string | number>>;
  /** Default the rule's own. */
  gravity?: Gravity;
}

/** A rule, in `rules` beside those that share its way. */
export interface Rule {
  id: RuleId;
  gravity: Gravity;
  find(subject: Subject): Iterable<Suspicion>;
}

/**
 * Names a finding in later checks. Inserted rows and columns change no part of it, and a sheet's new name neither; another
 * formula, label, number, figure or number of cells does.
 */
export function toStableKey({ id }: Rule, { at, cells, evidence }: Suspicion, subject: Subject): string {
  const { model } = subject;
  const figures = evidence.map((key) => toFigureKey(key, subject));
  const sheet = model.input.sheets[sheetOf(at)]?.id;
  const parts = [sheet, toContent(at, subject), figures, new Set(cells).size];
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

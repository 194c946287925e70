import type { CellKey } from "./cell-keys";
import type { Evaluation } from "./evaluation";
import type { FigureBlock } from "./figure-blocks";
import type { Gravity, RuleId } from "./finding";
import type { CheckedModel } from "./model";

/** What rules look at. */
export interface Subject {
  model: CheckedModel;
  evaluation: Evaluation;
  /** The blocks of cells with figures that touch one another. */
  blocks: readonly FigureBlock[];
}

/** A finding of a rule, by the keys of its cells. */
export interface Found {
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
  find(subject: Subject): Iterable<Found>;
}

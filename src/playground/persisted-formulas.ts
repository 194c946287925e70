import {
  type CoreCommand,
  CorePlugin,
  coreTypes,
  type Model,
  type Range,
  registries,
  type Zone,
} from "@odoo/o-spreadsheet";

/** The formula of a frozen cell. */
export interface KeptFormula {
  /** The cell with all that it spilled over. */
  sheetId: string;
  zone: Zone;
  /** As it would be entered now. */
  formula: string;
  /** What it showed, as JSON. */
  shown: string;
}

/** The same as the engine follows it; without a range where its cells were deleted. */
type Followed = Pick<KeptFormula, "formula" | "shown"> & { range: Range | null };

interface State {
  kept: Record<string, Followed | undefined>;
}

/** A snapshot with what this plugin adds to it. */
type Saved = Parameters<CorePlugin["import"]>[0] & { keptFormulas?: Record<string, KeptFormula> };

const KEEP = "PLAYGROUND_KEEP_FORMULA";
const FORGET = "PLAYGROUND_FORGET_FORMULA";
for (const type of [KEEP, FORGET]) {
  coreTypes.add(type as CoreCommand["type"]);
  registries.inverseCommandRegistry.add(type, (command) => [command]); // as of what else writes into a cell
}

/** What keeps a formula, as one step to undo with what else is done to its cell. */
export const toKeep = (id: string, kept: KeptFormula) => ({ type: KEEP, id, kept }) as unknown as CoreCommand;

export const toForget = (id: string) => ({ type: FORGET, id }) as unknown as CoreCommand;

/** The formulas that the workbook keeps, by their ids; null for one whose cells were deleted. */
export function listKept(model: Model): [id: string, KeptFormula | null][] {
  return (model.getters as unknown as KeptFormulasPlugin).listKeptFormulas();
}

/** Keeps the formulas of frozen cells; the engine moves them as all that refers to cells. */
class KeptFormulasPlugin extends CorePlugin<State> implements State {
  static override getters = ["listKeptFormulas"];
  readonly kept: State["kept"] = {};

  // biome-ignore lint/suspicious/noExplicitAny: the engine's type lists its own commands only.
  override handle(command: any) {
    if (command.type === KEEP) this.history.update("kept", command.id, this.#follow(command.kept));
    if (command.type === FORGET) this.history.update("kept", command.id, undefined);
  }

  override adaptRanges({ applyChange, adaptFormulaString }: Parameters<CorePlugin["adaptRanges"]>[0]) {
    for (const [id, kept] of Object.entries(this.kept)) {
      if (!kept?.range) continue;
      const { changeType, range } = applyChange(kept.range);
      const formula = adaptFormulaString(kept.range.sheetId, kept.formula);
      if (changeType === "NONE" && formula === kept.formula) continue;
      this.history.update("kept", id, { ...kept, formula, range: changeType === "REMOVE" ? null : range });
    }
  }

  listKeptFormulas(): [string, KeptFormula | null][] {
    return Object.entries(this.kept).flatMap(([id, kept]) => {
      if (kept === undefined) return [];
      const { range, ...rest } = kept;
      return [[id, range && { ...rest, sheetId: range.sheetId, zone: range.zone }] as [string, KeptFormula | null]];
    });
  }

  override import(data: Saved) {
    for (const [id, kept] of Object.entries(data.keptFormulas ?? {})) this.kept[id] = this.#follow(kept);
  }

  override export(data: Saved) {
    const kept = this.listKeptFormulas().filter((each): each is [string, KeptFormula] => each[1] !== null);
    data.keptFormulas = Object.fromEntries(kept);
  }

  #follow({ sheetId, zone, formula, shown }: KeptFormula): Followed {
    return { range: this.getters.getRangeFromZone(sheetId, zone), formula, shown };
  }
}
registries.corePluginRegistry.add("playground_kept_formulas", KeptFormulasPlugin);

import type { CellContent, Workbook } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { attempt } from "../commands/desk";
import { type PaneContext, usePane } from "../pane";
import type { Fix } from "./finding";
import { toCheckTexts } from "./wording";

/** Returns a function that enters a finding's fix where its cell is as it was checked, and offers to undo it. */
export function useMend(): (fix: Fix) => Promise<void> {
  const pane = usePane();
  const words = toCheckTexts(pane.texts);
  return (fix) =>
    attempt(pane, async () => {
      const place = showPlace(fix.place);
      if (!(await replace(fix, fix.before, { formula: fix.formula }, pane))) return;
      const undo = () =>
        attempt(pane, async () => {
          if (!(await replace(fix, { formula: fix.formula }, fix.before, pane))) return;
          pane.notify({ intent: "success", text: words.undone(place) });
        });
      const actions = [{ label: words.undo, act: () => void undo() }];
      pane.notify({ intent: "success", text: words.fixed(place), actions });
    });
}

/** Replaces a cell's content; says so where the cell holds something else by now. */
async function replace(
  { place }: Fix,
  expected: Fix["before"],
  content: CellContent,
  { workbook, notify, texts }: Pick<PaneContext, "workbook" | "notify" | "texts">,
): Promise<boolean> {
  await workbook.show(place);
  if (await isHolding(workbook, showPlace(place), expected)) {
    await workbook.write({ at: place, cells: [[content]], isReplacing: true });
    return true;
  }
  notify({ intent: "info", text: toCheckTexts(texts).changed(showPlace(place)) });
  return false;
}

/** Whether the selected cell holds a formula or a number. */
async function isHolding(
  workbook: Pick<Workbook, "readSelection" | "readValues">,
  place: string,
  expected: Fix["before"],
): Promise<boolean> {
  const { formula } = await workbook.readSelection();
  if (typeof expected === "object") return toPlain(formula) === toPlain(expected.formula);
  return formula === "" && (await workbook.readValues(place))[0]?.[0] === expected;
}

/** Hosts write a formula with spaces of their own. */
const toPlain = (formula: string) => formula.replace(/\s/g, "").toUpperCase();

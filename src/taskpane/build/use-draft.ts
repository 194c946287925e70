import { useState } from "react";
import type { Selection } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { usePane, useWish, type Wishes } from "../pane";
import type { Catalogue, FormulaInfo } from "./catalogue";
import { beginDraft, type Draft, type HeldPlace, ofCompany, openDraft } from "./draft";

/** What a person builds first, unless she wants something else. */
const FIRST = "FINANCIAL";

/**
 * The formula that is being built. One that a selected cell holds takes its place, as long as nothing has been changed.
 *
 * @param selection what is selected; null while that is not known
 */
export function useDraft(catalogue: Catalogue, wish: Wishes["build"] | undefined, selection: Selection | null) {
  const { country } = usePane().session.settings;
  const [draft, setDraft] = useState(() => begin(catalogue, country));
  useWish(wish, (wanted) => setDraft((before) => take(catalogue, country, before, wanted)));
  const [seen, setSeen] = useState<Selection | null>(null);
  const selected = selection && openSelected(catalogue, selection);
  if (selection !== seen) {
    setSeen(selection);
    if (selected && !draft.isTouched) setDraft(selected);
  }
  const isOpen =
    draft.place !== null && selected?.place != null && showPlace(draft.place) === showPlace(selected.place);
  return {
    draft,
    /** The formula of the active cell, where it is another one. */
    offered: selected !== null && !isOpen ? selected : null,
    open: setDraft,
    change: (argument: string, text: string) =>
      setDraft((before) => ({ ...before, written: { ...before.written, [argument]: text }, isTouched: true })),
    choose(name: string) {
      const info = catalogue.get(name);
      if (info === undefined) return;
      setDraft((before) => ({ ...beginDraft(info, country, before), place: before.place, isTouched: true }));
    },
    /** That it stands in a cell now. */
    settle: (place: HeldPlace) => setDraft((before) => ({ ...before, place, isTouched: false })),
    startAnew: () => setDraft(begin(catalogue, country)),
  };
}

function begin(catalogue: Catalogue, country: string, before?: Draft): Draft {
  const first = catalogue.get(FIRST) ?? [...catalogue.values()][0];
  if (first === undefined) throw new Error("there are no formulas");
  return beginDraft(first, country, before);
}

/** What another part asks for: the formula of a cell, or one of a company, for which as much stays as can. */
function take(catalogue: Catalogue, country: string, before: Draft, wish: Wishes["build"]): Draft {
  if ("formula" in wish) return { ...(openDraft(catalogue, wish.formula, wish.place) ?? before), isTouched: true };
  const toDraft = (draft: Draft) => ofCompany(draft, catalogue.get(draft.name) as FormulaInfo, wish.company);
  return toDraft(before) ?? toDraft(begin(catalogue, country, before)) ?? before;
}

const openSelected = (catalogue: Catalogue, { sheet, cell, formula }: Selection): Draft | null =>
  openDraft(catalogue, formula, { sheet, address: cell });

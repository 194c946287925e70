import { useCallback, useEffect, useRef, useState } from "react";
import type { Place, Selection } from "../../contract/workbook";
import { isTouching, readArea, readPlace } from "../addresses";
import { toFigureFormat } from "../figure-format";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { type HeldPlace, isHolding, useInsert } from "../insert";
import { Stack } from "../layout";
import { type Handoffs, useHandoff, usePane } from "../pane";
import { CompanyNamesContext, useMemory } from "../picker/company-writing";
import type { Texts } from "../texts";
import { Arguments } from "./Arguments";
import type { Catalogue, FormulaInfo } from "./catalogue";
import { onSheet, toCall, useDraft } from "./draft";
import { FormulaChoice } from "./FormulaChoice";
import { Offer } from "./Offer";
import { Outcome } from "./Outcome";
import { Placing } from "./Placing";
import { isSound } from "./written";

interface BuilderProps {
  catalogue: Catalogue;
  handoff: Handoffs["build"] | undefined;
}

/** The form for building a formula. */
export function Builder({ catalogue, handoff }: BuilderProps) {
  const { workbook, texts } = usePane();
  const page = useRef<HTMLDivElement>(null);
  const names = useMemory();
  useHandoff(handoff, (wanted) => "company" in wanted && names.remember([wanted.company]));
  const { selection, look } = useSelection();
  const { draft, settle, choose, change, ...other } = useDraft(catalogue, handoff, selection);
  const info = catalogue.get(draft.name) as FormulaInfo;
  const given = toCall(draft, info);
  const call = selection === null || draft.place === null ? given : onSheet(given, draft.place.sheet, selection.sheet);
  const lack = toLack(info, call, texts.ofBuild);
  const insert = useInsert();
  const write = async (replaced: HeldPlace | null) => {
    const formula = toFormulaText(call);
    // The selection that is shown: its sheet decides how the formula names its cells, and a newer one may not have come.
    const at = replaced ?? (selection && { sheet: selection.sheet, address: selection.cell });
    const isReplacing = replaced !== null && (await isHolding(workbook, replaced));
    const place = await insert({
      cells: [[{ formula, format: toFigureFormat(call) }]],
      ...(at && { at, isReplacing }),
    });
    if (place !== null) settle({ ...place, formula });
    look();
  };
  return (
    <CompanyNamesContext value={names}>
      <Stack ref={page} gap="M">
        <Offer selection={selection} draft={draft} {...other} />
        <FormulaChoice catalogue={catalogue} info={info} choose={choose} />
        <Arguments info={info} draft={draft} change={change} />
        <Outcome page={page} call={call} lack={lack} sheet={draft.place?.sheet ?? selection?.sheet ?? null} />
        <Placing
          selection={selection}
          place={draft.place}
          isWhole={lack === null}
          reads={(place) => isGivenCell(call, place)}
          write={(replaced) => void write(replaced)}
        />
      </Stack>
    </CompanyNamesContext>
  );
}

/** Whether a formula reads a cell; it must not read its own. */
export function isGivenCell({ given }: FormulaCall, { sheet, address }: Place): boolean {
  return given.some((each) => {
    if (each?.kind !== "cells") return false;
    const cells = readPlace(each.text);
    const isOnSheet = cells.sheet === "" || cells.sheet.toLowerCase() === sheet.toLowerCase();
    return isOnSheet && isTouching(readArea(cells.address), readArea(address));
  });
}

/** Excel's limit for a cell's formula, in characters. */
const LONGEST_FORMULA = 8_192;

/** Why a formula is not ready for a cell, in words; null when it is. */
export function toLack({ parameters }: FormulaInfo, call: FormulaCall, texts: Texts["ofBuild"]): string | null {
  const { given } = call;
  const missing = parameters.filter(({ isRequired }, index) => isRequired && given[index] === null);
  const labels = missing.map(({ name }) => texts.labels[name] ?? name);
  if (labels.length > 0) return texts.missing(labels.join(texts.between));
  if (!given.every(isSound)) return texts.mend;
  return toFormulaText(call).length > LONGEST_FORMULA ? texts.tooLong : null;
}

/** The selection; null before the first reading. `look` reads it again. */
function useSelection(): { selection: Selection | null; look: () => void } {
  const { workbook } = usePane();
  const [selection, setSelection] = useState<Selection | null>(null);
  const [looks, setLooks] = useState(0);
  const look = useCallback(() => setLooks((before) => before + 1), []);
  useEffect(() => workbook.onSelection(look), [workbook, look]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look reads anew
  useEffect(() => {
    let isLatest = true;
    const receive = (read: Selection) => isLatest && setSelection(read);
    // A cell that is being edited stays selected; writing reports the reason.
    workbook.readSelection().then(receive, () => {});
    return () => {
      isLatest = false;
    };
  }, [workbook, looks]);
  return { selection, look };
}

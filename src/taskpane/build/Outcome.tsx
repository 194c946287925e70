import { type RefObject, useState } from "react";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { FormulaText } from "./FormulaText";
import { PreviewPanel } from "./PreviewPanel";
import { usePreview } from "./use-preview";
import { useShown } from "./use-shown";

interface OutcomeProps {
  /** What it stands in. */
  page: RefObject<HTMLElement | null>;
  call: FormulaCall;
  /** What keeps the formula from being shown, in words; null when nothing does. */
  lack: string | null;
  /** The sheet that it stands on, or will. */
  sheet: string | null;
}

/** What comes of the fields: a preview, the formula and its cost. */
export function Outcome({ page, call, lack, sheet }: OutcomeProps) {
  const text = toFormulaText(call);
  const [readings, setReadings] = useState(0);
  const [wanted, setWanted] = useState("");
  const isShown = useShown(page);
  const isOfCells = call.given.some((each) => each?.kind === "cells");
  const preview = usePreview({
    call: lack === null ? call : null,
    sheet: isOfCells ? sheet : null,
    isShown,
    isWanted: wanted === text,
    readings,
  });
  return (
    <>
      <PreviewPanel
        preview={preview}
        lack={lack}
        isOfCells={isOfCells}
        readAgain={() => setReadings(readings + 1)}
        want={() => setWanted(text)}
      />
      <FormulaText text={text} cost={lack === null ? preview.cost : null} />
    </>
  );
}

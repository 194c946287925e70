import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type RefObject, useState } from "react";
import type { Cost } from "../../feed/cost";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { Heading, Hint, useLook } from "../layout";
import { usePane, useSeparators } from "../pane";
import { PreviewPanel } from "./PreviewPanel";
import { usePreview } from "./use-preview";
import { useShown } from "./use-shown";

interface OutcomeProps {
  /** The element that contains it. */
  page: RefObject<HTMLElement | null>;
  call: FormulaCall;
  /** Why the formula cannot be previewed, in words; null when it can. */
  lack: string | null;
  /** The sheet of the formula's cell. */
  sheet: string | null;
}

/** The preview, the formula and its cost. */
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

const useStyles = makeStyles({
  formula: {
    display: "block",
    padding: tokens.spacingHorizontalS,
    backgroundColor: tokens.colorNeutralBackground3,
  },
});

/** The formula as the cell will show it, and its cost. */
function FormulaText({ text, cost }: { text: string; cost: Cost | null }) {
  const styles = useStyles();
  const look = useLook();
  const { ofBuild } = usePane().texts;
  const { toLocalFormula } = useSeparators();
  return (
    <section>
      <Heading gap="XS">{ofBuild.formula}</Heading>
      <code className={mergeClasses(look.code, look.breaking, styles.formula)}>{toLocalFormula(text)}</code>
      {cost !== null && (
        <Hint block className={look.aboveXS}>
          {ofBuild.cost(cost)}
        </Hint>
      )}
    </section>
  );
}

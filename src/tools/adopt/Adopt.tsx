import { Body1, Button } from "@fluentui/react-components";
import { useRef } from "react";
import { useShown } from "../../taskpane/build/use-preview";
import { useStepsInSight } from "../../taskpane/focus";
import { Hint, Progress, Row, Stack, useLook } from "../../taskpane/layout";
import { Compared } from "./Compared";
import { MOST_CELLS, toPartPlace } from "./comparison";
import { useAdoptTexts } from "./texts";
import { type SelectedBlock, useComparison, useSelectedBlock } from "./use-comparison";

/** Turns typed numbers that agree with the provider into formulas. */
export function Adopt() {
  const texts = useAdoptTexts();
  const page = useRef<HTMLDivElement>(null);
  const isShown = useShown(page);
  const { phase, compare, cancel, ...actions } = useComparison();
  const selected = useSelectedBlock(isShown && phase.step === "selecting");
  useStepsInSight(page, phase.step);
  return (
    <Stack ref={page} tabIndex={-1} gap="M" className={useLook().target}>
      {phase.step === "selecting" && <Selecting selected={selected} compare={(block) => void compare(block)} />}
      {phase.step === "comparing" && (
        <Progress label={texts.compare} share={phase.done / phase.all} cancel={cancel} cancelText={texts.cancel}>
          <span role="status">{texts.comparing(phase.done, phase.all)}</span>
        </Progress>
      )}
      {phase.step !== "selecting" && phase.step !== "comparing" && <Compared phase={phase} {...actions} />}
    </Stack>
  );
}

type Block = Extract<SelectedBlock, { kind: "block" }>;

/** What is selected and what comparing it costs. */
function Selecting({ selected, compare }: { selected: SelectedBlock; compare: (block: Block) => void }) {
  const texts = useAdoptTexts();
  return (
    <>
      <Hint block>{texts.select}</Hint>
      <div role="status">{selected.kind !== "reading" && <Body1 block>{toSentence(selected, texts)}</Body1>}</div>
      {selected.kind === "block" && (
        <Row align="center">
          <Button appearance="primary" onClick={() => compare(selected)}>
            {texts.compare}
          </Button>
          <Hint>{texts.costs(selected.cost.now, selected.cost.isLeast)}</Hint>
        </Row>
      )}
    </>
  );
}

function toSentence(selected: Exclude<SelectedBlock, { kind: "reading" }>, texts: ReturnType<typeof useAdoptTexts>) {
  if (selected.kind === "fault") return selected.text;
  if (selected.kind === "block") {
    const { part, block } = selected;
    const numbers = block.lines.reduce((sum, { cells }) => sum + cells.length, 0);
    return texts.found(toPartPlace(part), numbers, block.companies.length);
  }
  if (selected.why === "single") return null;
  return selected.why === "tooLarge" ? texts.tooLarge(MOST_CELLS) : texts[selected.why];
}

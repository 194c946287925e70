import { Body1, Button, makeStyles, ProgressBar, tokens } from "@fluentui/react-components";
import { type RefObject, useEffect, useRef } from "react";
import { useShown } from "../../taskpane/build/use-shown";
import { Hint } from "../../taskpane/layout";
import { Compared } from "./Compared";
import { MOST_CELLS, toPartPlace } from "./comparison";
import { useAdoptTexts, useComparison } from "./use-comparison";
import { type SelectedBlock, useSelectedBlock } from "./use-selected-block";

const useStyles = makeStyles({
  page: { display: "flex", flexDirection: "column", rowGap: tokens.spacingVerticalM, outlineStyle: "none" },
  line: { display: "flex", flexWrap: "wrap", alignItems: "center", gap: tokens.spacingHorizontalS },
});

/** Turns typed numbers that agree with the provider into formulas. */
export function Adopt() {
  const styles = useStyles();
  const page = useRef<HTMLDivElement>(null);
  const isShown = useShown(page);
  const { phase, compare, cancel, ...actions } = useComparison();
  const selected = useSelectedBlock(isShown && phase.step === "selecting");
  useFocusWithin(page, phase.step);
  return (
    <div ref={page} tabIndex={-1} className={styles.page}>
      {phase.step === "selecting" && <Selecting selected={selected} compare={(block) => void compare(block)} />}
      {phase.step === "comparing" && <Comparing done={phase.done} all={phase.all} cancel={cancel} />}
      {phase.step !== "selecting" && phase.step !== "comparing" && <Compared phase={phase} {...actions} />}
    </div>
  );
}

/** Keeps the focus in the part when the focused button goes with its step. */
function useFocusWithin(page: RefObject<HTMLElement | null>, step: string): void {
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step && document.activeElement === document.body) page.current?.focus();
    before.current = step;
  }, [page, step]);
}

type Block = Extract<SelectedBlock, { kind: "block" }>;

/** What is selected and what comparing it costs. */
function Selecting({ selected, compare }: { selected: SelectedBlock; compare: (block: Block) => void }) {
  const styles = useStyles();
  const texts = useAdoptTexts();
  return (
    <>
      <Hint block>{texts.select}</Hint>
      <div role="status">{selected.kind !== "reading" && <Body1 block>{toSentence(selected, texts)}</Body1>}</div>
      {selected.kind === "block" && (
        <div className={styles.line}>
          <Button appearance="primary" onClick={() => compare(selected)}>
            {texts.compare}
          </Button>
          <Hint>{texts.costs(selected.cost.now, selected.cost.isLeast)}</Hint>
        </div>
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

function Comparing({ done, all, cancel }: { done: number; all: number; cancel: () => void }) {
  const styles = useStyles();
  const texts = useAdoptTexts();
  return (
    <>
      <ProgressBar aria-label={texts.compare} value={all === 0 ? 0 : done / all} />
      <div className={styles.line}>
        <div role="status">
          <Body1>{texts.comparing(done, all)}</Body1>
        </div>
        <Button size="small" onClick={cancel}>
          {texts.cancel}
        </Button>
      </div>
    </>
  );
}

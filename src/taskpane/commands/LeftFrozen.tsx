import { Button, Caption1, Link, makeStyles, tokens } from "@fluentui/react-components";
import { useRef, useState } from "react";
import type { FrozenCell, Place } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { useStableFocus } from "../focus";
import { putBack as putBackHere } from "../frozen-cells";
import { attempt, isWorkbookError, toFaultText, usePane } from "../pane";

const useStyles = makeStyles({
  list: { listStyleType: "none", margin: 0, padding: 0, maxHeight: "20vh", overflowY: "auto" },
  line: { display: "grid", justifyItems: "start", padding: `${tokens.spacingVerticalXS} 0`, overflowWrap: "anywhere" },
});

const TEXTS = {
  en: { putBack: "Put back here", more: (number: number) => `And ${number.toLocaleString("en")} more.` },
  ja: { putBack: "ここに戻す", more: (number: number) => `ほか ${number.toLocaleString("ja")} 個` },
};

/** Most formulas in the list; they are fewer once the first ones are back. */
const MOST_LISTED = 50;

let lists = 0;

/** The list of a notice about frozen cells, nothing without any; a later notice has one of its own. */
export const showLeft = (cells: readonly FrozenCell[]) =>
  cells.length > 0 && <LeftFrozen key={++lists} cells={cells} />;

/**
 * Frozen cells with their formulas; where one is not as it was frozen, with its row's label and a button that enters it
 * in the selected cell.
 */
function LeftFrozen({ cells }: { cells: readonly FrozenCell[] }) {
  const pane = usePane();
  const styles = useStyles();
  const [left, setLeft] = useState(cells);
  const texts = TEXTS[pane.texts.language];
  const [asked, setAsked] = useState<{ cell: FrozenCell; over: Place; text: string } | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useStableFocus(list, asked ?? left);
  const putBack = (cell: FrozenCell, over?: Place) =>
    void attempt(pane, async ({ workbook, texts }) => {
      setAsked(null);
      try {
        await putBackHere(workbook, cell, over);
        setLeft((before) => before.filter((each) => each !== cell));
      } catch (error) {
        if (!isWorkbookError(error) || error.fault !== "occupied" || error.place === undefined) throw error;
        setAsked({ cell, over: error.place, text: toFaultText(error, texts) }); // a notice would take the list's place
      }
    });
  const show = (cell: FrozenCell) => void attempt(pane, ({ workbook }) => workbook.show(cell));
  const more = left.length - MOST_LISTED;
  return (
    <>
      <ul ref={list} className={styles.list}>
        {left.slice(0, MOST_LISTED).map((cell) => (
          <li key={`${showPlace(cell)} ${cell.formula}`} className={styles.line}>
            <span>
              <Link as="button" inline onClick={() => show(cell)}>
                {showPlace(cell)}
              </Link>{" "}
              {cell.label}
            </span>
            <Caption1>{cell.formula}</Caption1>
            {!cell.isAsFrozen && (
              <Button size="small" aria-label={`${texts.putBack}: ${cell.formula}`} onClick={() => putBack(cell)}>
                {texts.putBack}
              </Button>
            )}
            {asked?.cell === cell && (
              <div role="alert">
                {asked.text}{" "}
                <Button size="small" onClick={() => putBack(cell, asked.over)}>
                  {pane.texts.replace}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <Caption1>{texts.more(more)}</Caption1>}
    </>
  );
}

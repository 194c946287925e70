import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useMemo, useRef, useState } from "react";
import { FoldLine } from "../Fold";
import { Hint } from "../layout";
import { useCopy, usePane } from "../pane";
import { TextArea } from "../TextArea";
import type { Piece } from "./piece";

const useStyles = makeStyles({
  piece: { display: "grid", rowGap: tokens.spacingVerticalXS, justifyItems: "start", minWidth: 0 },
  text: {
    height: "14em",
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase100,
    lineHeight: tokens.lineHeightBase100,
    whiteSpace: "pre",
  },
});

/** A longer text would take long to show, and is rarely read here. */
const MOST_CHARACTERS = 20_000;

/** The part of an answer behind a cell, as JSON. */
export function PieceText({ piece: { kind, value } }: { piece: Piece }) {
  const { ofProvenance } = usePane().texts;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? kind !== "answer";
  const styles = useStyles();
  return (
    <div className={styles.piece}>
      <FoldLine isOpen={isOpen} toggle={() => setChosen(!isOpen)}>
        {ofProvenance.pieces[kind]}
      </FoldLine>
      {isOpen && <Json label={ofProvenance.pieces[kind]} value={value} />}
    </div>
  );
}

function Json({ label, value }: { label: string; value: unknown }) {
  const { ofProvenance } = usePane().texts;
  const styles = useStyles();
  const area = useRef<HTMLTextAreaElement>(null);
  const copy = useCopy();
  const whole = useMemo(() => JSON.stringify(value, null, 2), [value]);
  const text = whole.slice(0, MOST_CHARACTERS);
  return (
    <>
      <TextArea ref={area} aria-label={label} className={styles.text} readOnly value={text} />
      {whole.length > text.length && <Hint>{ofProvenance.cut}</Hint>}
      <Button size="small" onClick={() => void copy(text, area.current)}>
        {ofProvenance.copy}
      </Button>
    </>
  );
}

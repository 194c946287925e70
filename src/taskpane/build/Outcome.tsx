import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type RefObject, useEffect, useState } from "react";
import type { Cost } from "../../feed/cost";
import type { Shown } from "../../session/calls";
import { readOutputError } from "../activity/formula-state";
import { readFormat } from "../cell-changes";
import { toCellValue } from "../cells";
import { toShownValue } from "../changes/shown-values";
import { toFigureFormat } from "../figure-format";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { toWidths } from "../inserted-columns";
import { Bar, Heading, Hint, Row, useLook } from "../layout";
import { usePane, useSeparators } from "../pane";
import { Reason } from "../Reason";
import type { Texts } from "../texts";
import { buildTexts } from "../texts/build";
import { type Preview, usePreview, useShown } from "./use-preview";

interface OutcomeProps {
  /** The element that contains it. */
  page: RefObject<HTMLElement | null>;
  call: FormulaCall;
  /** Why the formula cannot be previewed, in words; null when it can. */
  lack: string | null;
  /** The sheet of the formula's cell. */
  sheet: string | null;
  /** Receives what the preview shows, null for nothing. */
  shown: RefObject<Shown | null>;
}

/** The preview, the formula and its cost. */
export function Outcome({ page, call, lack, sheet, shown }: OutcomeProps) {
  const styles = useStyles();
  const words = buildTexts[usePane().texts.language];
  const text = toFormulaText(call);
  const format = toFigureFormat(call) ?? null;
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
  useEffect(() => {
    shown.current = preview.shown;
  });
  return (
    <>
      <section>
        <Row align="center" isSpread isOneLine className={styles.head}>
          <Heading>{words.preview}</Heading>
          {isOfCells && lack === null && (
            <Button size="small" appearance="transparent" onClick={() => setReadings(readings + 1)}>
              {words.readAgain}
            </Button>
          )}
        </Row>
        {lack === null ? <Seen {...{ preview, format }} want={() => setWanted(text)} /> : <Hint>{lack}</Hint>}
      </section>
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
  head: { minHeight: "32px" },
  // A narrow pane scrolls the table, not the page.
  frame: { overflowX: "auto", border: `1px solid ${tokens.colorNeutralStroke2}`, outlineOffset: "-2px" },
  table: { borderCollapse: "collapse", width: "100%", fontSize: tokens.fontSizeBase200 },
  cell: {
    border: `1px solid ${tokens.colorNeutralStroke3}`,
    padding: `2px ${tokens.spacingHorizontalXS}`,
    maxWidth: "12em",
  },
  number: { textAlign: "end" },
});

/** The formula as the cell will show it, and its cost. */
function FormulaText({ text, cost }: { text: string; cost: Cost | null }) {
  const styles = useStyles();
  const look = useLook();
  const words = buildTexts[usePane().texts.language];
  const { toLocalFormula } = useSeparators();
  return (
    <section>
      <Heading gap="XS">{words.formula}</Heading>
      <code className={mergeClasses(look.code, look.breaking, styles.formula)}>{toLocalFormula(text)}</code>
      {cost !== null && (
        <Hint block className={look.aboveXS}>
          {words.cost(cost)}
        </Hint>
      )}
    </section>
  );
}

interface SeenProps {
  preview: Preview;
  /** The number format that its cells will have; null for the usual one. */
  format: string | null;
  /** Previews a formula that costs many requests. */
  want: () => void;
}

/** The result of a formula, or why there is none. */
function Seen({ preview, format, want }: SeenProps) {
  const { language, ofFixes } = usePane().texts;
  const words = buildTexts[language];
  const { shown, line, fault, isCostly } = preview;
  if (isCostly) {
    return (
      <>
        <Caption1 block>{words.costly}</Caption1>
        <Button size="small" onClick={want}>
          {words.showPreview}
        </Button>
      </>
    );
  }
  if (fault !== null) return <Caption1 block>{fault}</Caption1>;
  const rows = toRows(shown);
  const seen = rows.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS));
  const errors = new Map(
    seen
      .flat()
      .filter(isError)
      .map((error) => [error.message, error]),
  );
  const isAlone = rows.length === 1 && isError(rows[0]?.[0]) && rows[0]?.length === 1;
  return (
    <>
      {shown !== null && !isAlone && <PreviewTable rows={seen} format={format} />}
      {[...errors.values()].slice(0, MOST_REASONS).map((error) => (
        <Reason key={error.message} error={readOutputError(error) ?? ofFixes.dependsOnOther} />
      ))}
      {line !== null && <Caption1 block>{line}</Caption1>}
      {!isAlone && <Progress preview={preview} />}
    </>
  );
}

/** The size of the table, or its progress. */
function Progress({ preview: { shown, progress } }: Pick<SeenProps, "preview">) {
  const { language, ofActivity } = usePane().texts;
  const words = buildTexts[language];
  const rows = toRows(shown).length;
  const columns = toRows(shown)[0]?.length ?? 0;
  const { rows: come, expected } = progress;
  const sofar = come > 0 ? ofActivity.progress(come, expected) : words.waiting;
  return (
    <>
      {shown === null && <Bar aria-label={words.preview} value={expected > come ? come : 0} max={expected} />}
      <div role="status">
        <Caption1>{shown === null ? sofar : rows * columns > 1 && words.size(rows, columns)}</Caption1>
      </div>
    </>
  );
}

const MOST_ROWS = 5;
const MOST_COLUMNS = 5;
const MOST_REASONS = 2;

type Rows = readonly (readonly unknown[])[];

/** The first cells of a formula's result, as the sheet will show them. */
function PreviewTable({ rows, format }: { rows: Rows; format: string | null }) {
  const styles = useStyles();
  const look = useLook();
  const { session, texts } = usePane();
  const { dateSystem } = session.settings;
  const show = (cell: unknown, place: number) => {
    const text = toCellText(cell, format, texts, dateSystem);
    const isNumber = typeof toCellValue(cell) === "number";
    return (
      <td
        key={place}
        className={mergeClasses(look.cut, styles.cell, isNumber && look.numbers, isNumber && styles.number)}
        title={isError(cell) ? cell.message : text}
      >
        {text}
      </td>
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a focused element
    <section className={styles.frame} aria-label={buildTexts[texts.language].preview} tabIndex={0}>
      <table className={styles.table}>
        <tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell's key is its position
            <tr key={place}>{row.map(show)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** An error as it goes to a cell. */
interface ShownError {
  code: string;
  message?: string;
}

const isError = (value: unknown): value is ShownError => typeof Object(value).code === "string";

/** The rows of a formula's result; an error is one. */
function toRows(shown: Shown | null): Rows {
  if (shown === null) return [];
  return Array.isArray(shown) ? shown : [[shown]];
}

const MOST_MEASURED = 100;

/** The widths of the columns that a result fills. @param format as of {@link toCellText} */
export const toShownWidths = (shown: Shown | null, format: string | null, texts: Texts, dateSystem: 1900 | 1904) =>
  toWidths(
    toRows(shown)
      .slice(0, MOST_MEASURED)
      .map((row) => row.map((cell) => toCellText(cell, format, texts, dateSystem))),
  );

/** A cell as Excel shows it, in its own format where it has one. @param format of a number without one; null for none */
export function toCellText(cell: unknown, format: string | null, texts: Texts, dateSystem: 1900 | 1904): string {
  const value = toCellValue(cell);
  const own = readFormat(cell) ?? format;
  if (value === null || value === "") return "";
  if (typeof value === "number" && own === null) return String(Number(value.toPrecision(15)));
  return toShownValue(value, own, texts, dateSystem);
}

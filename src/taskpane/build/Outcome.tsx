import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type RefObject, useState } from "react";
import type { Cost } from "../../feed/cost";
import type { Shown } from "../../session/calls";
import { readOutputError } from "../activity/formula-state";
import { toFigureFormat, toFormatted } from "../figure-format";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { Bar, Heading, Hint, Row, useLook } from "../layout";
import { usePane, useSeparators } from "../pane";
import { Reason } from "../Reason";
import { type Preview, usePreview, useShown } from "./use-preview";

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
        format={toFigureFormat(call)}
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

interface PreviewPanelProps {
  preview: Preview;
  /** Why the formula cannot be previewed, in words; null when it can. */
  lack: string | null;
  /** The number format that its cells will have; undefined for the usual one. */
  format: string | undefined;
  /** Whether the formula reads cells, which may change. */
  isOfCells: boolean;
  readAgain: () => void;
  /** Previews a formula that costs many requests. */
  want: () => void;
}

/** The preview of a formula. */
function PreviewPanel({ preview, lack, format, isOfCells, readAgain, want }: PreviewPanelProps) {
  const styles = useStyles();
  const { texts } = usePane();
  const { ofBuild } = texts;
  return (
    <section>
      <Row align="center" isSpread isOneLine className={styles.head}>
        <Heading>{ofBuild.preview}</Heading>
        {isOfCells && lack === null && (
          <Button size="small" appearance="transparent" onClick={readAgain}>
            {ofBuild.readAgain}
          </Button>
        )}
      </Row>
      {lack !== null ? <Hint>{lack}</Hint> : <Seen preview={preview} format={format} want={want} />}
    </section>
  );
}

function Seen({ preview, format, want }: Pick<PreviewPanelProps, "preview" | "format" | "want">) {
  const { ofBuild, ofFixes } = usePane().texts;
  const { shown, line, fault, isCostly } = preview;
  if (isCostly) {
    return (
      <>
        <Caption1 block>{ofBuild.costly}</Caption1>
        <Button size="small" onClick={want}>
          {ofBuild.showPreview}
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
function Progress({ preview: { shown, progress } }: Pick<PreviewPanelProps, "preview">) {
  const { ofBuild } = usePane().texts;
  const rows = toRows(shown).length;
  const columns = toRows(shown)[0]?.length ?? 0;
  const { rows: come, expected } = progress;
  const sofar = come > 0 ? ofBuild.progress(come, expected) : ofBuild.waiting;
  return (
    <>
      {shown === null && <Bar aria-label={ofBuild.preview} value={expected > come ? come : 0} max={expected} />}
      <div role="status">
        <Caption1>{shown === null ? sofar : rows * columns > 1 && ofBuild.size(rows, columns)}</Caption1>
      </div>
    </>
  );
}

const MOST_ROWS = 5;
const MOST_COLUMNS = 5;
const MOST_REASONS = 2;

type Rows = readonly (readonly unknown[])[];

/** The first cells of a formula's result, as the sheet will show them. */
function PreviewTable({ rows, format }: { rows: Rows; format: string | undefined }) {
  const styles = useStyles();
  const look = useLook();
  const { session, texts } = usePane();
  const { dateSystem } = session.settings;
  const toNumber = format === undefined ? toPlain : (value: number) => toFormatted(value, format, texts.language);
  const show = ({ text, isNumber, message }: CellText, place: number) => (
    <td
      key={place}
      className={mergeClasses(look.cut, styles.cell, isNumber && look.numbers, isNumber && styles.number)}
      title={message ?? text}
    >
      {text}
    </td>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a focused element
    <section className={styles.frame} aria-label={texts.ofBuild.preview} tabIndex={0}>
      <table className={styles.table}>
        <tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell's key is its position
            <tr key={place}>{row.map((cell, column) => show(toCellText(cell, dateSystem, toNumber), column))}</tr>
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

/** A cell as a person reads it. */
interface CellText {
  text: string;
  isNumber: boolean;
  /** The error's sentence. */
  message?: string;
}

const isError = (value: unknown): value is ShownError =>
  typeof value === "object" && value !== null && typeof (value as { code?: unknown }).code === "string";

/** The rows of a formula's result; an error is one. */
function toRows(shown: Shown | null): Rows {
  if (shown === null) return [];
  return Array.isArray(shown) ? shown : [[shown]];
}

/** A number in no format. */
const toPlain = (value: number): string => String(Number(value.toPrecision(15)));

/** A cell as Excel shows it, in its own format where it has one. @param toNumber writes a number without one */
export function toCellText(value: unknown, dateSystem: 1900 | 1904, toNumber = toPlain): CellText {
  if (isError(value)) {
    return { text: value.code, isNumber: false, ...(value.message !== undefined && { message: value.message }) };
  }
  if (typeof value === "number") return { text: toNumber(value), isNumber: true };
  if (typeof value === "boolean") return { text: String(value).toUpperCase(), isNumber: false };
  if (typeof value !== "object" || value === null) return { text: String(value ?? ""), isNumber: false };
  const { basicValue, numberFormat } = value as { basicValue?: unknown; numberFormat?: unknown };
  if (typeof basicValue !== "number") return { text: String(basicValue ?? ""), isNumber: false };
  if (typeof numberFormat === "string" && numberFormat.startsWith("yyyy-mm-dd")) {
    return { text: toDateText(basicValue, dateSystem).slice(0, numberFormat.length), isNumber: true };
  }
  return toCellText(basicValue, dateSystem, toNumber);
}

const SECONDS_OF_DAY = 86_400;

/** Days from a workbook's first day to 1970. */
const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 };

function toDateText(serial: number, dateSystem: 1900 | 1904): string {
  const seconds = Math.round((serial - DAYS_TO_1970[dateSystem]) * SECONDS_OF_DAY);
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

import { Button, Caption1, makeStyles, mergeClasses, ProgressBar, tokens } from "@fluentui/react-components";
import { type RefObject, useState } from "react";
import { type FeedCode, FeedError } from "../../client/errors";
import type { Cost } from "../../feed/cost";
import { CURES } from "../../feed/cures";
import type { Shown } from "../../session/calls";
import { type FormulaCall, toFormulaText } from "../formula-text";
import { Heading, Hint, Row, useLook } from "../layout";
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
  /** Whether the formula reads cells, which may change. */
  isOfCells: boolean;
  readAgain: () => void;
  /** Previews a formula that costs many requests. */
  want: () => void;
}

/** The preview of a formula. */
function PreviewPanel({ preview, lack, isOfCells, readAgain, want }: PreviewPanelProps) {
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
      {lack !== null ? <Hint>{lack}</Hint> : <Seen preview={preview} want={want} />}
    </section>
  );
}

function Seen({ preview, want }: Pick<PreviewPanelProps, "preview" | "want">) {
  const { ofBuild } = usePane().texts;
  const { shown, fault, isCostly } = preview;
  const error = shown === null ? null : pickError(shown);
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
  if (error !== null) return <Why error={error} />;
  return (
    <>
      {shown !== null && <PreviewTable rows={toRows(shown)} />}
      <Progress preview={preview} />
    </>
  );
}

/** The size of the table, or its progress. */
function Progress({ preview: { shown, progress } }: Pick<PreviewPanelProps, "preview">) {
  const { ofBuild } = usePane().texts;
  const rows = shown === null ? 0 : toRows(shown).length;
  const columns = shown === null ? 0 : (toRows(shown)[0]?.length ?? 0);
  const { rows: come, expected } = progress;
  const sofar = come > 0 ? ofBuild.progress(come, expected) : ofBuild.waiting;
  return (
    <>
      {shown === null && (
        <ProgressBar aria-label={ofBuild.preview} {...(expected > come && { value: come / expected })} />
      )}
      <div role="status">
        <Caption1>{shown === null ? sofar : rows * columns > 1 && ofBuild.size(rows, columns)}</Caption1>
      </div>
    </>
  );
}

const isCode = (code: string): code is FeedCode => code in CURES;

/** An error with its sentence and remedy; an error passed on from other cells has neither. */
function Why({ error }: { error: ShownError }) {
  const [, code = "", sentence = ""] = /^(FEED_[A-Z_]+): ([\s\S]*)$/.exec(error.message ?? "") ?? [];
  return <Reason error={isCode(code) ? new FeedError(code, sentence) : (error.message ?? error.code)} />;
}

const MOST_ROWS = 5;
const MOST_COLUMNS = 5;

/** The first cells of a formula's result, as the sheet will show them. */
function PreviewTable({ rows }: { rows: readonly (readonly unknown[])[] }) {
  const styles = useStyles();
  const look = useLook();
  const { session, texts } = usePane();
  const { dateSystem } = session.settings;
  const seen = rows.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS));
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
          {seen.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell's key is its position
            <tr key={place}>{row.map((cell, column) => show(toCellText(cell, dateSystem), column))}</tr>
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

/** The error of a formula that shows nothing else; null otherwise. */
function pickError(shown: Shown): ShownError | null {
  if (!Array.isArray(shown)) return shown as ShownError;
  const only: unknown = shown.length === 1 && shown[0].length === 1 ? shown[0][0] : null;
  return isError(only) ? only : null;
}

/** The rows of a formula's result; none for an error. */
const toRows = (shown: Shown): readonly (readonly unknown[])[] =>
  Array.isArray(shown) ? (shown as readonly (readonly unknown[])[]) : [];

/** A cell as Excel shows it, in its own format where it has one. */
export function toCellText(value: unknown, dateSystem: 1900 | 1904): CellText {
  if (isError(value)) {
    return { text: value.code, isNumber: false, ...(value.message !== undefined && { message: value.message }) };
  }
  if (typeof value === "number") return { text: String(Number(value.toPrecision(15))), isNumber: true };
  if (typeof value === "boolean") return { text: String(value).toUpperCase(), isNumber: false };
  if (typeof value !== "object" || value === null) return { text: String(value ?? ""), isNumber: false };
  const { basicValue, numberFormat } = value as { basicValue?: unknown; numberFormat?: unknown };
  if (typeof basicValue !== "number") return { text: String(basicValue ?? ""), isNumber: false };
  if (typeof numberFormat === "string" && numberFormat.startsWith("yyyy-mm-dd")) {
    return { text: toDateText(basicValue, dateSystem).slice(0, numberFormat.length), isNumber: true };
  }
  return toCellText(basicValue, dateSystem);
}

const SECONDS_OF_DAY = 86_400;

/** Days from a workbook's first day to 1970. */
const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 };

function toDateText(serial: number, dateSystem: 1900 | 1904): string {
  const seconds = Math.round((serial - DAYS_TO_1970[dateSystem]) * SECONDS_OF_DAY);
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

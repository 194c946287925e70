import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { usePane } from "../pane";
import { type CellText, toCellText } from "./cell-texts";

const MOST_ROWS = 5;
const MOST_COLUMNS = 5;

const useStyles = makeStyles({
  // Narrow panes scroll the table, not the page.
  frame: { overflowX: "auto", border: `1px solid ${tokens.colorNeutralStroke2}`, outlineOffset: "-2px" },
  table: { borderCollapse: "collapse", width: "100%", fontSize: tokens.fontSizeBase200 },
  cell: {
    border: `1px solid ${tokens.colorNeutralStroke3}`,
    padding: `2px ${tokens.spacingHorizontalXS}`,
    maxWidth: "12em",
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  number: { textAlign: "end", fontVariantNumeric: "tabular-nums" },
});

/** The first cells of what a formula shows, as they will stand in the sheet. */
export function PreviewTable({ rows }: { rows: readonly (readonly unknown[])[] }) {
  const styles = useStyles();
  const { session, texts } = usePane();
  const { dateSystem } = session.settings;
  const seen = rows.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS));
  const show = ({ text, isNumber, message }: CellText, place: number) => (
    <td key={place} className={mergeClasses(styles.cell, isNumber && styles.number)} title={message ?? text}>
      {text}
    </td>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: by keyboard, only what has the focus can be scrolled
    <section className={styles.frame} aria-label={texts.ofBuild.preview} tabIndex={0}>
      <table className={styles.table}>
        <tbody>
          {seen.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
            <tr key={place}>{row.map((cell, column) => show(toCellText(cell, dateSystem), column))}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

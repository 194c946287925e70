import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { Hint } from "../../taskpane/layout";
import { usePane } from "../../taskpane/pane";
import { type RankedTemplate, rankedSheetsTexts } from "./texts";

const useStyles = makeStyles({
  preview: { margin: 0, minWidth: 0, overflowX: "auto", fontSize: tokens.fontSizeBase200 },
  line: { margin: `${tokens.spacingVerticalXS} 0`, color: tokens.colorNeutralForeground2 },
  table: { borderCollapse: "collapse", width: "100%" },
  cell: {
    padding: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalXS}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    textAlign: "start",
    whiteSpace: "nowrap",
    fontVariantNumeric: "tabular-nums",
  },
  heading: { whiteSpace: "normal", verticalAlign: "bottom" },
  up: { color: tokens.colorStatusSuccessForeground3 },
  down: { color: tokens.colorStatusDangerForeground3 },
});

/** A sheet's look on made-up data, before it is made. */
export function Preview({ template }: { template: RankedTemplate }) {
  const styles = useStyles();
  const { preview, previews } = rankedSheetsTexts[usePane().texts.language];
  const { line, rows } = previews[template];
  const [headings = [], ...others] = rows;
  return (
    <figure className={styles.preview}>
      <figcaption>
        <Hint>{preview}</Hint>
      </figcaption>
      <p className={styles.line}>{line}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col" className={mergeClasses(styles.cell, styles.heading)}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {others.map((row) => (
            <tr key={row.join()}>
              {row.map((value, column) => (
                <td
                  key={headings[column]}
                  className={mergeClasses(
                    styles.cell,
                    /^[▲+]/.test(value) && styles.up,
                    /^[▼-]/.test(value) && styles.down,
                  )}
                >
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

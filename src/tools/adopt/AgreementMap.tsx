import { Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { toLetters } from "../../taskpane/addresses";
import { toShownValue } from "../../taskpane/changes/shown-values";
import { usePane } from "../../taskpane/pane";
import { type ComparedCell, toCellAddress } from "./comparison";
import { useAdoptTexts } from "./use-comparison";

const useStyles = makeStyles({
  frame: { maxHeight: "40vh", overflow: "auto", outlineOffset: "-2px" },
  table: { borderCollapse: "collapse", fontSize: tokens.fontSizeBase200, fontVariantNumeric: "tabular-nums" },
  head: { fontWeight: tokens.fontWeightRegular, color: tokens.colorNeutralForeground3, padding: "1px 6px" },
  cell: {
    border: `1px solid ${tokens.colorNeutralStroke3}`,
    minWidth: "22px",
    textAlign: "center",
    padding: "1px 4px",
  },
  equal: { color: tokens.colorStatusSuccessForeground3 },
  rounded: { color: tokens.colorStatusSuccessForeground3 },
  differs: { color: tokens.colorStatusDangerForeground3, fontWeight: tokens.fontWeightSemibold },
  unknown: { color: tokens.colorNeutralForeground3 },
  legend: { display: "flex", flexWrap: "wrap", columnGap: tokens.spacingHorizontalM },
});

const SIGNS = { equal: "=", rounded: "≈", differs: "≠", unknown: "?" } as const;
const STATES = ["equal", "rounded", "differs", "unknown"] as const;

/** Most rows in the page. */
const MOST_ROWS = 200;

/** The block in small: how each cell agrees, by its place. */
export function AgreementMap({ cells }: { cells: readonly ComparedCell[] }) {
  const styles = useStyles();
  const texts = useAdoptTexts();
  const columns = [...new Set(cells.map(({ cell }) => cell.column))].sort((one, other) => one - other);
  const rows = [...new Set(cells.map(({ cell }) => cell.row))].slice(0, MOST_ROWS);
  const byPlace = new Map(cells.map((each) => [toCellAddress(each.cell), each]));
  return (
    <>
      <div className={styles.legend}>
        {STATES.map((state) => (
          <Caption1 key={state}>
            <span aria-hidden className={styles[state]}>
              {SIGNS[state]}
            </span>{" "}
            {cells.filter(({ agreement }) => agreement === state).length} {texts.states[state]}
          </Caption1>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has the focus */}
      <section className={styles.frame} aria-label={texts.map} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <th key={column} scope="col" className={styles.head}>
                  {toLetters(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row" className={styles.head}>
                  {row + 1}
                </th>
                {columns.map((column) => (
                  <MapCell key={column} compared={byPlace.get(toCellAddress({ row, column }))} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function MapCell({ compared }: { compared: ComparedCell | undefined }) {
  const styles = useStyles();
  const texts = useAdoptTexts();
  const { session, texts: all } = usePane();
  if (compared === undefined) return <td className={styles.cell} />;
  const { agreement, cell, figure } = compared;
  const show = (value: unknown) => toShownValue(value, null, all, session.settings.dateSystem);
  const values = figure === null ? show(cell.typed) : `${show(cell.typed)} · ${texts.theirs(show(figure))}`;
  return (
    <td
      className={mergeClasses(styles.cell, styles[agreement])}
      title={values}
      aria-label={`${texts.states[agreement]}: ${values}`}
    >
      {SIGNS[agreement]}
    </td>
  );
}

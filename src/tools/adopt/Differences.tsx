import { Link, makeStyles, tokens } from "@fluentui/react-components";
import { toShownValue } from "../../taskpane/changes/shown-values";
import { Heading, Hint } from "../../taskpane/layout";
import { attempt, usePane } from "../../taskpane/pane";
import { type ComparedCell, toCellAddress } from "./comparison";
import { useAdoptTexts } from "./use-comparison";

const useStyles = makeStyles({
  list: { listStyleType: "none", margin: 0, padding: 0 },
  line: {
    display: "grid",
    gridTemplateColumns: "minmax(3.5em, auto) minmax(0, 1fr)",
    columnGap: tokens.spacingHorizontalS,
    alignItems: "baseline",
    padding: `${tokens.spacingVerticalXXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontVariantNumeric: "tabular-nums",
    overflowWrap: "anywhere",
  },
  cell: { fontSize: "inherit", textAlign: "start" },
  values: { display: "flex", flexWrap: "wrap", columnGap: tokens.spacingHorizontalM },
  theirs: { fontWeight: tokens.fontWeightSemibold },
  reason: { gridColumn: 2, color: tokens.colorNeutralForeground3 },
});

/** Most differences in the page; they are fewer once the first ones are corrected. */
const MOST_LISTED = 200;

interface DifferencesProps {
  sheet: string;
  cells: readonly ComparedCell[];
}

/** The numbers that differ, each with the provider's figure and the likely reason. */
export function Differences({ sheet, cells }: DifferencesProps) {
  const styles = useStyles();
  const texts = useAdoptTexts();
  if (cells.length === 0) return null;
  const more = cells.length - MOST_LISTED;
  return (
    <section>
      <Heading as="h3" isSmall>
        {texts.differences(cells.length)}
      </Heading>
      <ul className={styles.list}>
        {cells.slice(0, MOST_LISTED).map((each) => (
          <Difference key={toCellAddress(each.cell)} sheet={sheet} compared={each} />
        ))}
      </ul>
      {more > 0 && <Hint block>{texts.more(more)}</Hint>}
    </section>
  );
}

function Difference({ sheet, compared }: { sheet: string; compared: ComparedCell }) {
  const styles = useStyles();
  const pane = usePane();
  const texts = useAdoptTexts();
  const { cell, figure, reason } = compared;
  const address = toCellAddress(cell);
  const show = (value: unknown) => toShownValue(value, null, pane.texts, pane.session.settings.dateSystem);
  const visit = () => attempt(pane, ({ workbook }) => workbook.show({ sheet, address }));
  return (
    <li className={styles.line}>
      <Link as="button" className={styles.cell} onClick={() => void visit()}>
        {address}
      </Link>
      <span className={styles.values}>
        <span>{show(cell.typed)}</span>
        <span className={styles.theirs}>{texts.theirs(show(figure))}</span>
      </span>
      {reason !== null && <span className={styles.reason}>{texts.reason(reason)}</span>}
    </li>
  );
}

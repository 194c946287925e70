import { Link, makeStyles, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import { toShownValue } from "../changes/shown-values";
import { attempt } from "../commands/desk";
import { LongList } from "../LongList";
import { usePane } from "../pane";
import { Heading } from "../typography";
import { type ComparedCell, toCellAddress } from "./comparison";
import { useAdoptTexts } from "./use-comparison";

const useStyles = makeStyles({
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

const ROW_PX = 40;

interface DifferencesProps {
  sheet: string;
  cells: readonly ComparedCell[];
}

/** The numbers that differ, each with the provider's figure and the likely reason. */
export function Differences({ sheet, cells }: DifferencesProps) {
  const texts = useAdoptTexts();
  const scroll = useRef(0);
  if (cells.length === 0) return null;
  const title = texts.differences(cells.length);
  return (
    <section>
      <Heading as="h3" isSmall>
        {title}
      </Heading>
      <LongList label={title} items={cells} rowHeight={ROW_PX} scroll={scroll}>
        {(each) => <Difference sheet={sheet} compared={each} />}
      </LongList>
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
    <div className={styles.line}>
      <Link as="button" className={styles.cell} onClick={() => void visit()}>
        {address}
      </Link>
      <span className={styles.values}>
        <span>{show(cell.typed)}</span>
        <span className={styles.theirs}>{texts.theirs(show(figure))}</span>
      </span>
      {reason !== null && <span className={styles.reason}>{texts.reason(reason)}</span>}
    </div>
  );
}

import { Link, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import type { Place } from "../../contract/workbook";
import { readArea, showPlace } from "../addresses";
import { findCells, toShownPlace } from "../cells";
import { readNamespace } from "../formula-text";
import { attempt, usePane } from "../pane";
import type { ChangedCell } from "./changed-cells";
import { toShownRatio, toShownValue } from "./shown-values";

const useStyles = makeStyles({
  line: {
    display: "grid",
    gridTemplateColumns: "minmax(3.5em, auto) minmax(0, 1fr) auto",
    columnGap: tokens.spacingHorizontalS,
    alignItems: "baseline",
    padding: `${tokens.spacingVerticalXXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  cell: { fontSize: "inherit", textAlign: "start", fontVariantNumeric: "tabular-nums" },
  subject: { display: "flex", columnGap: tokens.spacingHorizontalXS, minWidth: 0 },
  what: { flex: "0 5 auto", minWidth: "4em", overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  item: { flex: "0 1 auto", minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  fate: { fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap", color: tokens.colorNeutralForeground2 },
  appeared: { color: tokens.colorStatusSuccessForeground3 },
  vanished: { color: tokens.colorStatusDangerForeground3 },
  values: {
    gridColumn: "2 / -1",
    display: "flex",
    flexWrap: "wrap",
    columnGap: tokens.spacingHorizontalXS,
    minWidth: 0,
    overflowWrap: "anywhere",
    fontVariantNumeric: "tabular-nums",
  },
  before: { color: tokens.colorNeutralForeground3 },
  now: { fontWeight: tokens.fontWeightSemibold },
  hidden: { position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" },
});

/** A changed cell: its subject, its old and new value, and a link to it. */
export function ChangeLine({ cell, look }: { cell: ChangedCell; look: () => void }) {
  const { session, texts } = usePane();
  const { ofChanges } = texts;
  const styles = useStyles();
  const { change, kind, what, year, metric, ratio } = cell;
  const item = [year, metric].filter((part) => part !== null).join(" · ");
  const show = (value: unknown) => toShownValue(value, change.format, texts, session.settings.dateSystem);
  const isPlain = kind === "changed";
  return (
    <div className={styles.line}>
      <Where cell={cell} look={look} />
      <span className={styles.subject} title={item === "" ? what : `${what} · ${item}`}>
        <span className={styles.what}>{what}</span>
        {item !== "" && <span className={styles.item}> · {item}</span>}
      </span>
      <span className={mergeClasses(styles.fate, !isPlain && styles[kind])}>
        {isPlain ? ratio !== null && toShownRatio(ratio, texts) : ofChanges.kinds[kind]}
      </span>
      <span className={styles.values}>
        <span className={styles.before}>{show(change.before)}</span>
        <span aria-hidden className={styles.before}>
          →
        </span>
        <span className={styles.hidden}>{ofChanges.to}</span>
        <span className={styles.now}>{show(change.after)}</span>
      </span>
    </div>
  );
}

/** Links to the cell, or to the table of a row that is gone. */
function Where({ cell, look }: { cell: ChangedCell; look: () => void }) {
  const { ofActivity, ofChanges } = usePane().texts;
  const styles = useStyles();
  const visit = useVisitChange(look);
  const { anchor, place } = cell;
  if (anchor === null) return <span>–</span>;
  const title = place === null ? ofChanges.gone(showPlace(anchor)) : ofActivity.goTo(showPlace(place));
  return (
    <Link as="button" className={styles.cell} title={title} onClick={() => void visit(cell)}>
      {(place ?? anchor).address}
    </Link>
  );
}

/**
 * Returns a function that selects a changed cell. Rows may have been inserted since its place was found: it checks that
 * the same formula is there, else finds it again, and notifies the person where it is gone.
 *
 * @param look finds the places of all changed cells again
 */
function useVisitChange(look: () => void): (cell: ChangedCell) => Promise<void> {
  const pane = usePane();
  return ({ change: { call }, anchor, place }) =>
    attempt(pane, async ({ workbook, notify, texts }) => {
      if (anchor === null) return;
      await workbook.show(anchor);
      const here = await findCells(workbook, [call], "selection");
      if (here.pairs.length > 0) return place === null ? undefined : await workbook.show(place);
      look();
      const { pairs } = await findCells(workbook, [call], "workbook");
      const found = pairs.find(({ cell }) => cell.sheet === anchor.sheet) ?? pairs[0];
      if (found !== undefined)
        return await workbook.show(place === null ? found.cell : move(place, anchor, found.cell));
      notify({ intent: "info", text: texts.ofActivity.moved(showPlace(anchor), `${readNamespace()}.${call.name}`) });
    });
}

/** Moves a place by the distance between two cells. */
function move(place: Place, from: Place, to: Place): Place {
  const [at, anchor] = [readArea(place.address), readArea(from.address)];
  return toShownPlace(to, at.row - anchor.row, at.column - anchor.column);
}

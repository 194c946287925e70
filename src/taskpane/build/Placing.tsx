import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import type { Place, Selection } from "../../contract/workbook";
import { showPlace } from "../addresses";
import type { HeldPlace } from "../insert";
import { Row, useLook } from "../layout";
import { usePane } from "../pane";

const useStyles = makeStyles({
  // Stays in sight below a long form.
  bar: {
    position: "sticky",
    bottom: 0,
    zIndex: 1,
    margin: `0 calc(-1 * ${tokens.spacingHorizontalL})`,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
});

interface PlacingProps {
  selection: Selection | null;
  /** The cell whose formula is being edited. */
  place: HeldPlace | null;
  /** Whether the formula is ready for a cell. */
  isWhole: boolean;
  /** Whether the formula reads a cell. */
  reads: (place: Place) => boolean;
  /** Writes the formula into the active cell, or in the place of a formula. */
  write: (replaced: HeldPlace | null) => void;
}

/** The buttons that write the formula: into the active cell, or into its own. */
export function Placing({ selection, place, isWhole, reads, write }: PlacingProps) {
  const styles = useStyles();
  const look = useLook();
  const { insertAt, insertAtActive, replaceIn, ownCell } = usePane().texts.ofBuild;
  const active = selection && { sheet: selection.sheet, address: selection.cell };
  const isHere = place !== null && active !== null && showPlace(active) === showPlace(place);
  const target = isHere ? place : active;
  const isCircular = target !== null && reads(target);
  return (
    <div className={styles.bar}>
      {isCircular && <Caption1 block>{ownCell(showPlace(target))}</Caption1>}
      <Row>
        {!isHere && (
          <Button
            appearance="primary"
            className={look.breaking}
            disabledFocusable={!isWhole || isCircular}
            onClick={() => write(null)}
          >
            {active === null ? insertAtActive : insertAt(showPlace(active))}
          </Button>
        )}
        {place !== null && (
          <Button
            appearance={isHere ? "primary" : "secondary"}
            className={look.breaking}
            disabledFocusable={!isWhole || reads(place)}
            onClick={() => write(place)}
          >
            {replaceIn(showPlace(place))}
          </Button>
        )}
      </Row>
    </div>
  );
}

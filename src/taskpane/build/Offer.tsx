import { Button, Caption1, mergeClasses } from "@fluentui/react-components";
import type { Selection } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { readFormula } from "../formula-text";
import { Row, useLook } from "../layout";
import { usePane, useSeparators } from "../pane";
import type { Draft } from "./draft";

interface OfferProps {
  selection: Selection | null;
  draft: Draft;
  /** The active cell's formula, where it is another one. */
  offered: Draft | null;
  open: (draft: Draft) => void;
  startAnew: () => void;
}

/** The cell whose formula is being edited, and an offer to edit the active cell's. */
export function Offer({ selection, draft, offered, open, startAnew }: OfferProps) {
  const { edit, editing, startAnew: anew } = usePane().texts.ofBuild;
  return (
    <>
      {draft.place !== null && (
        <Row align="center">
          <Caption1>{editing(showPlace(draft.place))}</Caption1>
          <Button size="small" appearance="transparent" onClick={startAnew}>
            {anew}
          </Button>
        </Row>
      )}
      {offered?.place != null && (
        <div>
          <Button size="small" onClick={() => open(offered)}>
            {edit(showPlace(offered.place))}
          </Button>
        </div>
      )}
      {selection !== null && offered === null && <Uneditable selection={selection} place={draft.place} />}
    </>
  );
}

/** States that the active cell's formula can only be edited in the cell. */
function Uneditable({ selection, place }: { selection: Selection; place: Draft["place"] }) {
  const look = useLook();
  const { part, unknown } = usePane().texts.ofBuild;
  const { toLocalFormula } = useSeparators();
  const { kind } = readFormula(selection.formula);
  const active = showPlace({ sheet: selection.sheet, address: selection.cell });
  if (kind === "none" || (place !== null && showPlace(place) === active)) return null;
  return (
    <div role="status">
      <Caption1 block>{kind === "part" ? part(active) : unknown(active)}</Caption1>
      <code className={mergeClasses(look.code, look.breaking)}>{toLocalFormula(selection.formula)}</code>
    </div>
  );
}

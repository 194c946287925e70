import { Button, Input, makeStyles, Select, Spinner, tokens } from "@fluentui/react-components";
import { useCallback, useDeferredValue, useState } from "react";
import { FoldedList } from "../LongList";
import { Hint } from "../layout";
import { usePane } from "../pane";
import { useSlices } from "../use-slices";
import { ChangeLine } from "./ChangeLine";
import { CHANGE_KINDS, type ChangedCells, type ChangeKind, filterChanges } from "./changed-cells";
import { useInsertChanges } from "./insert-changes";

const useStyles = makeStyles({
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  filter: {
    display: "grid",
    gridTemplateColumns: "auto minmax(0, 1fr)",
    gap: tokens.spacingHorizontalS,
    "& > *": { minWidth: 0 },
  },
});

/** Of a line whose values fit in one row, in pixels. */
const LINE_HEIGHT = 37;

interface ChangeListProps {
  cells: ChangedCells;
  /** Time at which the refresh began. */
  time: string;
  /** Finds the places of the cells again. */
  look: () => void;
  /** Restores the old values; null once they are restored. */
  undo: (() => void) | null;
}

/** The changed cells by sheet, with a filter and their actions. */
export function ChangeList({ cells, time, look, undo }: ChangeListProps) {
  const { ofActivity, ofChanges } = usePane().texts;
  const styles = useStyles();
  const [kind, setKind] = useState<ChangeKind | "">("");
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const sheets =
    useSlices(useCallback(() => filterChanges(cells, kind, wanted), [cells, kind, wanted])) ?? cells.sheets;
  const { isInserting, insert } = useInsertChanges();
  return (
    <>
      <div className={styles.buttons}>
        {undo !== null && (
          <Button size="small" title={ofChanges.undoHint(time)} onClick={undo}>
            {ofChanges.undo}
          </Button>
        )}
        <Button
          size="small"
          disabledFocusable={isInserting || sheets.length === 0}
          icon={isInserting ? <Spinner size="extra-tiny" /> : undefined}
          onClick={() => void insert(sheets, time)}
        >
          {isInserting ? ofChanges.inserting : ofChanges.insert}
        </Button>
      </div>
      <Filter cells={cells} kind={kind} choose={setKind} text={text} write={setText} />
      {sheets.length === 0 && <Hint>{ofChanges.noMatch}</Hint>}
      {sheets.map((group, index) => (
        <FoldedList
          key={group.sheet ?? "\0"}
          name={group.sheet ?? ofActivity.elsewhere}
          counts={ofChanges.cells(group.cells.length)}
          isOpen={index === 0}
          label={`${group.sheet ?? ofActivity.elsewhere}: ${ofChanges.cells(group.cells.length)}`}
          items={group.cells}
          rowHeight={LINE_HEIGHT}
        >
          {(cell) => <ChangeLine cell={cell} look={look} />}
        </FoldedList>
      ))}
    </>
  );
}

interface FilterProps {
  cells: ChangedCells;
  kind: ChangeKind | "";
  choose: (kind: ChangeKind | "") => void;
  text: string;
  write: (text: string) => void;
}

/** Filters the cells by kind and by text. */
function Filter({ cells: { count, kinds }, kind, choose, text, write }: FilterProps) {
  const { texts } = usePane();
  const { ofChanges, language } = texts;
  const styles = useStyles();
  return (
    <div className={styles.filter}>
      <Select
        size="small"
        aria-label={ofChanges.kind}
        value={kind}
        onChange={(_, { value }) => choose(value as ChangeKind | "")}
      >
        <option value="">{`${ofChanges.all} (${count.toLocaleString(language)})`}</option>
        {CHANGE_KINDS.map((each) => (
          <option
            key={each}
            value={each}
          >{`${ofChanges.kinds[each]} (${kinds[each].toLocaleString(language)})`}</option>
        ))}
      </Select>
      <Input
        size="small"
        type="search"
        aria-label={ofChanges.filter}
        placeholder={ofChanges.filterHint}
        value={text}
        onChange={(_, { value }) => write(value)}
      />
    </div>
  );
}

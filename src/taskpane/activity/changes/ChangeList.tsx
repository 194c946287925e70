import { Button, Input, makeStyles, Select, Spinner, tokens } from "@fluentui/react-components";
import { useDeferredValue, useMemo, useState } from "react";
import { FoldLine } from "../../Fold";
import { usePane } from "../../pane";
import { Hint } from "../../typography";
import { ChangeLine } from "./ChangeLine";
import {
  CHANGE_KINDS,
  type ChangedCell,
  type ChangeKind,
  groupChanges,
  isAbout,
  type SheetChanges,
} from "./changed-cells";
import { useInsertChanges } from "./insert-changes";

const useStyles = makeStyles({
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  filter: {
    display: "grid",
    gridTemplateColumns: "auto minmax(0, 1fr)",
    gap: tokens.spacingHorizontalS,
    "& > *": { minWidth: 0 },
  },
  sheet: { fontWeight: tokens.fontWeightSemibold, overflowWrap: "anywhere" },
  counts: {
    marginInlineStart: "auto",
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    textAlign: "end",
    whiteSpace: "nowrap",
  },
  list: { listStyleType: "none", margin: 0, padding: 0 },
});

interface ChangeListProps {
  cells: readonly ChangedCell[];
  /** Time at which the refresh began. */
  time: string;
  /** Finds the places of the cells again. */
  look: () => void;
  /** Restores the old values; null once they are restored. */
  undo: (() => void) | null;
}

/** The changed cells by sheet, with a filter and their actions. */
export function ChangeList({ cells, time, look, undo }: ChangeListProps) {
  const { ofChanges } = usePane().texts;
  const styles = useStyles();
  const [kind, setKind] = useState<ChangeKind | "">("");
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const fitting = useMemo(
    () => cells.filter((cell) => (kind === "" || cell.kind === kind) && (wanted === "" || isAbout(cell, wanted))),
    [cells, kind, wanted],
  );
  const sheets = useMemo(() => groupChanges(fitting), [fitting]);
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
          disabledFocusable={isInserting || fitting.length === 0}
          icon={isInserting ? <Spinner size="extra-tiny" /> : undefined}
          onClick={() => void insert(sheets, time)}
        >
          {isInserting ? ofChanges.inserting : ofChanges.insert}
        </Button>
      </div>
      <Filter cells={cells} kind={kind} choose={setKind} text={text} write={setText} />
      {fitting.length === 0 && <Hint>{ofChanges.noMatch}</Hint>}
      {sheets.map((group, index) => (
        <Sheet key={group.sheet ?? "\0"} group={group} isFirst={index === 0} look={look} />
      ))}
    </>
  );
}

interface FilterProps {
  cells: readonly ChangedCell[];
  kind: ChangeKind | "";
  choose: (kind: ChangeKind | "") => void;
  text: string;
  write: (text: string) => void;
}

/** Filters the cells by kind and by text. */
function Filter({ cells, kind, choose, text, write }: FilterProps) {
  const { texts } = usePane();
  const { ofChanges, language } = texts;
  const styles = useStyles();
  const count = (each: ChangeKind) => cells.filter((cell) => cell.kind === each).length.toLocaleString(language);
  return (
    <div className={styles.filter}>
      <Select
        size="small"
        aria-label={ofChanges.kind}
        value={kind}
        onChange={(_, { value }) => choose(value as ChangeKind | "")}
      >
        <option value="">{`${ofChanges.all} (${cells.length.toLocaleString(language)})`}</option>
        {CHANGE_KINDS.map((each) => (
          <option key={each} value={each}>{`${ofChanges.kinds[each]} (${count(each)})`}</option>
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

const SHOWN_AT_ONCE = 200;

/** The changed cells of one sheet; the first sheet opens unfolded. */
function Sheet({ group, isFirst, look }: { group: SheetChanges; isFirst: boolean; look: () => void }) {
  const { ofActivity, ofChanges } = usePane().texts;
  const styles = useStyles();
  const { sheet, cells } = group;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const isOpen = chosen ?? isFirst;
  const left = cells.length - shown;
  return (
    <div>
      <FoldLine isOpen={isOpen} toggle={() => setChosen(!isOpen)}>
        <span className={styles.sheet}>{sheet ?? ofActivity.elsewhere}</span>{" "}
        <span className={styles.counts}>{ofChanges.cells(cells.length)}</span>
      </FoldLine>
      {isOpen && (
        <>
          {/* biome-ignore lint/a11y/noRedundantRoles: without list markers VoiceOver takes it for no list */}
          <ul className={styles.list} role="list">
            {cells.slice(0, shown).map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines keep no state, and a formula's cells have no other key
              <ChangeLine key={index} cell={cell} look={look} />
            ))}
          </ul>
          {left > 0 && (
            <Button size="small" appearance="subtle" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
              {ofChanges.more(Math.min(left, SHOWN_AT_ONCE), left)}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

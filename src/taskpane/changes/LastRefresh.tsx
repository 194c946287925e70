import {
  Body1,
  Button,
  Input,
  Link,
  makeStyles,
  mergeClasses,
  Select,
  Spinner,
  tokens,
} from "@fluentui/react-components";
import { useCallback, useDeferredValue, useEffect, useRef, useState } from "react";
import type { Place } from "../../contract/workbook";
import type { ChangesSnapshot, Snapshot } from "../activity/snapshot";
import { readArea, showPlace } from "../addresses";
import { type FormulaCells, findCells, findFormulaCells, toShownPlace } from "../cells";
import { createNames } from "../company-search";
import { readNamespace } from "../formula-text";
import { FoldedList } from "../LongList";
import { Heading, Hint, Row, Stack, useLook } from "../layout";
import { attempt, usePane } from "../pane";
import { runInSlices, type Steps } from "../slices";
import { toTime } from "../texts/quantities";
import {
  CHANGE_KINDS,
  type ChangedCell,
  type ChangedCells,
  type ChangedRow,
  type ChangeKind,
  filterChanges,
  toChangedCells,
} from "./changed-cells";
import { useInsertChanges } from "./insert-changes";
import { toShownRatio, toShownValue } from "./shown-values";

/** The changes of the last refresh, cell by cell, and their undo. */
export function LastRefresh({ snapshot }: { snapshot: Snapshot }) {
  const { session, texts } = usePane();
  const { ofChanges } = texts;
  const { target } = useLook();
  const section = useRef<HTMLElement>(null);
  const { sinceMs, isUndone, isRunning, list } = snapshot.changes;
  const { cells, look } = useChangedCells(snapshot.changes);
  if (snapshot.calls.length === 0) return null;
  const time = sinceMs === null ? "" : toTime(sinceMs, snapshot.nowMs, texts.language);
  const undo = () => {
    session.undoRefresh();
    section.current?.focus(); // the button goes
  };
  return (
    <Stack as="section" ref={section} tabIndex={-1} gap="XS" className={target} aria-label={ofChanges.title}>
      <Heading isSmall>{ofChanges.title}</Heading>
      {sinceMs === null ? (
        <Hint>{ofChanges.none}</Hint>
      ) : isRunning ? (
        <Body1>{ofChanges.running(list.length)}</Body1>
      ) : (
        <>
          <Outcome time={time} isUndone={isUndone} count={cells?.count ?? null} />
          {cells !== null && cells.count > 0 && (
            <ChangeList key={`${sinceMs}`} cells={cells} time={time} look={look} undo={isUndone ? null : undo} />
          )}
        </>
      )}
    </Stack>
  );
}

interface OutcomeProps {
  /** When the refresh began. */
  time: string;
  isUndone: boolean;
  /** Number of changed cells; null until their places are known. */
  count: number | null;
}

/** The refresh's result in a sentence, or that it was undone. */
function Outcome({ time, isUndone, count }: OutcomeProps) {
  const { ofChanges } = usePane().texts;
  if (count === null) return <Spinner size="tiny" label={ofChanges.looking} />;
  const isAny = count > 0;
  return (
    <div role="status">
      {isUndone && <Body1 block>{ofChanges.undone(time)}</Body1>}
      {isUndone && isAny && <Body1 block>{ofChanges.staying(count)}</Body1>}
      {!isUndone && <Body1 block>{isAny ? ofChanges.since(count, time) : ofChanges.nothing(time)}</Body1>}
    </div>
  );
}

const useListStyles = makeStyles({
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
function ChangeList({ cells, time, look, undo }: ChangeListProps) {
  const { ofActivity, ofChanges } = usePane().texts;
  const [kind, setKind] = useState<ChangeKind | "">("");
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const sheets =
    useSlices(useCallback(() => filterChanges(cells, kind, wanted), [cells, kind, wanted])) ?? cells.sheets;
  const { isInserting, insert } = useInsertChanges();
  return (
    <>
      <Row>
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
      </Row>
      <Filter cells={cells} kind={kind} choose={setKind} text={text} write={setText} />
      {sheets.length === 0 && <Hint>{ofChanges.noMatch}</Hint>}
      {sheets.map((group, index) => (
        <FoldedList
          key={group.sheet ?? "\0"}
          name={group.sheet ?? ofActivity.elsewhere}
          counts={ofChanges.cells(group.count)}
          isOpen={index === 0}
          label={`${group.sheet ?? ofActivity.elsewhere}: ${ofChanges.cells(group.count)}`}
          items={group.rows}
          rowHeight={LINE_HEIGHT}
        >
          {(row) => <ChangeLine row={row} look={look} />}
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
  const styles = useListStyles();
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

const useLineStyles = makeStyles({
  line: {
    display: "grid",
    gridTemplateColumns: "minmax(3.5em, auto) minmax(0, 1fr) auto",
    columnGap: tokens.spacingHorizontalS,
    alignItems: "baseline",
    padding: `${tokens.spacingVerticalXXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  cell: { fontSize: "inherit", textAlign: "start", fontVariantNumeric: "tabular-nums" },
  what: { flex: "0 5 auto", minWidth: "4em" },
  item: { flex: "0 1 auto" },
  fate: { fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" },
  values: { gridColumn: "2 / -1", rowGap: 0, overflowWrap: "anywhere", fontVariantNumeric: "tabular-nums" },
});

/** The look of each kind of change. */
const FATES = { changed: "second", appeared: "good", vanished: "bad" } as const;

const toItem = ({ year, metric }: ChangedCell) => [year, metric].filter((part) => part !== null).join(" · ");

/** A changed cell, or those of a table's row: the subject, old and new values, and a link to the first. */
function ChangeLine({ row, look }: { row: ChangedRow; look: () => void }) {
  const { texts } = usePane();
  const { ofChanges } = texts;
  const styles = useLineStyles();
  const looks = useLook();
  const [first, ...others] = row as [ChangedCell, ...ChangedCell[]];
  const isOne = others.length === 0;
  const item = isOne ? toItem(first) : "";
  const kind = others.every((other) => other.kind === first.kind) ? first.kind : "changed";
  const ratio = isOne && first.ratio !== null && toShownRatio(first.ratio, texts);
  return (
    <div className={mergeClasses(styles.line, looks.small)}>
      <Where cell={first} look={look} />
      <Row as="span" gap="XS" isOneLine title={item === "" ? first.what : `${first.what} · ${item}`}>
        <span className={mergeClasses(looks.cut, styles.what)}>{first.what}</span>
        {item !== "" && <span className={mergeClasses(looks.cut, styles.item)}> · {item}</span>}
      </Row>
      <span className={mergeClasses(styles.fate, looks[FATES[kind]])}>
        {kind === "changed" ? ratio : ofChanges.kinds[kind]}
      </span>
      <Row as="span" gap="M" className={styles.values}>
        {row.map((cell) => (
          <Values key={`${cell.change.column} ${cell.metric}`} cell={cell} isNamed={!isOne} />
        ))}
      </Row>
    </div>
  );
}

/** A cell's old and new value. @param isNamed whether with its column, and without what a new or lost cell has not */
function Values({ cell, isNamed }: { cell: ChangedCell; isNamed: boolean }) {
  const { session, texts } = usePane();
  const looks = useLook();
  const { change, kind } = cell;
  const show = (value: unknown) => toShownValue(value, change.format, texts, session.settings.dateSystem);
  return (
    <Row as="span" gap="XS">
      {isNamed && <span className={looks.second}>{toItem(cell)}</span>}
      {(!isNamed || kind !== "appeared") && <span className={looks.muted}>{show(change.before)}</span>}
      {(!isNamed || kind === "changed") && (
        <>
          <span aria-hidden className={looks.muted}>
            →
          </span>
          <span className={looks.unseen}>{texts.ofChanges.to}</span>
        </>
      )}
      {(!isNamed || kind !== "vanished") && <span className={looks.strong}>{show(change.after)}</span>}
    </Row>
  );
}

/** Links to the cell, or to the table of a row that is gone. */
function Where({ cell, look }: { cell: ChangedCell; look: () => void }) {
  const { ofActivity, ofChanges } = usePane().texts;
  const styles = useLineStyles();
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

const NONE: ChangedCells = { sheets: [], count: 0, kinds: { changed: 0, appeared: 0, vanished: 0 } };

/** The changed cells of the workbook, null until their places are known; `look` finds those again. */
function useChangedCells(changes: ChangesSnapshot): { cells: ChangedCells | null; look: () => void } {
  const { session, texts } = usePane();
  const { list, isRunning, sinceMs } = changes;
  const { anchors, look } = useAnchors(sinceMs, !isRunning && list.length > 0);
  const listCells = useCallback(
    () => toChangedCells(list, anchors ?? new Map(), createNames(session, texts)),
    [list, anchors, session, texts],
  );
  const cells = useSlices(anchors === null ? null : listCells);
  return { cells: list.length === 0 ? NONE : cells, look };
}

/** The cells that hold the live formulas; read once per refresh, since values still arrive for a while after it. */
function useAnchors(sinceMs: number | null, isWanted: boolean): { anchors: FormulaCells | null; look: () => void } {
  const { session, workbook } = usePane();
  const [found, setFound] = useState<{ sinceMs: number | null; anchors: FormulaCells } | null>(null);
  const [looks, setLooks] = useState(0);
  const look = useCallback(() => setLooks((before) => before + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look reads anew
  useEffect(() => {
    if (!isWanted) return;
    let isLatest = true;
    void findFormulaCells(workbook, session.calls.list()).then((anchors) => isLatest && setFound({ sinceMs, anchors }));
    return () => {
      isLatest = false;
    };
  }, [session, workbook, sinceMs, isWanted, looks]);
  return { anchors: found !== null && found.sinceMs === sinceMs ? found.anchors : null, look };
}

/**
 * The result of work in slices: null before the first, and the former one until the next is there.
 *
 * @param begin begins the work; another function begins it anew, and null forgets the result
 */
function useSlices<Result>(begin: (() => Steps<Result>) | null): Result | null {
  const [state, setState] = useState<{ result: Result } | null>(null);
  useEffect(() => {
    if (begin === null) setState(null);
    else return runInSlices(begin(), (result) => setState({ result }));
  }, [begin]);
  return begin === null ? null : (state?.result ?? null);
}

import { makeStyles, tokens } from "@fluentui/react-components";
import {
  defaultRangeExtractor,
  measureElement,
  observeElementRect,
  type Range,
  useVirtualizer,
  type Virtualizer,
} from "@tanstack/react-virtual";
import { type FocusEvent, type Key, type ReactNode, type RefObject, useCallback, useRef, useState } from "react";
import { FoldLine } from "./Fold";

const useStyles = makeStyles({
  frame: {
    maxHeight: "60vh",
    overflowX: "hidden",
    overflowY: "auto",
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "-2px" },
  },
  list: { position: "relative", listStyleType: "none", margin: 0, padding: 0 },
  row: { position: "absolute", top: 0, left: 0, width: "100%" },
});

interface LongListProps<Item> {
  /** What it lists, and how many, for screen readers. */
  label: string;
  items: readonly Item[];
  /** Identifies an item where its place may change, always by the same function; default its place. */
  toKey?: (item: Item) => Key;
  /** Height of a usual row, in pixels; a row has its own once it is drawn. */
  rowHeight: number;
  /** Where the list was scrolled to, where that outlives it. */
  scroll?: RefObject<number>;
  children: (item: Item) => ReactNode;
}

/** Rows beyond those in sight, so that the next one is there when the keyboard reaches it. */
const OVERSCAN = 5;

/** The height that the list begins with; it then takes that of its frame. */
const FIRST_HEIGHT = 480;

/** A list of which only the rows in sight are in the page, with its own scroll bar; the focused row stays. */
export function LongList<Item>({ label, items, toKey, rowHeight, children, ...kept }: LongListProps<Item>) {
  const styles = useStyles();
  const own = useRef(0);
  const { scroll = own } = kept;
  const frame = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const { measureElement, ...rows } = useRows({ items, toKey, rowHeight, scroll, frame, focused });
  const followFocus = ({ target }: FocusEvent) => {
    const row = target.closest<HTMLElement>("[data-index]");
    setFocused(row === null ? null : Number(row.dataset.index));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
    <div
      ref={frame}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has the focus
      tabIndex={0}
      className={styles.frame}
      onScroll={({ currentTarget }) => {
        scroll.current = currentTarget.scrollTop;
      }}
      onFocus={followFocus}
      onBlur={() => setFocused(null)}
    >
      {/* biome-ignore lint/a11y/noRedundantRoles: without list markers VoiceOver takes it for no list */}
      <ul className={styles.list} role="list" style={{ height: rows.height }}>
        {rows.shown.map(({ index, key, start, item }) => (
          <li
            key={key}
            ref={measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className={styles.row}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}

const useFoldedStyles = makeStyles({
  name: { fontWeight: tokens.fontWeightSemibold, overflowWrap: "anywhere" },
  counts: {
    marginInlineStart: "auto",
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    textAlign: "end",
  },
});

interface FoldedListProps<Item> extends Omit<LongListProps<Item>, "scroll"> {
  name: string;
  /** What its line says beside its name; default nothing. */
  counts?: ReactNode;
  /** Whether it is open until the person folds or unfolds it. */
  isOpen: boolean;
  /** Above the open list; default nothing. */
  hint?: ReactNode;
}

/** A list under a line that folds it, which comes back as it was scrolled. */
export function FoldedList<Item>({ name, counts, isOpen: isOpenFirst, hint, ...list }: FoldedListProps<Item>) {
  const styles = useFoldedStyles();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const scroll = useRef(0);
  const isOpen = chosen ?? isOpenFirst;
  return (
    <div>
      <FoldLine isOpen={isOpen} toggle={() => setChosen(!isOpen)}>
        <span className={styles.name}>{name}</span> <span className={styles.counts}>{counts}</span>
      </FoldLine>
      {isOpen && hint}
      {isOpen && <LongList {...list} scroll={scroll} />}
    </div>
  );
}

interface RowsOptions<Item> extends Pick<LongListProps<Item>, "items" | "toKey" | "rowHeight"> {
  scroll: RefObject<number>;
  frame: RefObject<HTMLDivElement | null>;
  /** Place of the row with the focus; null without one. */
  focused: number | null;
}

function useRows<Item>({ items, toKey, rowHeight, scroll, frame, focused }: RowsOptions<Item>) {
  const getItemKey = useCallback((index: number) => toItemKey(items, toKey, index), [items, toKey]);
  const list = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: items.length,
    getScrollElement: () => frame.current,
    getItemKey, // a new function would read all keys anew
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    initialOffset: () => scroll.current,
    initialRect: { width: 0, height: FIRST_HEIGHT },
    observeElementRect: observeVisibleRect,
    measureElement: measureVisible,
    rangeExtractor: (range) => withFocused(range, focused),
  });
  list.shouldAdjustScrollPositionOnItemSizeChange = mayAdjust;
  const shown = list.getVirtualItems().flatMap(({ index, key, start }) => {
    const item = items[index];
    return item === undefined ? [] : [{ index, key, start, item }];
  });
  return { shown, height: list.getTotalSize(), measureElement: list.measureElement };
}

function toItemKey<Item>(items: readonly Item[], toKey: LongListProps<Item>["toKey"], index: number): Key {
  const item = items[index];
  return item === undefined || toKey === undefined ? index : toKey(item);
}

type List = Virtualizer<HTMLDivElement, HTMLLIElement>;

/** A scroll position that is set while a key moves the list would end the movement halfway. */
const mayAdjust: List["shouldAdjustScrollPositionOnItemSizeChange"] = ({ start }, _, { isScrolling, scrollOffset }) =>
  !isScrolling && start < (scrollOffset ?? 0);

/** A hidden part has no height: its rows stay as they are until it shows again. */
const observeVisibleRect: typeof observeElementRect = (list, receive) =>
  observeElementRect(list, (rect) => rect.height > 0 && receive(rect));

function measureVisible(row: HTMLLIElement, entry: ResizeObserverEntry | undefined, list: List) {
  const index = list.indexFromElement(row);
  return measureElement(row, entry, list) || (list.measurementsCache[index]?.size ?? list.options.estimateSize(index));
}

function withFocused(range: Range, focused: number | null): number[] {
  const places = defaultRangeExtractor(range);
  if (focused === null || focused >= range.count || places.includes(focused)) return places;
  return [...places, focused].sort((one, other) => one - other);
}

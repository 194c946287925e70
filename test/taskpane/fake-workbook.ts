import type {
  Block,
  CellContent,
  CellState,
  CellSwap,
  CellValue,
  DefinedName,
  FeedCell,
  Place,
  SheetContents,
  SheetPlan,
  SheetValues,
  Workbook,
  WorkbookFault,
} from "../../src/contract/workbook";
import { createFeedFormulaReader } from "../../src/taskpane/feed-formulas";

/** A workbook without calculation, whose cells hold the written values and formulas. */
export interface FakeWorkbook extends Workbook {
  /** Contents by address, such as "Sheet1!B3". */
  readonly cells: Map<string, CellContent>;
  readonly sheets: SheetPlan[];
  /** Widths that were wanted of columns, by the cell from which on. */
  readonly widths: Map<string, readonly number[]>;
  /** Hidden rows of all sheets, counted from 0. */
  readonly hiddenRows: Set<number>;
  /** Names that formulas may use. */
  readonly defined: DefinedName[];
  /** Selects a cell, as a person would. */
  select(place: Place): void;
  /** Renames a sheet. */
  rename(from: string, to: string): void;
  /** Reports an edit. */
  edit(): void;
  /** Refuses everything from now on; null ends that. */
  refuse(fault: WorkbookFault | null): void;
}

/** @param feedCells the cells with FEED formulas */
export function createFakeWorkbook(feedCells: readonly FeedCell[] = []): FakeWorkbook {
  const cells = new Map<string, CellContent>();
  const sheets: SheetPlan[] = [];
  const widths = new Map<string, readonly number[]>();
  const hiddenRows = new Set<number>();
  const defined: DefinedName[] = [];
  const listeners = new Set<() => void>();
  let selected: Place = { sheet: "Sheet1", address: "A1" };
  const editListeners = new Set<() => void>();
  const names = new Map<string, string>(); // by the first name, which is the id here
  let refused: WorkbookFault | null = null;
  const act = async <T>(work: () => T): Promise<T> => {
    if (refused !== null) throw toError(refused, selected);
    return work();
  };
  const formulaAt = (place: Place) => {
    const content = cells.get(toKey(place));
    return typeof content === "object" && content !== null ? content.formula : "";
  };
  return {
    cells,
    sheets,
    widths,
    hiddenRows,
    defined,
    select(place) {
      selected = place;
      for (const listener of listeners) listener();
    },
    rename(from, to) {
      names.set(from, to);
    },
    edit() {
      for (const listener of editListeners) listener();
    },
    refuse(fault) {
      refused = fault;
    },
    readSelection: () => act(() => ({ ...selected, cell: selected.address, formula: formulaAt(selected) })),
    readFeedCell: () =>
      act(() => {
        const formula = formulaAt(selected);
        const feed = createFeedFormulaReader(defined)(formula, selected.sheet);
        return feed && { ...selected, ...feed, value: toValue(cells, toKey(selected)) };
      }),
    onSelection(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    readValues: (reference) => act(() => listAddresses(reference).map((row) => row.map((key) => toValue(cells, key)))),
    readSheets: (names) =>
      act(() => names.flatMap((sheet) => listUsed(cells, sheet).map((rows) => toSheet(cells, sheet, rows)))),
    listHiddenRows: ({ address }) =>
      act(() => {
        const [first = "", last = first] = address.split(":");
        const [from, to] = [readAddress(first).row - 1, readAddress(last).row - 1];
        return [...hiddenRows].filter((row) => row >= from && row <= to);
      }),
    readContents: () =>
      act(() => {
        const names = new Set([...cells.keys()].map((key) => key.slice(0, key.indexOf("!"))));
        const toFormula = ({ formula }: CellState) => formula || null;
        const sheets = [...names].flatMap((sheet) =>
          listUsed(cells, sheet).map((rows): SheetContents => {
            const formulas = rows.map((row) => row.map((key) => toFormula(toState(cells, key))));
            return { ...toSheet(cells, sheet, rows), id: sheet, formulas };
          }),
        );
        return { sheets, names: [], tables: [] };
      }),
    listSpilled: async () => [],
    readCells: (reference) => act(() => listAddresses(reference).map((row) => row.map((key) => toState(cells, key)))),
    swap: (sheet, swaps) => act(() => swaps.map((each) => swapCell(cells, `${sheet}!${each.address}`, each))),
    write: (block) =>
      act(() => {
        const from = write(cells, block, selected);
        if (block.widths !== undefined) widths.set(toKey(from), block.widths);
        return from;
      }),
    addRules: async () => async () => {},
    addSheet: (plan) =>
      act(() => {
        sheets.push(plan);
        for (const { at, content } of plan.cells) cells.set(`${plan.name}!${at}`, content);
        return plan.name;
      }),
    show: (place) =>
      act(() => {
        selected = place;
      }),
    listSheets: () =>
      act(() => {
        const ids = new Set([...feedCells.map(({ sheet }) => sheet), ...sheets.map(({ name }) => name)]);
        return [...ids].map((id) => ({ id, name: names.get(id) ?? id }));
      }),
    onEdit(listener) {
      editListeners.add(listener);
      return () => void editListeners.delete(listener);
    },
    listFeedCells: () => act(() => feedCells.map((cell) => ({ ...cell, sheet: names.get(cell.sheet) ?? cell.sheet }))),
    freeze: () => act(() => ({ formulas: feedCells.length, left: [] })),
    listFrozen: () => act(() => []),
    thaw: () => act(() => ({ formulas: 0, left: [], gone: 0 })),
    copyValues: () => act(() => ({ left: [], changed: [] })),
    repair: () => act(() => ({ formulas: feedCells.length, refused: [] })),
    isManual: async () => false,
    deliver: (push) => push(),
    readDateSystem: async () => 1900,
  };
}

function write(cells: Map<string, CellContent>, { at, cells: rows, isReplacing = false }: Block, selected: Place) {
  const from = at ?? selected;
  const placed = rows.flatMap((row, r) => row.map((content, c) => [toKey(move(from, r, c)), content] as const));
  const written = placed.filter(([, content]) => content !== null);
  if (!isReplacing && written.some(([key]) => cells.has(key))) throw toError("occupied", from);
  for (const [key, content] of written) cells.set(key, content);
  return from;
}

const toError = (fault: WorkbookFault, place: Place) => Object.assign(new Error("paper"), { fault, place });

const toKey = ({ sheet, address }: Place) => `${sheet}!${address}`;

function move({ sheet, address }: Place, rows: number, columns: number): Place {
  const { column, row } = readAddress(address);
  return { sheet, address: `${String.fromCharCode(65 + column + columns)}${row + rows}` };
}

function readAddress(address: string): { column: number; row: number } {
  const [, letter = "A", digits = "1"] = /^([A-Z])(\d+)/.exec(address) ?? [];
  return { column: letter.charCodeAt(0) - 65, row: Number(digits) };
}

function listAddresses(reference: string): string[][] {
  const [area = "", sheet = "Sheet1"] = reference.split("!").reverse();
  const [from = "A1", to = from] = area.split(":");
  const [first, last] = [readAddress(from), readAddress(to)];
  return Array.from({ length: last.row - first.row + 1 }, (_, r) =>
    Array.from({ length: last.column - first.column + 1 }, (_, c) => toKey(move({ sheet, address: from }, r, c))),
  );
}

function toState(cells: Map<string, CellContent>, key: string): CellState {
  const content = cells.get(key) ?? null;
  if (typeof content !== "object" || content === null) return { value: content, formula: "", format: "" };
  return { value: content.formula, formula: content.formula, format: content.format ?? "" };
}

function swapCell(cells: Map<string, CellContent>, key: string, { before, after }: CellSwap): boolean {
  const present = toState(cells, key);
  if (present.formula !== before.formula || (before.formula === "" && present.value !== before.value)) return false;
  cells.set(key, after.formula === "" ? after.value : { formula: after.formula });
  return true;
}

const toValue = (cells: Map<string, CellContent>, key: string): CellValue => toState(cells, key).value;

const toSheet = (cells: Map<string, CellContent>, sheet: string, rows: string[][]): SheetValues => {
  return { sheet, row: 0, column: 0, values: rows.map((row) => row.map((key) => toValue(cells, key))) };
};

/** The keys of a sheet's used cells, from A1 on; nothing where none is used. */
function listUsed(cells: Map<string, CellContent>, sheet: string): string[][][] {
  const placed = [...cells.keys()]
    .filter((key) => key.startsWith(`${sheet}!`))
    .map((key) => readAddress(key.slice(sheet.length + 1)));
  if (placed.length === 0) return [];
  const row = Math.max(...placed.map((each) => each.row));
  const column = Math.max(...placed.map((each) => each.column));
  return [listAddresses(`${sheet}!A1:${String.fromCharCode(65 + column)}${row}`)];
}

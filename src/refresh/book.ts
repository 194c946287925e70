import { parseA1Ref, parseStructRef } from "@borgar/fx";
import { COLUMNS, ROWS } from "../xlsx/addresses";
import type { FunctionNames } from "../xlsx/names";
import type { XlsxWorkbook } from "../xlsx/workbook";

/** Cells of one sheet; all four sides are inside, and count from 0. */
export interface Area {
  /** The sheet's place in the workbook. */
  readonly sheet: number;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface Place {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

/** A formula, or a part of it, that cannot be read here with certainty. */
export class Unreadable extends Error {}

/** A call of the add-in that has no such function, or takes no such arguments; its message says so. */
export class CallRefused extends Unreadable {}

export const isOneCell = ({ top, left, bottom, right }: Area): boolean => top === bottom && left === right;

interface KnownTable {
  area: Area;
  columns: readonly string[];
  hasHeaders: boolean;
  hasTotals: boolean;
}

/** What references of a workbook's formulas mean. Sheets, names and tables ignore letter case. */
export class Book {
  readonly isDate1904: boolean;
  readonly sheets: readonly string[];
  readonly #sheets: ReadonlyMap<string, number>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #tables: ReadonlyMap<string, KnownTable>;
  readonly #areas = new Map<string, ReturnType<typeof parseA1Ref>>();
  readonly functions: FunctionNames;
  /** Of the add-in's functions, such as "FEED". */
  readonly namespace: string;

  constructor(workbook: XlsxWorkbook, functions: FunctionNames, namespace: string) {
    const { isDate1904, sheets, names, tables } = workbook;
    this.isDate1904 = isDate1904;
    this.functions = functions;
    this.namespace = namespace;
    this.sheets = sheets.map(({ name }) => name);
    this.#sheets = new Map(sheets.map(({ name }, index) => [name.toLowerCase(), index]));
    this.#names = new Map(names.map(({ name, sheet, formula }) => [toNameKey(name, sheet), formula]));
    this.#tables = new Map(
      tables.flatMap(({ name, sheet, reference, ...table }) => {
        const range = parseA1Ref(reference);
        if (range === undefined || !("range" in range)) return [];
        return [[name.toLowerCase(), { ...table, area: { sheet: this.#findSheet(sheet), ...toSides(range.range) } }]];
      }),
    );
  }

  /**
   * The cells of a reference such as A1, Data!$B:$D or 'a b'!$1:$3.
   *
   * @param isFixed whether a reference that moves with its cell is refused, as in a name
   */
  readArea(written: string, place: Place, isFixed = false): Area {
    const known = this.#areas.get(written);
    const parsed = known ?? parseA1Ref(written);
    if (known === undefined) this.#areas.set(written, parsed);
    if (parsed === undefined || !("range" in parsed) || parsed.range.trim !== undefined) throw new Unreadable(written);
    const { context = [], range } = parsed;
    if (context.length > 1 || written.startsWith("[")) throw new Unreadable(written);
    const isMoving =
      (range.top !== null && !(range.$top && range.$bottom)) || (range.left !== null && !(range.$left && range.$right));
    if (isFixed && isMoving) throw new Unreadable(written);
    return { sheet: context[0] === undefined ? place.sheet : this.#findSheet(context[0]), ...toSides(range) };
  }

  /** The formula of a name, without "="; undefined where there is no such name. */
  findName(written: string, place: Place): string | undefined {
    const parsed = parseA1Ref(written);
    if (parsed === undefined || !("name" in parsed)) return undefined;
    const [sheet = this.sheets[place.sheet] ?? ""] = parsed.context ?? [];
    return this.#names.get(toNameKey(parsed.name, sheet)) ?? this.#names.get(toNameKey(parsed.name, null));
  }

  isTable(name: string): boolean {
    return this.#tables.has(name.toLowerCase());
  }

  /** The cells of a reference such as Table1[Sales] or [@Sales]. */
  readTable(written: string, place: Place): Area {
    const parsed = parseStructRef(written) ?? { table: written, columns: [], sections: [], context: [] };
    const { table: name = "", columns = [], sections = [], context = [] } = parsed;
    const table = name === "" ? this.#findTableAround(place) : this.#tables.get(name.toLowerCase());
    if (table === undefined || context.length > 0) throw new Unreadable(written);
    const lower = table.columns.map((column) => column.toLowerCase());
    const [first = 0, last = columns.length === 0 ? lower.length - 1 : first] = columns.map((column) =>
      lower.indexOf(column.toLowerCase()),
    );
    if (first < 0 || last < first) throw new Unreadable(written);
    const { sheet, left } = table.area;
    return { sheet, left: left + first, right: left + last, ...toRows(table, sections, place) };
  }

  #findTableAround({ sheet, row, column }: Place): KnownTable | undefined {
    return [...this.#tables.values()].find(
      ({ area }) =>
        area.sheet === sheet && area.top <= row && row <= area.bottom && area.left <= column && column <= area.right,
    );
  }

  #findSheet(name: string): number {
    const sheet = this.#sheets.get(name.toLowerCase());
    if (sheet === undefined) throw new Unreadable(name);
    return sheet;
  }
}

const toNameKey = (name: string, sheet: string | null) => `${sheet ?? ""}!${name}`.toLowerCase();

type Sides = Partial<Record<"top" | "left" | "bottom" | "right", number | null | undefined>>;

const toSides = ({ top, left, bottom, right }: Sides) => ({
  top: top ?? 0,
  left: left ?? 0,
  bottom: bottom ?? ROWS - 1,
  right: right ?? COLUMNS - 1,
});

/** The rows of a table's sections; its data where none is named. */
function toRows({ area, hasHeaders, hasTotals }: KnownTable, sections: readonly string[], place: Place) {
  const data = { top: area.top + Number(hasHeaders), bottom: area.bottom - Number(hasTotals) };
  const parts = (sections.length === 0 ? ["data"] : sections).map((section) => {
    switch (section) {
      case "data":
        return data;
      case "all":
        return area;
      case "this row":
        return place.sheet === area.sheet && place.row >= data.top && place.row <= data.bottom
          ? { top: place.row, bottom: place.row }
          : null;
      case "headers":
        return hasHeaders ? { top: area.top, bottom: area.top } : null;
      case "totals":
        return hasTotals ? { top: area.bottom, bottom: area.bottom } : null;
      default:
        return null;
    }
  });
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length) throw new Unreadable(sections.join());
  return { top: Math.min(...known.map(({ top }) => top)), bottom: Math.max(...known.map(({ bottom }) => bottom)) };
}

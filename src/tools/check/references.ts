import type { NamedTable } from "../../contract/workbook";
import { readArea } from "../../taskpane/addresses";
import { type CellKey, columnOf, rowOf, type SheetBlock, sheetOf } from "./cell-keys";
import { parseExpression, readReference, readStructured, type Tree, type WrittenArea } from "./grammar";
import type { CheckedModel } from "./model";

/** Cells, or the expression that a name stands for. */
export type Target = { kind: "block"; block: SheetBlock } | { kind: "expression"; tree: Tree; name: string };

/** Follows references of formulas to cells: ranges, names, tables, and spills. */
export class References {
  readonly #names: ReadonlyMap<string, string>;
  readonly #tables: ReadonlyMap<string, NamedTable>;
  readonly #expressions = new Map<string, Tree>();

  constructor(private readonly model: CheckedModel) {
    const { names, tables } = model.input;
    this.#names = new Map(names.map(({ name, sheet, formula }) => [toNameKey(name, sheet), formula]));
    this.#tables = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  }

  /** Where a reference of a cell's formula leads; null where that is not known. */
  find(written: string, kind: string, from: CellKey): Target | null {
    if (kind === "table") return toBlock(this.#findColumns(written, from));
    const reference = readReference(written);
    if (reference.kind === "area") return toBlock(this.#toBlock(reference.area, sheetOf(from)));
    if (reference.kind === "other") return null;
    return this.#findName(reference.name, reference.sheet, from);
  }

  /** The block that a spill operator means behind a cell: the cell alone where its table is not known. */
  findSpill(block: SheetBlock): SheetBlock {
    const [anchor] = this.model.listCells(block);
    const [rows, columns] = (anchor === undefined ? null : this.model.facts.get(anchor)?.spill) ?? [1, 1];
    return { ...block, bottom: block.top + rows - 1, right: block.left + columns - 1 };
  }

  #findName(name: string, sheet: string | null, from: CellKey): Target | null {
    const own = this.model.input.sheets[sheetOf(from)]?.sheet ?? "";
    const key = [toNameKey(name, sheet ?? own), toNameKey(name, null)].find((each) => this.#names.has(each));
    if (key === undefined) {
      const table = this.#tables.get(name.toLowerCase());
      return table === undefined ? null : toBlock(this.#toBody(table));
    }
    const formula = this.#names.get(key) ?? "";
    const tree = this.#expressions.get(key) ?? parseExpression(formula);
    this.#expressions.set(key, tree);
    return { kind: "expression", tree, name: key };
  }

  #toBlock({ sheet, top, bottom, left, right }: WrittenArea, own: number): SheetBlock | null {
    const index = sheet === null ? own : this.model.findSheet(sheet);
    if (index === null) return null;
    const used = this.model.usedOf(index);
    return {
      sheet: index,
      top: top ?? used.top,
      bottom: bottom ?? used.bottom,
      left: left ?? used.left,
      right: right ?? used.right,
    };
  }

  #findColumns(written: string, from: CellKey): SheetBlock | null {
    const reference = readStructured(written);
    if (reference === null) return null;
    const table = reference.table === "" ? this.#findAround(from) : this.#tables.get(reference.table.toLowerCase());
    if (table === undefined) return null;
    const body = this.#toBody(table);
    const [first, last = first] = reference.columns.map((name) =>
      table.columns.findIndex((column) => column.toLowerCase() === name.toLowerCase()),
    );
    if (body === null || first === -1 || last === -1) return null;
    const across = {
      left: body.left + (first ?? 0),
      right: first === undefined ? body.right : body.left + (last ?? 0),
    };
    if (reference.sections.includes("this row")) return { ...body, ...across, top: rowOf(from), bottom: rowOf(from) };
    return reference.sections.some((section) => section !== "data") ? null : { ...body, ...across };
  }

  #findAround(key: CellKey): NamedTable | undefined {
    return [...this.#tables.values()].find((table) => {
      const { row, column, rows, columns } = readArea(table.address);
      return (
        this.model.findSheet(table.sheet) === sheetOf(key) &&
        rowOf(key) >= row &&
        rowOf(key) < row + rows &&
        columnOf(key) >= column &&
        columnOf(key) < column + columns
      );
    });
  }

  /** A table without its headers and totals. */
  #toBody({ sheet, address, hasHeaders, hasTotals }: NamedTable): SheetBlock | null {
    const index = this.model.findSheet(sheet);
    if (index === null) return null;
    const { row, column, rows, columns } = readArea(address);
    return {
      sheet: index,
      top: row + Number(hasHeaders),
      bottom: row + rows - 1 - Number(hasTotals),
      left: column,
      right: column + columns - 1,
    };
  }
}

const toBlock = (block: SheetBlock | null): Target | null => block && { kind: "block", block };

const toNameKey = (name: string, sheet: string | null) => `${(sheet ?? "").toLowerCase()}!${name.toLowerCase()}`;

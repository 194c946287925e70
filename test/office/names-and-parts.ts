import { readBlock, showBlock, showSheet, splitReference } from "./addresses";
import { HostError } from "./errors";
import { findRange } from "./ranges";
import type { HostObject } from "./requests";
import type { ExcelWorkbook } from "./workbook";

/** The names of a sheet, which begin with its own: "Model!Rate". */
export const createOwnNames = (book: ExcelWorkbook, sheet: string): HostObject => ({
  items: () => [...book.names.keys()].filter((key) => key.startsWith(`${sheet}!`)).map((key) => createName(book, key)),
});

export function createNames(book: ExcelWorkbook): HostObject {
  return {
    items: () => [...book.names.keys()].filter((key) => !key.includes("!")).map((name) => createName(book, name)),
    open: {
      Add: (name: string, reference: string) => {
        const { sheet, block } = readReference(book, reference);
        if (!/^[\p{L}_][\p{L}\p{N}_.]{0,254}$/u.test(name)) throw new HostError("InvalidArgument");
        if (book.names.has(name)) throw new HostError("ItemAlreadyExists");
        book.names.set(name, { sheet, block, isVisible: true });
        return createName(book, name);
      },
      "": (name: string) => createName(book, name),
      GetItemOrNullObject: (name: string) => (book.names.has(name) ? createName(book, name) : null),
    },
  };
}

/** Requires dollar signs: without them, a reference would be relative to the active cell. */
function readReference(book: ExcelWorkbook, reference: string) {
  const { sheet, address } = splitReference(reference.slice(1));
  const block = readBlock(address);
  const isFixed = /^=.*!\$[A-Z]+\$\d+(?::\$[A-Z]+\$\d+)?$/.test(reference);
  if (!isFixed || sheet === null || block === null) throw new HostError("InvalidArgument");
  return { sheet: book.sheet(sheet), block };
}

function createName(book: ExcelWorkbook, name: string): HostObject {
  const find = () => {
    const found = book.names.get(name);
    if (found === undefined) throw new HostError("ItemNotFound");
    return found;
  };
  return {
    id: name,
    read: {
      Name: () => name.slice(name.indexOf("!") + 1),
      Visible: () => find().isVisible,
      Formula: () => {
        const { sheet, block, formula } = find();
        return (
          formula ??
          `=${showSheet(sheet.name)}!${block === null ? "#REF!" : showBlock(block).replace(/[A-Z]+|\d+/g, "$$$&")}`
        );
      },
    },
    write: {
      Visible: (isVisible: boolean) => {
        find().isVisible = isVisible;
      },
      Formula: (formula: string) => {
        find().formula = formula;
      },
    },
    call: { Delete: () => void book.names.delete(name) },
  };
}

export function createXmlParts(book: ExcelWorkbook): HostObject {
  const find = (id: string) => {
    if (!book.xmlParts.has(id)) throw new HostError("ItemNotFound");
    return createXmlPart(book, id);
  };
  const ofNamespace = (uri: string): HostObject => ({
    items: () =>
      [...book.xmlParts].filter(([, xml]) => xml.includes(`xmlns="${uri}"`)).map(([id]) => createXmlPart(book, id)),
    open: { "": find },
  });
  return {
    open: {
      Add: (xml: string) => {
        const id = `{part-${book.xmlParts.size + 1}-${book.requests}}`;
        book.xmlParts.set(id, xml);
        return createXmlPart(book, id);
      },
      GetItem: find,
      "": find,
      GetByNamespace: ofNamespace,
    },
  };
}

function createXmlPart(book: ExcelWorkbook, id: string): HostObject {
  return {
    id,
    read: { Id: () => id },
    call: {
      GetXml: () => book.xmlParts.get(id),
      SetXml: (xml: string) => void book.xmlParts.set(id, xml),
      Delete: () => void book.xmlParts.delete(id),
    },
  };
}

export const createTables = (book: ExcelWorkbook): HostObject => ({
  items: () => book.tables.map((table) => createTable(book, table)),
  open: {
    "": (name: string) =>
      createTable(
        book,
        book.tables.find((table) => table.name === name),
      ),
  },
});

function createTable(book: ExcelWorkbook, table: ExcelWorkbook["tables"][number] | undefined): HostObject {
  if (table === undefined) throw new HostError("ItemNotFound");
  const { name, sheet, address, columns, hasTotals = false } = table;
  return {
    id: name,
    read: { Name: () => name, ShowHeaders: () => true, ShowTotals: () => hasTotals },
    open: {
      GetRange: () => findRange(book, book.sheet(sheet), address),
      Columns: () => ({
        items: () => columns.map((column, index) => ({ id: String(index + 1), read: { Name: () => column } })),
      }),
    },
  };
}

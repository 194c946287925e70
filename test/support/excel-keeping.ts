import { HostError } from "./excel-errors";
import { createRange, type RangeObject } from "./excel-ranges";
import type { HostObject } from "./excel-requests";
import type { ExcelWorkbook } from "./excel-workbook";

/** The names of the workbook. */
export function createNames(book: ExcelWorkbook): HostObject {
  return {
    open: {
      Add: (name: string, { sheet, block }: RangeObject) => {
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

function createName(book: ExcelWorkbook, name: string): HostObject {
  const find = () => {
    const found = book.names.get(name);
    if (found === undefined) throw new HostError("ItemNotFound");
    return found;
  };
  return {
    id: name,
    read: { Name: () => name, Visible: () => find().isVisible },
    write: {
      Visible: (isVisible: boolean) => {
        find().isVisible = isVisible;
      },
    },
    open: {
      GetRangeOrNullObject: () => {
        const { sheet, block } = find();
        return block === null ? null : createRange(book, sheet, block);
      },
    },
    call: { Delete: () => void book.names.delete(name) },
  };
}

/** What add-ins keep in the file. */
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

import { type Package, XlsxRefused } from "./package";
import { type Relationship, readPart, readRelated, readRelationships } from "./relationships";
import { isOn, readXml, StringText, toText } from "./xml";

export interface XlsxWorkbook {
  readonly isDate1904: boolean;
  /** The sheets of cells, in their order. */
  readonly sheets: readonly XlsxSheet[];
  readonly names: readonly XlsxName[];
  readonly tables: readonly XlsxTable[];
  /** Whether somebody has signed the file, which ends with any change. */
  readonly isSigned: boolean;
  /** Of the workbook's part. */
  readonly path: string;
  /** The texts that its cells share. */
  readonly strings: readonly string[];
  /** Which of its cells' metadata, counted from 1, say that a formula is a dynamic array. */
  readonly dynamicArrays: ReadonlySet<number>;
}

export interface XlsxSheet {
  readonly name: string;
  /** Of its part. */
  readonly path: string;
}

export interface XlsxName {
  readonly name: string;
  /** The sheet in which it holds; null for the whole workbook. */
  readonly sheet: string | null;
  /** As it is stored, without "=". */
  readonly formula: string;
}

export interface XlsxTable {
  readonly name: string;
  readonly sheet: string;
  /** Such as "A1:C9", with headers and totals. */
  readonly reference: string;
  readonly columns: readonly string[];
  readonly hasHeaders: boolean;
  readonly hasTotals: boolean;
}

/**
 * Reads what a workbook consists of, by its relationships, whatever its parts are called.
 *
 * @throws XlsxRefused for a package that is no workbook
 */
export function readWorkbook(pack: Package): XlsxWorkbook {
  readPart(pack, "[Content_Types].xml");
  const ofPackage = readRelationships(pack, "");
  const path = ofPackage.find(({ kind }) => kind === "officeDocument")?.path;
  if (path === undefined) throw new XlsxRefused("damaged");
  const related = readRelationships(pack, path);
  const { isDate1904, sheets, names } = readParts(readPart(pack, path), related);
  const ofCells = sheets.flatMap(({ name, path, kind }) => (kind === "worksheet" && path ? [{ name, path }] : []));
  if (ofCells.length === 0) throw new XlsxRefused("damaged");
  return {
    ...{ isDate1904, path, names, sheets: ofCells },
    tables: ofCells.flatMap((sheet) => readTables(pack, sheet)),
    isSigned: ofPackage.some(({ kind }) => kind === "origin"),
    strings: readStrings(readRelated(pack, related, "sharedStrings")),
    dynamicArrays: readDynamicArrays(readRelated(pack, related, "sheetMetadata")),
  };
}

interface AnySheet {
  readonly name: string;
  /** What it is, such as "worksheet" or "chartsheet"; neither is known where the file does not have it. */
  readonly kind: string | undefined;
  readonly path: string | undefined;
}

function readParts(text: string, related: readonly Relationship[]) {
  let isDate1904 = false;
  const sheets: AnySheet[] = [];
  const found: { name: string; local: string | undefined; formula: string }[] = [];
  let isWorkbook = false;
  readXml(text, {
    open(tag, path) {
      const place = [...path, tag.name].join("/");
      if (place === "workbook") isWorkbook = true;
      else if (place === "workbook/workbookPr") isDate1904 = isOn(tag.get("date1904"));
      else if (place === "workbook/sheets/sheet") {
        const { kind, path } = related.find(({ id }) => id === tag.relation) ?? {};
        sheets.push({ name: toText(tag.get("name") ?? ""), kind, path });
      } else if (place === "workbook/definedNames/definedName")
        found.push({ name: toText(tag.get("name") ?? ""), local: tag.get("localSheetId"), formula: "" });
    },
    text(text) {
      const last = found.at(-1);
      if (last) last.formula += text;
    },
  });
  if (!isWorkbook) throw new XlsxRefused("damaged");
  const names = found.map(({ name, local, formula }) => {
    const sheet = local === undefined ? null : (sheets[Number(local)]?.name ?? null);
    return { name, sheet, formula: formula.trim() };
  });
  return { isDate1904, sheets, names };
}

function readStrings(xml: string | undefined): string[] {
  const strings: string[] = [];
  if (xml === undefined) return strings;
  const text = new StringText();
  readXml(xml, {
    open: (tag, path) => text.open(tag, path),
    text: (each) => text.take(each),
    close(name, _, path) {
      text.close();
      if (name === "si" && path.length === 1) strings.push(text.finish());
    },
  });
  return strings;
}

function readTables(pack: Package, sheet: XlsxSheet): XlsxTable[] {
  const paths = readRelationships(pack, sheet.path).filter(({ kind }) => kind === "table");
  return paths.flatMap(({ path }) => {
    const tables: XlsxTable[] = [];
    const columns: string[] = [];
    readXml(readPart(pack, path), {
      open(tag, around) {
        if (tag.name === "tableColumn" && around.length === 2) columns.push(toText(tag.get("name") ?? ""));
        if (tag.name !== "table" || around.length > 0) return;
        tables.push({
          name: toText(tag.get("displayName") ?? tag.get("name") ?? ""),
          sheet: sheet.name,
          reference: tag.get("ref") ?? "",
          columns,
          hasHeaders: Number(tag.get("headerRowCount") ?? 1) > 0,
          hasTotals: Number(tag.get("totalsRowCount") ?? 0) > 0,
        });
      },
    });
    return tables;
  });
}

/** What Excel calls the metadata of dynamic arrays. */
const DYNAMIC = "XLDAPR";

function readDynamicArrays(xml: string | undefined): ReadonlySet<number> {
  const types: string[] = [];
  /** Of the future metadata of dynamic arrays: whether each is of one. */
  const dynamic: boolean[] = [];
  const found = new Set<number>();
  let [future, cells] = ["", 0];
  if (xml === undefined) return found;
  readXml(xml, {
    open(tag, path) {
      const parent = path.at(-1);
      if (tag.name === "metadataType") types.push(tag.get("name") ?? "");
      else if (tag.name === "futureMetadata") future = tag.get("name") ?? "";
      else if (tag.name === "bk" && parent === "futureMetadata" && future === DYNAMIC) dynamic.push(false);
      else if (tag.name === ":dynamicArrayProperties" && future === DYNAMIC)
        dynamic[dynamic.length - 1] = isOn(tag.get("fDynamic"));
      else if (tag.name === "bk" && parent === "cellMetadata") cells++;
      else if (tag.name === "rc" && path.at(-2) === "cellMetadata") {
        const isDynamic = types[Number(tag.get("t")) - 1] === DYNAMIC && dynamic[Number(tag.get("v"))];
        if (isDynamic) found.add(cells);
      }
    },
  });
  return found;
}

import { strToU8, zipSync } from "fflate";

export const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
export const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

type Parts = Record<string, string | Uint8Array>;

/** A part of relationships: id, the last word of the type, and the target. */
export const toRelationships = (...all: readonly (readonly [id: string, kind: string, target: string])[]) =>
  `<Relationships xmlns="${PACKAGE}">${all
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`)
    .join("")}</Relationships>`;

/** A sheet's part with these rows. */
export const toSheet = (rows: string, before = "") =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}">${before}<sheetData>${rows}</sheetData></worksheet>`;

/** Shared strings, of which each is the inside of an item. */
export const toStrings = (...items: readonly string[]) =>
  `<sst xmlns="${MAIN}">${items.map((item) => `<si>${item}</si>`).join("")}</sst>`;

/** A workbook of one sheet, "Sheet1", as Excel names its parts. */
export const toParts = (sheet: string, others: Parts = {}): Parts => ({
  "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  "_rels/.rels": toRelationships(["rId1", "officeDocument", "xl/workbook.xml"]),
  "xl/workbook.xml":
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr/><sheets>` +
    '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets><calcPr calcId="191029"/></workbook>',
  "xl/_rels/workbook.xml.rels": toRelationships(
    ["rId1", "worksheet", "worksheets/sheet1.xml"],
    ["rId2", "sharedStrings", "sharedStrings.xml"],
    ["rId3", "sheetMetadata", "metadata.xml"],
  ),
  "xl/worksheets/sheet1.xml": sheet,
  ...others,
});

export const toFile = (parts: Parts): Uint8Array<ArrayBuffer> =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([path, part]) => [path, typeof part === "string" ? strToU8(part) : part]),
    ),
  ) as Uint8Array<ArrayBuffer>;

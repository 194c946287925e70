import { strFromU8, strToU8 } from "fflate";
import { SaxesParser, type SaxesTagNS } from "saxes";
import { type Package, XlsxRefused } from "../../xlsx/package";
import { listRelationships, type Relationship, readPart } from "../../xlsx/relationships";
import type { XlsxSheet, XlsxWorkbook } from "../../xlsx/workbook";
import { encode } from "../../xlsx/xml";

/** A workbook's parts as the engine's reader takes them: XML by path, and images. */
export type Parts = Record<string, string | { imageSrc: string }>;

/** What the engine reads of a workbook, and the types that it knows it by. */
const TYPES: Readonly<Record<string, string>> = {
  officeDocument: "spreadsheetml.sheet.main",
  worksheet: "spreadsheetml.worksheet",
  styles: "spreadsheetml.styles",
  theme: "theme",
  drawing: "drawing",
  chart: "drawingml.chart",
  table: "spreadsheetml.table",
  pivotTable: "spreadsheetml.pivotTable",
  externalLink: "spreadsheetml.externalLink",
};
const IMAGE = /\.(png|jpe?g|gif|webp|bmp)$/i;

/**
 * Writes a workbook's parts in the one form that the engine's reader takes: under names that it expects, without the
 * prefixes that a program may choose, and without what it does not read.
 *
 * @param writeSheet writes a sheet's part, before its prefixes change
 * @throws XlsxRefused for parts that are damaged
 */
export function toEngineParts(pack: Package, workbook: XlsxWorkbook, writeSheet: (sheet: XlsxSheet) => string): Parts {
  const parts: Parts = {};
  const types: string[] = [];
  /** The new names of parts by their paths. */
  const names = new Map<string, string>();
  const sheets = new Map(workbook.sheets.map((sheet) => [sheet.path, sheet]));
  const add = (name: string, kind: string, text: string) => {
    parts[`xl/${name}`] = text;
    const type = `application/vnd.openxmlformats-officedocument.${TYPES[kind]}+xml`;
    types.push(`<Override PartName="/xl/${name}" ContentType="${type}"/>`);
  };
  const write = (path: string, kind: string): string => {
    const [, extension] = IMAGE.exec(path) ?? [];
    const name = names.get(path) ?? (extension ? `media/image${names.size}.${extension}` : `${kind}${names.size}.xml`);
    if (names.has(path)) return name;
    names.set(path, name);
    if (extension) parts[`xl/${name}`] = { imageSrc: toDataUrl(extension, pack.readBytes(path)) };
    else {
      const sheet = sheets.get(path);
      add(name, kind, sheet ? writeSheet(sheet) : respell(readPart(pack, path)));
      const related = listRelationships(pack, path).map(relate).join("");
      parts[`xl/_rels/${name}.rels`] = `<Relationships>${related}</Relationships>`;
    }
    return name;
  };
  const relate = ({ id, kind, path, isExternal }: Relationship) => {
    const isRead =
      isExternal || ((Object.hasOwn(TYPES, kind) || IMAGE.test(path)) && pack.readBytes(path) !== undefined);
    if (!isRead) return "";
    return `<Relationship Id="${encode(id)}" Type="${kind}" Target="${encode(isExternal ? path : write(path, kind))}"/>`;
  };
  for (const { path } of workbook.sheets) write(path, "worksheet"); // the engine orders them by their names
  write(workbook.path, "officeDocument");
  if (!types.join("").includes(TYPES.styles ?? "")) add("styles.xml", "styles", "<styleSheet/>");
  parts["[Content_Types].xml"] = `<Types>${types.join("")}</Types>`;
  return parts;
}

const toDataUrl = (extension: string, content: Uint8Array = new Uint8Array()) =>
  `data:image/${extension.toLowerCase().replace("jpg", "jpeg")};base64,${btoa(strFromU8(content, true))}`;

/** The bytes of an image, which the page's policy lets no script fetch by such an address. */
export function fromDataUrl(address: string): Uint8Array {
  return strToU8(atob(address.slice(address.indexOf(",") + 1)), true);
}

/** The vocabularies that the engine reads, of usual files and of strict ones, and the prefixes that it looks for. */
const VOCABULARY = /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/(.+?)(?:\/2006)?(\/\w+)$/;
const RELATION = "officeDocument/relationships";
const PREFIXES: Readonly<Record<string, string>> = {
  "spreadsheetml/main": "",
  "drawingml/main": "a:",
  "drawingml/chart": "c:",
  "drawingml/spreadsheetDrawing": "xdr:",
  "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main": "x14:",
  "http://schemas.microsoft.com/office/excel/2006/main": "xm:",
};

const toVocabulary = (uri: string) => uri.replace(VOCABULARY, "$1$2");

/** A part under the engine's prefixes; elements of other vocabularies have one that it does not know. */
export function respell(xml: string): string {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const written: string[] = [];
  let depth = 0;
  parser.on("error", () => {
    throw new XlsxRefused("damaged");
  });
  const toName = ({ uri, local }: SaxesTagNS) => (PREFIXES[toVocabulary(uri)] ?? "other:") + local;
  parser.on("opentag", (tag) => {
    const attributes = Object.values(tag.attributes).map(({ uri, local, prefix, value }) => {
      const isOfRelation = toVocabulary(uri) === RELATION;
      if (uri !== "" && !isOfRelation && prefix !== "xml") return "";
      return ` ${isOfRelation ? "r:" : prefix && "xml:"}${local}="${encode(value)}"`;
    });
    if (depth++ === 0) attributes.push(` xmlns:r="${RELATION}"`);
    written.push(`<${toName(tag)}${attributes.join("")}>`);
  });
  parser.on("closetag", (tag) => {
    depth--;
    written.push(`</${toName(tag)}>`);
  });
  const take = (text: string) => depth > 0 && written.push(encode(text));
  parser.on("text", take);
  parser.on("cdata", take);
  parser.write(xml).close();
  return written.join("");
}

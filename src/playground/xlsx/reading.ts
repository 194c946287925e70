import { DEFAULT_LOCALE, helpers } from "@odoo/o-spreadsheet";
import { type Parts, XlsxRefused } from "./archive";

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/i;
const STRINGS = /^xl\/sharedStrings\.xml$/i;
/** Larger sheets are more than a tab can hold. */
const MOST_ROWS = 100_000;
const MOST_CELLS = 1_000_000;
/** Above this, formats of whole columns would be written into each of their cells. */
const MOST_ROWS_WITH_COLUMN_FORMATS = 1_000;

/**
 * Prepares a workbook's parts for the engine's reader.
 *
 * @throws XlsxRefused for a workbook that is too large
 */
export function prepareParts(parts: Parts, names: FunctionNames): Parts {
  return Object.fromEntries(
    Object.entries(parts).map(([path, part]) => {
      if (typeof part !== "string") return [path, part];
      if (STRINGS.test(path)) return [path, prepareStrings(part)];
      return [path, SHEET.test(path) ? prepareSheet(part, names) : part];
    }),
  );
}

/** The names of the sheets in their order, which the engine's reader takes from the names of their files. */
export function listSheetNames(parts: Parts): string[] {
  const workbook = parts["xl/workbook.xml"];
  const tags = typeof workbook === "string" ? (workbook.match(/<sheet\b[^>]*>/g) ?? []) : [];
  return tags.map((tag) => decode(/\sname="([^"]*)"/.exec(tag)?.[1] ?? ""));
}

const NAME = /<definedName\b([^>]*)>([^<]*)<\/definedName>/g;
const AREA = /^(?:'(?:[^']|'')+'|[^'!,:()]+)!\$?[A-Z]*\$?\d*(?::\$?[A-Z]*\$?\d*)?$/;

/** The names of areas, which the engine's reader leaves out, and those of what is printed. */
export function readNames(parts: Parts): Record<string, string> {
  const sheets = listSheetNames(parts);
  const names = [...String(parts["xl/workbook.xml"]).matchAll(NAME)].flatMap(([, attributes = "", encoded = ""]) => {
    const read = (attribute: string) => decode(new RegExp(`\\s${attribute}="([^"]*)"`).exec(attributes)?.[1] ?? "");
    const [name, area] = [read("name"), decode(encoded)];
    const shown = name === "_xlnm.Print_Area" ? toPrintName(sheets[Number(read("localSheetId"))] ?? "") : name;
    return AREA.test(area) && !shown.startsWith("_xlnm.") ? [[shown, area] as const] : [];
  });
  return Object.fromEntries(names);
}

/** The name of what is printed of a sheet; the engine has each name once, and Excel one for each sheet. */
export const toPrintName = (sheet: string) => `${sheet.replace(/[^\p{L}\p{N}]+/gu, "_")}.Print_Area`;

const TEXT_ITEM = /<si\b[^>]*?(?:\/>|>([\s\S]*?)<\/si>)/g;

/** Texts without readings of their characters, and marked where the engine would take them for something else. */
function prepareStrings(xml: string): string {
  return xml.replace(TEXT_ITEM, (_, item = "") => `<si><t xml:space="preserve">${toEntry(readText(item))}</t></si>`);
}

/** The text of a string's parts, encoded; its readings (furigana) are left out. */
function readText(item: string): string {
  const parts = item.replace(/<rPh\b[\s\S]*?<\/rPh>/g, "").matchAll(/<t\b[^>]*?(?:\/>|>([^<]*)<\/t>)/g);
  return [...parts].map(([, text = ""]) => text).join("");
}

/** The content of a cell with this text; both are encoded. */
function toEntry(encoded: string): string {
  const text = decode(encoded);
  const isRead =
    /^[='#]|^(true|false)$/i.test(text) ||
    helpers.isNumber(text, DEFAULT_LOCALE) ||
    helpers.isDateTime(text, DEFAULT_LOCALE);
  return isRead ? `&apos;${encoded}` : encoded;
}

const FORMULA = /(<f\b[^>]*>)([^<]*)(<\/f>)/g;
/** A cell that is a text of its own, not the result of a formula. */
const TEXT_CELL = /<c\b([^>]*)\st="(?:inlineStr|str)"([^>]*)>((?:(?!<f\b|<\/c>)[\s\S])*)<\/c>/g;

function prepareSheet(xml: string, names: FunctionNames): string {
  const rows = [...xml.matchAll(/<row\b[^>]*?\sr="(\d+)"/g)].map(([, row]) => Number(row));
  const last = rows.at(-1) ?? 0;
  const cells = xml.match(/<c\b/g)?.length ?? 0;
  if (last > MOST_ROWS || cells > MOST_CELLS) throw new XlsxRefused("large");
  const prepared = clearSpilledBooleans(xml)
    .replace(FORMULA, (_, start, formula, end) => `${start}${readFormula(formula, names)}${end}`)
    .replace(TEXT_CELL, (_, before, after, content) => {
      const text = /<is\b/.test(content) ? readText(content) : (/<v\b[^>]*>([^<]*)<\/v>/.exec(content)?.[1] ?? "");
      return `<c${before} t="str"${after}><v>${toEntry(text)}</v></c>`;
    });
  if (last <= MOST_ROWS_WITH_COLUMN_FORMATS) return prepared;
  return prepared.replace(/<col\b[^>]*>/g, (tag) => tag.replace(/\sstyle="\d+"/, ""));
}

const ARRAY = /<f\b(?=[^>]*\st="array")[^>]*\sref="([^"]+)"/g;
const BOOLEAN_CELL = /<c\b([^>]*)\st="b"([^>]*)>/g;

/** The engine leaves spilled values out, but takes a boolean that it left out for FALSE, which blocks the spill. */
function clearSpilledBooleans(xml: string): string {
  const zones = [...xml.matchAll(ARRAY)].map(([, reference = ""]) => helpers.toZone(reference));
  return xml.replace(BOOLEAN_CELL, (cell, before, after) => {
    const { col, row } = helpers.toCartesian(/\sr="([^"]+)"/.exec(cell)?.[1] ?? "A1");
    return zones.some((zone) => helpers.isInside(col, row, zone)) ? `<c${before}${after}>` : cell;
  });
}

/** The engine has no quotes in texts of formulas, which a file doubles. */
function readFormula(encoded: string, names: FunctionNames): string {
  const formula = names.fromFile(decode(encoded));
  return encode(
    formula.replace(/"(?:[^"]|"")*"/g, (text) =>
      /."".|""""/.test(text)
        ? `(${text
            .slice(1, -1)
            .split('""')
            .map((part) => `"${part}"`)
            .join("&CHAR(34)&")})`
        : text,
    ),
  );
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function decode(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** Encodes a text for XML. */
export function encode(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The formulas of the add-in as an .xlsx stores them: Excel writes FEED.RANKING.PAGES as _xldudf_FEED_RANKING_PAGES. */
export type FunctionNames = ReturnType<typeof createFunctionNames>;

/** Texts, and sheet names in quotes; what stands in them is no call. */
const QUOTED = /("(?:[^"]|"")*"|'(?:[^']|'')*')/;
/** What Excel writes before newer functions and before names of LAMBDA and LET. */
const NEWER = /(?<![\p{L}\p{N}_.])(?:_xlfn\.|_xlws\.|_xlpm\.)+/giu;

/**
 * @param namespace such as "FEED"
 * @param names of the functions, such as "RANKING.PAGES"
 */
export function createFunctionNames(namespace: string, names: readonly string[]) {
  const byStored = new Map(names.map((name) => [toStored(name), name]));
  const written = new RegExp(`(?<![\\p{L}\\p{N}_.])${namespace}\\.([A-Z][A-Z0-9.]*)(?=\\s*\\()`, "giu");
  // After other add-ins have come and gone, Excel writes a reference to a file before the name.
  const stored = new RegExp(`(?:\\[\\d+\\]!)?_xldudf_${namespace}_([A-Z0-9_.]+)(?=\\s*\\()`, "giu");
  return {
    /** Rewrites the calls of a formula for a file. */
    toFile: (formula: string) =>
      mapCode(formula, (code) => code.replace(written, (_, name: string) => `_xldudf_${namespace}_${toStored(name)}`)),
    /** Rewrites a file's formula as a person writes it. */
    fromFile: (formula: string) =>
      mapCode(formula, (code) =>
        code
          .replace(stored, (_, name: string) => {
            return `${namespace}.${byStored.get(toStored(name)) ?? name.replaceAll("_", ".")}`;
          })
          .replace(NEWER, ""),
      ),
  };
}

const toStored = (name: string) => name.toUpperCase().replaceAll(".", "_");

/** Changes what stands outside quotes. */
function mapCode(formula: string, change: (code: string) => string): string {
  return formula
    .split(QUOTED)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}

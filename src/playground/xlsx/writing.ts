import {
  type CellPosition,
  type EvaluatedCell,
  helpers,
  type Model,
  type Range,
  registries,
  tokenize,
  UIPlugin,
} from "@odoo/o-spreadsheet";
import type { FunctionNames } from "../../xlsx/names";
import { append } from "../../xlsx/settings";
import { clean, LONGEST_TEXT, toStored, toStoredText } from "../../xlsx/stored-values";
import { encode } from "../../xlsx/xml";
import { toExcelCode } from "../formulas";
import { ROW_PX } from "../workbook";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/**
 * Completes the engine's XML of a sheet: the add-in's formulas under their stored names, each formula's last value, the
 * values of spilled cells, and texts that look like formulas as texts.
 */
export function completeSheet(xml: string, model: Model, sheetId: string, names: FunctionNames): string {
  const sheet = new DOMParser().parseFromString(xml, "text/xml");
  for (const cell of sheet.querySelectorAll("c")) {
    const position = { sheetId, ...helpers.toCartesian(cell.getAttribute("r") ?? "") };
    const content = model.getters.getCell(position);
    const evaluated = model.getters.getEvaluatedCell(position);
    if (content?.isFormula) writeFormula(cell, model, position, names);
    else if (content === undefined || content.content === "") {
      if (evaluated.type !== "empty") writeValue(cell, evaluated); // thousands of cells have a format alone
    } else if (evaluated.type === "error") writeValue(cell, evaluated);
    else if (evaluated.type === "text" && !isWrittenText(cell, content.content))
      writeText(cell, String(evaluated.value));
  }
  const completed = new XMLSerializer().serializeToString(sheet);
  const hasArea = model.getters.getNamedRanges().some(({ name, range }) => isPrint(name) && range.sheetId === sheetId);
  return hasArea ? setUpPrinting(completed) : completed;
}

const isPrint = (name: string) => /(^|\.)Print_Area$/i.test(name);

/** Has a sheet printed in landscape format and one page wide, as the pane has it in Excel. */
function setUpPrinting(xml: string): string {
  const fit = '<pageSetUpPr fitToPage="1"/>';
  const fitted = xml.replace(/<\/sheetPr>|(?=<sheetViews)/, (end) => (end ? fit + end : `<sheetPr>${fit}</sheetPr>`));
  const setUp = '<pageSetup orientation="landscape" fitToHeight="0"/>';
  return fitted.replace(/(?=<drawing |<tableParts|<\/worksheet>)/, setUp);
}

/** Adds the names of areas behind the list of sheets; a sheet's frozen rows are repeated on each page that is printed. */
export function addNames(xml: string, { getters }: Model): string {
  const toTag = (name: string, range: Range, local = "") => {
    const area = getters.getRangeString(range, undefined, { useFixedReference: true });
    return `<definedName name="${encode(name)}"${local}>${encode(area)}</definedName>`;
  };
  const tags = getters.getNamedRanges().flatMap(({ name, range }) => {
    if (!isPrint(name)) return toTag(name, range);
    if (getters.tryGetSheet(range.sheetId) === undefined) return []; // a file's own may be "#REF!"
    const local = ` localSheetId="${getters.getSheetIds().indexOf(range.sheetId)}"`;
    const { ySplit } = getters.getPaneDivisions(range.sheetId);
    const frozen = getters.getRangeFromSheetXC(range.sheetId, `1:${ySplit}`);
    const area = toTag("_xlnm.Print_Area", range, local);
    return ySplit === 0 ? area : area + toTag("_xlnm.Print_Titles", frozen, local);
  });
  if (tags.length === 0) return xml;
  return xml.replace(/(?<=<\/sheets>)/, () => `<definedNames>${tags.join("")}</definedNames>`);
}

const PROGRAM = "docProps/app.xml";

/** Names the program whose values are right: LibreOffice shows texts of formulas of no other as they are stored. */
export function addProgram(parts: Map<string, string | Uint8Array>): void {
  const [office, kind] = ["officeDocument/2006", "extended-properties"];
  const relation = `Type="http://schemas.openxmlformats.org/${office}/relationships/${kind}" Target="${PROGRAM}"`;
  const type = `ContentType="application/vnd.openxmlformats-officedocument.${kind}+xml"`;
  parts.set(
    PROGRAM,
    `<Properties xmlns="http://schemas.openxmlformats.org/${office}/${kind}">` +
      "<Application>Microsoft Excel</Application><AppVersion>16.0300</AppVersion></Properties>",
  );
  append(parts, "_rels/.rels", `<Relationship Id="rIdProgram" ${relation}/>`);
  append(parts, "[Content_Types].xml", `<Override PartName="/${PROGRAM}" ${type}/>`);
}

function writeFormula(cell: Element, model: Model, position: CellPosition, names: FunctionNames): void {
  const formula = model.getters.getCellText(position, { showFormula: true });
  const byEngine = cell.getElementsByTagName("f")[0]?.textContent ?? formula.replace(/^=/, "");
  const zone = model.getters.getSpreadZone(position) ?? helpers.positionToZone(position);
  const evaluated = model.getters.getEvaluatedCell(position);
  writeValue(cell, evaluated);
  const element = cell.ownerDocument.createElementNS(MAIN, "f");
  element.textContent = clean(names.toFile(restoreTexts(byEngine, formula)));
  cell.prepend(element);
  const isOne = evaluated.type !== "error" && zone.left === zone.right && zone.top === zone.bottom;
  if (isOne && givesOne(formula)) return;
  // As a dynamic array, also in one cell: Excel would take the first cell of a plain formula's result alone.
  element.setAttribute("t", "array");
  element.setAttribute("ref", model.getters.zoneToXC(position.sheetId, zone).replaceAll("$", ""));
  cell.setAttribute("cm", "1");
}

/** Functions that give one value for single ones: the add-in's, and others that often stand around them. */
const OF_SINGLES =
  /^(?:\w+\.(?:FINANCIAL|COMPANY(?:\.ID)?)|ABS|FALSE|IF|IFERROR|IFNA|N|ROUND|TEXT|TODAY|TRUE|VALUE|YEAR)$/i;
/** A call that gives one value for all values of cells. */
const OF_CELLS = /(?<![\w.])(?:AVERAGE|COUNTA?|MAX|MIN|SUM)\((?:(?:'[^']+'!|[\w.]+!)?\$?[A-Z]{1,3}\$?\d+[:,]?)+\)/gi;

/**
 * Whether a formula can give one value alone. LibreOffice shows the stored values of plain formulas, but calculates
 * those of arrays anew, and does not know the add-in.
 */
function givesOne(formula: string): boolean {
  const tokens = tokenize(formula.replace(/\s+/g, "").replace(OF_CELLS, "1"));
  return tokens.every(({ type, value }) => (type === "SYMBOL" ? OF_SINGLES.test(value) : !/^[:#{]$/.test(value)));
}

/** The engine's writer takes texts in formulas for dates where it can; these come from the formula itself. */
function restoreTexts(byEngine: string, formula: string): string {
  const texts = tokenize(formula)
    .filter(({ type }) => type === "STRING")
    .map(({ value }) => `"${value.slice(1, -1).replaceAll('\\"', '""')}"`);
  const written = byEngine.match(/"(?:[^"]|"")*"/g) ?? [];
  if (written.length !== texts.length) return byEngine;
  let at = 0;
  return byEngine.replace(/"(?:[^"]|"")*"/g, () => texts[at++] ?? "");
}

/** Whether the engine has written a text as one. */
const isWrittenText = (cell: Element, content: string) => cell.getAttribute("t") === "s" && !content.startsWith("'");

/** Replaces a cell's content by a shown value. */
function writeValue(cell: Element, { type, value }: EvaluatedCell): void {
  cell.replaceChildren();
  cell.removeAttribute("cm");
  cell.removeAttribute("t");
  if (type === "empty") return;
  const isError = helpers.isEvaluationError(value);
  const { type: kind, text } = toStored(isError ? { error: toExcelCode(String(value)) } : value) ?? {
    type: "str",
    text: "",
  };
  if (kind !== "n") cell.setAttribute("t", kind);
  const element = cell.ownerDocument.createElementNS(MAIN, "v");
  element.textContent = toStoredText(text);
  cell.append(element);
}

/** Writes a text that no reader takes for anything else. */
function writeText(cell: Element, text: string): void {
  const [inline, element] = ["is", "t"].map((name) => cell.ownerDocument.createElementNS(MAIN, name));
  if (!inline || !element) return;
  element.textContent = toStoredText(clean(text).slice(0, LONGEST_TEXT));
  element.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:space", "preserve");
  inline.append(element);
  cell.replaceChildren(inline);
  cell.removeAttribute("cm");
  cell.setAttribute("t", "inlineStr");
}

type ExcelData = Parameters<UIPlugin["exportForExcel"]>[0];
type ExcelSheet = ExcelData["sheets"][number];

/** Completes what the engine gives to its writer of .xlsx. */
class ExportPlugin extends UIPlugin {
  override exportForExcel(data: ExcelData) {
    for (const sheet of data.sheets) {
      this.#addShownFormats(data, sheet);
      trim(sheet);
    }
  }

  /** A number's format may come with its value; Excel without the add-in needs it in the cell. */
  #addShownFormats({ formats }: ExcelData, sheet: ExcelSheet) {
    const ids = new Map(Object.entries(formats).map(([id, format]) => [format, Number(id)]));
    const own = Object.keys(sheet.formats).map(helpers.toZone);
    for (const position of this.getters.getEvaluatedCellsPositions(sheet.id)) {
      const { format } = this.getters.getEvaluatedCell(position);
      if (format === undefined || own.some((zone) => helpers.isInside(position.col, position.row, zone))) continue;
      const id = ids.get(format) ?? Math.max(0, ...ids.values()) + 1;
      ids.set(format, id);
      formats[id] = format;
      sheet.formats[helpers.toXC(position.col, position.row)] = id;
    }
  }
}
registries.featurePluginRegistry.add("playground_export", ExportPlugin);

/** Cuts a sheet's empty end off, which the writer would visit cell by cell. */
function trim(sheet: ExcelSheet) {
  const cells = Object.keys(sheet.cellValues).concat(Object.keys(sheet.cells));
  const ranges = [sheet.styles, sheet.formats, sheet.borders].flatMap((each) => Object.keys(each));
  let [cols, rows] = [1, 1];
  for (const xc of cells.concat(ranges)) {
    const { right, bottom } = helpers.toZone(xc);
    [cols, rows] = [Math.max(cols, right + 1), Math.max(rows, bottom + 1)];
  }
  const lastOwn = Object.entries(sheet.rows).findLast(([, row]) => row.isHidden || row.size !== ROW_PX)?.[0] ?? 0;
  sheet.colNumber = Math.min(sheet.colNumber, cols);
  sheet.rowNumber = Math.min(sheet.rowNumber, Math.max(rows, Number(lastOwn) + 1));
}

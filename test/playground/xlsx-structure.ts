import { posix } from "node:path";
import { strFromU8, unzipSync } from "fflate";

/** A part's relations, resolved. */
const RELATIONS = /\.rels$/;
const XML = /\.(xml|rels)$/;

/** The XML parts of an .xlsx by path. */
export function readParts(bytes: Uint8Array): Map<string, Document> {
  const parts = Object.entries(unzipSync(bytes)).filter(([path]) => XML.test(path));
  return new Map(parts.map(([path, content]) => [path, parse(strFromU8(content))]));
}

const parse = (text: string) => new DOMParser().parseFromString(text, "text/xml");
const list = (part: Document | undefined, tag: string) => Array.from(part?.querySelectorAll(tag) ?? []);

/** What is wrong with an .xlsx: parts that do not parse, have no type, or refer to parts that are not there. */
export function listFaults(bytes: Uint8Array): string[] {
  const names = Object.keys(unzipSync(bytes));
  const parts = readParts(bytes);
  const types = parts.get("[Content_Types].xml");
  const defaults = list(types, "Default").map((each) => each.getAttribute("Extension"));
  const overrides = list(types, "Override").map((each) => (each.getAttribute("PartName") ?? "").slice(1));
  return [
    ...[...parts].filter(([, part]) => list(part, "parsererror").length > 0).map(([path]) => `${path} does not parse`),
    ...names
      .filter((path) => path !== "[Content_Types].xml" && !overrides.includes(path))
      .filter((path) => !defaults.includes(path.split(".").at(-1) ?? ""))
      .map((path) => `${path} has no type`),
    ...overrides.filter((path) => !names.includes(path)).map((path) => `${path} is listed and missing`),
    ...[...parts].filter(([path]) => RELATIONS.test(path)).flatMap(([path, part]) => listBroken(path, part, names)),
    ...[...parts]
      .filter(([path]) => path.startsWith("xl/worksheets/sheet"))
      .flatMap(([path, part]) => [...listCells(path, part), ...listDisorder(path, part)]),
  ];
}

/** The elements of a sheet as Excel wants them: in this order. */
const ORDER = [
  ...["sheetPr", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetProtection", "mergeCells"],
  ...["conditionalFormatting", "dataValidations", "hyperlinks", "pageSetup", "drawing", "tableParts"],
];

function listDisorder(path: string, part: Document): string[] {
  const places = [...part.documentElement.children].map(({ tagName }) => ORDER.indexOf(tagName));
  const isOrdered = places.every((place, nth) => place >= (places[nth - 1] ?? 0));
  return isOrdered ? [] : [`${path} has elements out of order: ${places.map((place) => ORDER[place])}`];
}

function listBroken(path: string, part: Document, names: readonly string[]): string[] {
  const folder = posix.join(posix.dirname(path), "..");
  return list(part, "Relationship")
    .filter((each) => each.getAttribute("TargetMode") !== "External")
    .map((each) => posix.join(folder, each.getAttribute("Target") ?? ""))
    .filter((target) => !names.includes(target))
    .map((target) => `${path} refers to ${target}`);
}

/** Cells out of order, of unknown types, or with values that do not fit them. */
function listCells(path: string, part: Document): string[] {
  const faults: string[] = [];
  let before = 0;
  for (const row of list(part, "row")) {
    const number = Number(row.getAttribute("r"));
    if (number <= before) faults.push(`${path} row ${number} follows ${before}`);
    before = number;
    for (const cell of row.querySelectorAll("c")) {
      const [type, value] = [cell.getAttribute("t") ?? "n", cell.getElementsByTagName("v")[0]?.textContent];
      const pattern = VALUES[type];
      const isFit = value == null || pattern?.test(value);
      if (!isFit || !cell.getAttribute("r")?.endsWith(String(number))) faults.push(`${path} ${cell.outerHTML}`);
    }
  }
  return faults;
}

const VALUES: Record<string, RegExp> = {
  n: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i,
  b: /^[01]$/,
  e: /^#(NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A)$/,
  s: /^\d+$/,
  str: /^[\s\S]*$/,
  inlineStr: /^$/,
};

import { readFileSync } from "node:fs";
import NAMES from "./excel-names.json";

const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;
const LAST_COLUMN_LETTERS = "XFD";

/** Built-in functions by Excel's typings, which stop before dynamic arrays: `beta_Dist` is BETA.DIST. */
const TYPED = readTypedFunctions();

/**
 * Names in lines: worksheet functions that the typings lack, from "Excel functions (alphabetical)" (Microsoft Support), and
 * Excel 4.0 macro functions of one word, from "Excel Macro Functions Reference" (Microsoft Download Center).
 */
const { untyped, macros } = NAMES;

const TAKEN = new Set([...TYPED, ...[...untyped, ...macros].flatMap((line) => line.split(" "))]);

/** Whether Excel has a worksheet or macro function of this name. */
export const isBuiltIn = (name: string): boolean => TAKEN.has(name.toUpperCase());

/** Whether a name reads as a cell's address, from A1 to XFD1048576 or from R1C1 to R1048576C16384. */
export function isCellAddress(name: string): boolean {
  const [, letters = "", row = ""] = /^([A-Z]{1,3})([1-9]\d*)$/i.exec(name) ?? [];
  const [, numberedRow = "", column = ""] = /^R([1-9]\d*)C([1-9]\d*)$/i.exec(name) ?? [];
  if (column !== "") return Number(numberedRow) <= LAST_ROW && Number(column) <= LAST_COLUMN;
  const isColumn = letters.length < LAST_COLUMN_LETTERS.length || letters.toUpperCase() <= LAST_COLUMN_LETTERS;
  return letters !== "" && isColumn && Number(row) <= LAST_ROW;
}

/** Reads the methods of Excel.Functions, the object model's worksheet functions. */
function readTypedFunctions(): string[] {
  const typings = readFileSync(require.resolve("@types/office-js/index.d.ts"), "utf8");
  const [, type = ""] = typings.split("class Functions extends OfficeExtension.ClientObject {");
  const [members = ""] = type.split("\n    }\n");
  const methods = [...members.matchAll(/^ {8}(\w+)\(/gm)].map(([, method = ""]) => method);
  return methods.map((method) => method.toUpperCase().replaceAll("_", "."));
}

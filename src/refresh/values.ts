import { registries } from "@odoo/o-spreadsheet";

const { errorTypes } = registries;

/** One value of the engine: an error is its code, null an empty cell. */
export interface Value {
  value: string | number | boolean | null;
  message?: string;
  /** The cell that it comes from, where it is a reference's. */
  position?: { sheetId: string; row: number; col: number };
}

/** Columns of values, as the engine has them. */
export type Matrix = Value[][];
export type Result = Value | Matrix;
/** An argument; undefined is an omitted one. */
export type Given = Result | undefined;

/** Errors of Excel that the engine does not know. */
const EXCEL_ERRORS = ["#VALUE!", "#BUSY!", "#CALC!", "#FIELD!", "#UNKNOWN!", "#CONNECT!", "#BLOCKED!", "#GETTING_DATA"];
for (const code of EXCEL_ERRORS) errorTypes.add(code);

export const isError = (value: Value["value"] | undefined): value is string =>
  typeof value === "string" && errorTypes.has(value);

/** The engine's code for an error of Excel. */
export const toEngineCode = (code: string): string => (code === "#REF!" ? "#REF" : code);

import { registries } from "@odoo/o-spreadsheet";

const { functionRegistry, errorTypes } = registries;

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

/** Functions that see what the cells of a file do not tell, such as hidden rows, or that differ at each calculation. */
const UNSEEN = "CELL FORMULATEXT HYPERLINK ISFORMULA RAND RANDARRAY RANDBETWEEN SUBTOTAL".split(" ");

/** Functions of Excel that the engine has without saying so, or under another name. */
const ALSO: Readonly<Record<string, string>> = {
  FILTER: "FILTER",
  CONCAT: "TEXTJOIN",
  "RANK.EQ": "RANK",
  "FORECAST.LINEAR": "FORECAST",
};

/**
 * Functions that give what Excel gives for any arguments that the formulas of a model have; a test compares each with
 * Excel's own results. Only these are used where a file has no value of Excel to compare with.
 */
const PROVEN = new Set(
  `ABS AND AVERAGE AVERAGEIF AVERAGEIFS CHOOSE CHOOSECOLS CHOOSEROWS COLUMN COLUMNS CONCAT CONCATENATE COUNT COUNTA
  COUNTBLANK COUNTIF COUNTIFS DATE DAY DROP EDATE EOMONTH EXACT FALSE FILTER FIND HLOOKUP HSTACK IF IFERROR IFNA IFS INDEX
  INT ISBLANK ISERR ISERROR ISLOGICAL ISNA ISNONTEXT ISNUMBER ISTEXT LARGE LEFT LEN LOWER MATCH MAX MEDIAN MID MIN MOD MONTH
  NA NOT NOW OR PRODUCT RANK REPLACE RIGHT ROUND ROUNDDOWN ROUNDUP ROW ROWS SEARCH SEQUENCE SMALL SORT SUBSTITUTE SUM SUMIF
  SUMIFS SUMPRODUCT SWITCH TAKE TEXTJOIN TODAY TRANSPOSE TRIM TRUE TRUNC UNIQUE UPPER VLOOKUP VSTACK XLOOKUP YEAR`.split(
    /\s+/,
  ),
);

/** Functions of dates by serial numbers, which differ in workbooks that count from 1904. */
const DATED = /^(TEXT|NOW|TODAY|DATE.*|DAY.*|EDATE|EOMONTH|(ISO)?WEEK.*|MONTH|YEAR|NETWORKDAYS.*|WORKDAY.*)$/;

/** How far a function can be relied on: like Excel, where a value of Excel confirms it, or not at all. */
export type Reliance = "proven" | "known" | "unknown";

/** The reliance on a function of Excel, by its name in capitals. */
export function judge(name: string, isDate1904: boolean): Reliance {
  const description = functionRegistry.content[ALSO[name] ?? name];
  const isOther = description === undefined || (!description.isExported && !(name in ALSO)) || UNSEEN.includes(name);
  if (isOther) return "unknown";
  if (isDate1904 && (DATED.test(name) || description.category === "Financial")) return "unknown";
  return PROVEN.has(name) ? "proven" : "known";
}

/** What one argument of a call is taken for. */
export interface Parameter {
  /** Whether it takes a range as it is. */
  isRange: boolean;
  /** Whether a number would be taken as its text. */
  isText: boolean;
}

/** What each argument of a call is taken for; null where a call may not have so many. */
export function listParameters(name: string, given: number): Parameter[] | null {
  const description = functionRegistry.content[ALSO[name] ?? name];
  if (description === undefined) return null;
  if (name === "SORT" && given === 2) return listParameters(name, 3)?.slice(0, given) ?? null;
  if (name === "CONCAT") return Array.from({ length: given }, () => ({ isRange: true, isText: true }));
  const { args, maxArgPossible: most, nbrArgRepeating: repeating = 0 } = description;
  // Counted, since the add-in's functions say that they need none.
  const isNeeded = (each: (typeof args)[number]) => !each.optional && !each.default && !each.repeating;
  const required = Math.max(description.minArgRequired, args.filter(isNeeded).length);
  if (given < description.minArgRequired || (most !== undefined && most !== null && given > most)) return null;
  const groups = repeating > 0 ? Math.floor((given - required) / repeating) : 0;
  let optional = given - required - groups * repeating;
  const parameters: Parameter[] = [];
  for (let index = 0; index < args.length; index++) {
    const { repeating: isRepeating, optional: isOptional, default: byDefault } = args[index]!;
    if (!isRepeating && (isOptional || byDefault) && optional-- <= 0) continue;
    const group = isRepeating ? args.slice(index, index + repeating) : [args[index]!];
    const times = isRepeating ? groups + Number(!isOptional) : 1;
    for (let time = 0; time < times; time++) parameters.push(...group.map(toParameter));
    index += group.length - 1;
  }
  // A call without what it needs is an error of the function's own.
  if (given < required) return parameters.slice(0, given);
  return parameters.length === given ? parameters : null;
}

const toParameter = ({ type }: { type: readonly string[] }): Parameter => ({
  isRange: type.some((each) => each.startsWith("RANGE")),
  isText: type.every((each) => each.includes("STRING")),
});

/** What the engine's functions have as `this`. */
export type Context = Record<string, (...given: Given[]) => Result> & { __originCellPosition?: Value["position"] };

export const createContext = (members: object): Context =>
  Object.assign(Object.create(functionRegistry.mapping), members) as Context;

/** Calls a function of Excel by its name in capitals; its arguments are as the engine has them. */
export function callFunction(context: Context, name: string, given: Given[], doubt: () => void): Result {
  if (mayDiffer(name, given)) doubt();
  const result = run(context, name, given, doubt);
  const isText = !Array.isArray(result) && result.value === "#ERROR" && NO_NUMBER.test(result.message ?? "");
  return isText ? { value: "#VALUE!" } : result;
}

/** The engine's sentence where a text is to be a number; its code is the same for other errors. */
const NO_NUMBER = /cannot be coerced to a number/;

function run(context: Context, name: string, given: Given[], doubt: () => void): Result {
  switch (name) {
    case "&":
      return context.CONCAT!(...given);
    case "CONCAT":
      return context.TEXTJOIN!({ value: "" }, { value: false }, ...given);
    case "SORT":
      return sort(context, given, doubt);
    case "FILTER":
      return filter(context, given);
    default:
      return context[ALSO[name] ?? name]!(...given);
  }
}

/** Excel's third argument is 1 or -1, and the engine's whether it ascends. */
function sort(context: Context, [rows, by, order, ...others]: Given[], doubt: () => void): Result {
  if (Array.isArray(by) || Array.isArray(order) || others.length > 0) doubt();
  if (by === undefined && order === undefined) return context.SORT!(rows);
  const isAscending = order === undefined || Array.isArray(order) || Number(order.value) > 0;
  return context.SORT!(rows, by ?? { value: 1 }, { value: isAscending });
}

/** Excel's third argument is for an empty result, and the engine's one more condition. */
function filter(context: Context, [rows, condition, otherwise = { value: "#CALC!" }]: Given[]): Result {
  const found = context.FILTER!(rows, condition);
  return !Array.isArray(found) && found.value === "#N/A" ? otherwise : found;
}

/** More digits than Excel has. */
const MOST_DIGITS = 15;

/** Whether Excel may show a number by another text. */
export const isLong = (value: unknown): boolean =>
  typeof value === "number" &&
  (Math.abs(value) >= 10 ** MOST_DIGITS || String(Math.abs(value)).replace(/^0\.0*|\D/g, "").length > MOST_DIGITS);

/** Excel compares and rounds by fifteen digits. */
const NEAR = 1e-12;
export const areNear = (one: number, other: number): boolean =>
  one !== other && Math.abs(one - other) <= NEAR * Math.max(Math.abs(one), Math.abs(other));

/** Whether a call rounds a number that Excel may take for another in its last digits. */
function mayDiffer(name: string, [numbers, by]: Given[]): boolean {
  if (!ROUNDING.has(name)) return false;
  const second = Number((Array.isArray(by) ? by[0]?.[0] : by)?.value ?? 0);
  return [numbers].flat(2).some((each) => {
    const number = Number(each?.value ?? 0);
    if (name === "MOD") return areNear(number / second, Math.round(number / second));
    const scaled = Math.abs(number) * 10 ** (name === "INT" ? 0 : second);
    if (scaled > 10 ** (MOST_DIGITS - 1) && !Number.isInteger(number)) return true;
    return name === "ROUND" ? areNear(scaled % 1, 0.5) : areNear(scaled, Math.round(scaled));
  });
}

const ROUNDING = new Set(["INT", "MOD", "ROUND", "ROUNDDOWN", "ROUNDUP", "TRUNC"]);

/** The names of the functions that are relied on without a value of Excel. */
export const listProven = (): string[] => [...PROVEN];

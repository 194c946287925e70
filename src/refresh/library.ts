import { registries } from "@odoo/o-spreadsheet";
import { LONGEST_TEXT } from "../xlsx/stored-values";
import { isPlain, isSimpleFormat, mayDiffer } from "./doubts";
import { type Given, isError, type Result, type Value } from "./values";

const { functionRegistry } = registries;

/** Functions that see what the cells of a file do not tell, such as hidden rows, differ each time, or guess a rate. */
const UNSEEN = "CELL FORMULATEXT HYPERLINK ISFORMULA RAND RANDARRAY RANDBETWEEN RATE SUBTOTAL".split(" ");

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
export const PROVEN: ReadonlySet<string> = new Set(
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

/** Whether there is such a function, of Excel or of the add-in. */
export const isKnown = (name: string): boolean => functionRegistry.content[name] !== undefined;

/** What one argument of a call is taken for. */
export interface Parameter {
  /** Whether it takes a range as it is. */
  isRange: boolean;
  /** Whether a number would be taken as its text. */
  isText: boolean;
  /** Whether a text would be taken as its number. */
  isNumber: boolean;
}

/** What each argument of a call is taken for; null where a call may not have so many. */
export function listParameters(name: string, given: number): Parameter[] | null {
  const description = functionRegistry.content[ALSO[name] ?? name];
  if (description === undefined) return null;
  if (name === "SORT" && given === 2) return listParameters(name, 3)?.slice(0, given) ?? null;
  if (name === "CONCAT") return Array.from({ length: given }, () => ({ isRange: true, isText: true, isNumber: false }));
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
  isNumber: type.every((each) => /NUMBER|BOOLEAN|DATE/.test(each)),
});

/** What the engine's functions have as `this`. */
export type Context = Record<string, (...given: Given[]) => Result> & { __originCellPosition?: Value["position"] };

export const createContext = (members: object): Context =>
  Object.assign(Object.create(functionRegistry.mapping), members) as Context;

/** Calls a function of Excel by its name in capitals; its arguments are as the engine has them. */
export function callFunction(context: Context, name: string, arguments_: Given[], doubt: () => void): Result {
  const given = toNumbers(name, arguments_, doubt);
  if (mayDiffer(name, given)) doubt();
  if (countCells(name, given) > MOST_CELLS) {
    doubt(); // Excel has a value
    return { value: "#ERROR", message: TOO_LARGE };
  }
  // The engine ends at the first truth, and takes what is no number for 0.
  const error = OF_ALL.has(name) ? given.flat(2).find((each) => isError(each?.value)) : undefined;
  if (error !== undefined) return error;
  const result = run(context, name, given, doubt);
  if (Array.isArray(result)) return result;
  const isText = result.value === "#ERROR" && NO_NUMBER.test(result.message ?? "");
  if (isText) return { value: "#VALUE!" };
  if (typeof result.value === "string" && result.value.length > LONGEST_TEXT) return { value: "#VALUE!" };
  return typeof result.value === "number" && !Number.isFinite(result.value) ? { value: "#NUM!" } : result;
}

/** Far more than a table of the add-in has, and little of a program's memory. */
const MOST_CELLS = 500_000;
/** The message of a result that is not calculated, since it would take too much memory. */
export const TOO_LARGE = "a result of more than 500,000 cells is for Excel alone; take fewer rows or columns";

/** The most cells that a result can have which grows beyond the values that it is made of; 0 for any other. */
function countCells(name: string, given: readonly Given[]): number {
  const sizes = given.map((each) => (Array.isArray(each) ? { rows: each[0]?.length ?? 0, columns: each.length } : ONE));
  const toNumber = (nth: number) => Number([given[nth]].flat(2)[0]?.value ?? 1);
  const most = (side: keyof typeof ONE) => sizes.reduce((largest, size) => Math.max(largest, size[side]), 1);
  const all = (side: keyof typeof ONE) => sizes.reduce((sum, size) => sum + size[side], 0);
  if (name === "SEQUENCE") return toNumber(0) * toNumber(1);
  if (name === "MUNIT") return toNumber(0) ** 2;
  if (name === "EXPAND") return Math.max(toNumber(1), most("rows")) * Math.max(toNumber(2), most("columns"));
  if (name === "VSTACK" || name === "CHOOSEROWS") return all("rows") * most("columns");
  if (name === "HSTACK" || name === "CHOOSECOLS") return most("rows") * all("columns");
  const isSpread = (nth: number) => listTaken(name, given.length)[nth]?.isRange !== true && Array.isArray(given[nth]);
  return name === "MMULT" || given.some((_, nth) => isSpread(nth)) ? most("rows") * most("columns") : 0;
}

const ONE = { rows: 1, columns: 1 };

/** The engine's sentence where a text is to be a number; its code is the same for other errors. */
const NO_NUMBER = /cannot be coerced to a number/;

/** Functions whose result is an error wherever one is among their values. */
const OF_ALL = new Set(["AND", "OR", "SUMPRODUCT"]);

/** What each argument is taken for, by name and number of arguments. */
const taken = new Map<string, readonly Parameter[]>();

function listTaken(name: string, given: number): readonly Parameter[] {
  const key = `${name} ${given}`;
  const parameters = taken.get(key) ?? listParameters(name, given) ?? [];
  taken.set(key, parameters);
  return parameters;
}

/** Texts that a function takes for numbers: nothing is an error in Excel, and 0 in the engine. */
function toNumbers(name: string, given: Given[], doubt: () => void): Given[] {
  if (name === "TEXT") return given;
  const parameters = listTaken(name, given.length);
  const toNumber = (each: Value): Value => {
    const { value } = each;
    if (typeof value !== "string" || value.startsWith("#")) return each;
    if (!isPlain(value) && /\p{N}/u.test(value)) doubt();
    return value.trim() === "" ? { ...each, value: "#VALUE!" } : each;
  };
  return given.map((each, index) => {
    const { isNumber = false, isRange = false } = parameters[index] ?? {};
    if (!isNumber || each === undefined) return each;
    if (!Array.isArray(each)) return toNumber(each);
    return isRange ? each : each.map((values) => values.map(toNumber));
  });
}

function run(context: Context, name: string, given: Given[], doubt: () => void): Result {
  switch (name) {
    case "&":
      return context.CONCAT!(...given);
    case "CONCAT":
      return context.TEXTJOIN!({ value: "" }, { value: false }, ...given);
    case "TEXT": // of a format that it does not know the engine tells the terminal
      return isSimpleFormat(given[1]) ? context.TEXT!(...given) : { value: "#ERROR" };
    case "SORT":
      return sort(context, given, doubt);
    case "FILTER":
      return filter(context, given);
    case "HLOOKUP": // what the engine keeps of a range is of its columns
      return Object.assign(Object.create(context) as Context, { lookupCaches: undefined }).HLOOKUP!(...given);
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

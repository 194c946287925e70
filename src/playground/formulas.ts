import {
  type AddFunctionDescription,
  addFunction,
  createAutocompleteArgumentsProvider,
  helpers,
  registries,
  setTranslationMethod,
} from "@odoo/o-spreadsheet";
import type { Argument, CellContent } from "./arguments";
import type {
  EnumerationMetadata,
  FunctionsMetadata,
  Outcome,
  ParameterMetadata,
  ResultCell,
} from "./custom-functions";

type Compute = AddFunctionDescription["compute"];
/** The engine's context of the formula that is being evaluated. */
export type Evaluation = ThisParameterType<Compute>;
/** Calls the runtime for the formula that is being evaluated. */
type Evaluate = (evaluation: Evaluation, name: string, given: Argument[]) => Outcome;

interface EngineCell {
  value: string | number | boolean | null;
  message?: string;
  format?: string;
}
/** The engine's matrices are lists of columns. */
type EngineMatrix = EngineCell[][];

const BUSY_CELL: EngineCell = { value: "#BUSY!", message: "" };
const EXCEL_ONLY_CODES = ["#BUSY!", "#VALUE!"];

/**
 * Registers the functions of functions.json with the spreadsheet engine.
 * @param namespace the prefix before the dot, "FEED" for =FEED.FINANCIAL
 */
export function registerFormulas(
  namespace: string,
  { functions, enums = [] }: FunctionsMetadata,
  evaluate: Evaluate,
): void {
  for (const code of EXCEL_ONLY_CODES) registries.errorTypes.add(code);
  for (const metadata of functions) {
    const name = `${namespace}.${metadata.name}`.toUpperCase();
    const compute = function (this: Evaluation, ...given: unknown[]) {
      return toEngine(evaluate(this, metadata.name, given.map(readArgument)));
    };
    const definition = {
      description: metadata.description ?? "",
      category: namespace,
      args: metadata.parameters.map((parameter) => toArgumentDefinition(parameter, enums)),
      compute: compute as Compute,
      isExported: true, // the engine would write others as values
    };
    addFunction(name, definition);
    createAutocompleteArgumentsProvider(name, definition.args);
    // The engine has written into the definition how many arguments a call must have, and would show a shorter one
    // as #NAME?. The runtime reports missing arguments, as #VALUE!.
    Object.assign(definition, { minArgRequired: 0 });
  }
}

function toArgumentDefinition(parameter: ParameterMetadata, enums: readonly EnumerationMetadata[]) {
  const type = parameter.dimensionality === "matrix" ? "any, range<any>" : "any";
  const types = parameter.optional ? `${type}, optional` : type;
  const values = enums.find(({ id }) => id === parameter.customEnumId)?.values ?? [];
  const proposals = values.map(({ stringValue, tooltip = "" }) => ({ value: stringValue, label: tooltip }));
  return helpers.arg(`${parameter.name} (${types})`, parameter.description ?? parameter.name, proposals);
}

function readArgument(given: unknown): Argument {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) return readContent(given as EngineCell);
  const columns = given as EngineMatrix;
  return (columns[0] ?? []).map((_, row) => columns.map((column) => readContent(column[row])));
}

function readContent(cell: EngineCell | undefined): CellContent {
  const value = cell?.value ?? null;
  return helpers.isEvaluationError(value) ? { code: toExcelCode(String(value)) } : value;
}

const EXCEL_CODES: Record<string, string> = {
  "#REF": "#REF!",
  "#ERROR": "#VALUE!",
  "#BAD_EXPR": "#NAME?",
  "#CYCLE": "#REF!",
};

/** Converts the engine's error codes to Excel's. */
export function toExcelCode(code: string): string {
  return EXCEL_CODES[code] ?? code;
}

function toEngine(outcome: Outcome): EngineCell | EngineMatrix {
  if (outcome.kind === "busy") return BUSY_CELL;
  return outcome.kind === "array" ? toEngineMatrix(outcome.rows) : toEngineCell(outcome);
}

const MISSING: ResultCell = { kind: "error", code: "#N/A" };

/** Fills a ragged array with errors, so that no gap passes for a value. */
function toEngineMatrix(rows: ResultCell[][]): EngineMatrix {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0); // a call takes fewer arguments than rows
  return Array.from({ length: width }, (_, column) => rows.map((row) => toEngineCell(row[column] ?? MISSING)));
}

function toEngineCell(result: ResultCell): EngineCell {
  if (result.kind === "error") return { value: result.code, message: result.message ?? "" };
  return result.format === undefined ? { value: result.value } : { value: result.value, format: result.format };
}

/** Why a table cannot spill, by the engine's own sentence. */
const SPILL_TEXTS: Readonly<Record<string, Readonly<Record<"en" | "ja", string>>>> = {
  "Result couldn't be automatically expanded.": {
    en: "The sheet ends before the table does. Move the formula up or to the left, or take fewer rows.",
    ja: "シートの端を超えるため、表を表示できません。数式を上または左に移動するか、行数を減らしてください。",
  },
  "Array result was not expanded because it would overwrite data.": {
    en: "Other cells are in the way of the table. Empty them, or move the formula.",
    ja: "ほかのセルに内容があるため、表を表示できません。それらを空にするか、数式を移動してください。",
  },
  "Merged cells found in the spill zone. Please unmerge cells before using array formulas.": {
    en: "Merged cells are in the way of the table. Unmerge them, or move the formula.",
    ja: "結合されたセルがあるため、表を表示できません。結合を解除するか、数式を移動してください。",
  },
};

/** Has the engine say in the page's language why a table cannot spill; its other texts stay as they are. */
export function translateEngine(language: "en" | "ja"): void {
  setTranslationMethod((...[text]) => SPILL_TEXTS[text]?.[language] ?? text);
}

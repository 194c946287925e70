import { CustomFunctionError, ErrorCode, type FunctionMetadata, type ParameterMetadata } from "./custom-functions";

/** An error of a referenced cell. */
interface CellError {
  code: string;
}

/** The content of a referenced cell or a literal; null is a blank cell. */
export type CellContent = string | number | boolean | null | CellError;

/** An argument of a formula; undefined is an omitted one. */
export type Argument = CellContent | CellContent[][] | undefined;

const BUSY_CODE = "#BUSY!";

/** Refuses a call's arguments: the function is not called, and the cell shows the code. */
export class ArgumentRefused extends Error {
  readonly code: string;

  /** @param sentence the error's text; default none, as in Excel */
  constructor(code: string, sentence = "") {
    super(sentence);
    this.code = code;
  }
}

/**
 * Converts a formula's arguments into the parameters that Excel would pass to the function.
 * @param given One entry per argument written; those left out at the end may be missing.
 * @param errorsAllowed One of functions.json's flags for errors and data types: `any` parameters receive error values.
 * @throws ArgumentRefused (#VALUE!) for a missing required argument or text that is no number; #BUSY! where a single value is still to come; (the error's code) for an error that may not be passed on.
 */
export function toParameters(
  metadata: FunctionMetadata,
  given: readonly Argument[],
  errorsAllowed: boolean,
): unknown[] {
  if (given.length > metadata.parameters.length) throw new ArgumentRefused(ErrorCode.invalidValue);
  const missing = metadata.parameters.find(({ optional }, index) => !optional && given[index] === undefined);
  if (missing) throw new ArgumentRefused(ErrorCode.invalidValue, toMissingSentence(metadata, missing));
  return metadata.parameters.map((parameter, index) => toParameter(parameter, given[index], errorsAllowed));
}

/** The text for a missing argument; Excel would refuse to enter such a formula. */
function toMissingSentence({ parameters }: FunctionMetadata, missing: ParameterMetadata): string {
  const needed = parameters.filter(({ optional }) => !optional).map(({ name }) => name);
  return `The argument ${missing.name} is missing; this formula needs ${needed.join(", ")}.`;
}

function toParameter(parameter: ParameterMetadata, argument: Argument, errorsAllowed: boolean): unknown {
  if (argument === undefined) return null;
  const only = Array.isArray(argument) ? toSingle(argument) : argument;
  // Excel calls no function while an argument's formula has no answer.
  if (isError(only) && only.code === BUSY_CODE) throw new ArgumentRefused(BUSY_CODE);
  if (parameter.dimensionality === "matrix") {
    const rows = Array.isArray(argument) ? argument : [[argument]];
    return rows.map((row) => row.map((content) => toTyped(parameter.type, content, errorsAllowed)));
  }
  if (only === undefined) throw new ArgumentRefused(ErrorCode.invalidValue);
  return toTyped(parameter.type, only, errorsAllowed);
}

const toSingle = (rows: CellContent[][]) => (rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : undefined);

const isError = (content: CellContent | undefined): content is CellError =>
  content !== null && typeof content === "object";

function toTyped(type: string | undefined, content: CellContent, errorsAllowed: boolean): unknown {
  if (isError(content)) {
    const isAny = type === undefined || type === "any";
    if (!isAny || !errorsAllowed) throw new ArgumentRefused(content.code);
    return new CustomFunctionError(content.code);
  }
  if (content === null) return toBlank(type);
  if (type === "number") return toNumber(content);
  if (type === "boolean") return toBoolean(content);
  if (type === "string") return typeof content === "boolean" ? String(content).toUpperCase() : String(content);
  return content;
}

/** A referenced blank cell, as Excel on the desktop passes it. */
function toBlank(type: string | undefined): unknown {
  if (type === "string") return "";
  return type === "boolean" ? false : 0;
}

const NUMBER_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function toNumber(content: string | number | boolean): number {
  if (typeof content !== "string") return Number(content);
  if (!NUMBER_TEXT.test(content.trim())) throw new ArgumentRefused(ErrorCode.invalidValue);
  return Number(content);
}

function toBoolean(content: string | number | boolean): boolean {
  if (typeof content !== "string") return Boolean(content);
  if (!/^(true|false)$/i.test(content)) throw new ArgumentRefused(ErrorCode.invalidValue);
  return content.toLowerCase() === "true";
}

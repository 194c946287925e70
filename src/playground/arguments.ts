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
 * Converts a formula's arguments into the parameters that Excel would pass to the function; they take any type, errors
 * among them.
 * @param given One entry per argument written; those left out at the end may be missing.
 * @throws ArgumentRefused (#VALUE!) for a missing required argument, or a range in place of a value; #BUSY! where a single
 *   value is still to come.
 */
export function toParameters(metadata: FunctionMetadata, given: readonly Argument[]): unknown[] {
  if (given.length > metadata.parameters.length) throw new ArgumentRefused(ErrorCode.invalidValue);
  const missing = metadata.parameters.find(({ optional }, index) => !optional && given[index] === undefined);
  if (missing) throw new ArgumentRefused(ErrorCode.invalidValue, toMissingSentence(metadata, missing));
  return metadata.parameters.map((parameter, index) => toParameter(parameter, given[index]));
}

/** The text for a missing argument; Excel would refuse to enter such a formula. */
function toMissingSentence({ parameters }: FunctionMetadata, missing: ParameterMetadata): string {
  const needed = parameters.filter(({ optional }) => !optional).map(({ name }) => name);
  return `The argument ${missing.name} is missing; this formula needs ${needed.join(", ")}.`;
}

function toParameter(parameter: ParameterMetadata, argument: Argument): unknown {
  if (argument === undefined) return null;
  const only = Array.isArray(argument) ? toSingle(argument) : argument;
  // Excel calls no function while an argument's formula has no answer.
  if (isError(only) && only.code === BUSY_CODE) throw new ArgumentRefused(BUSY_CODE);
  if (parameter.dimensionality === "matrix") {
    const rows = Array.isArray(argument) ? argument : [[argument]];
    return rows.map((row) => row.map(toPassed));
  }
  if (only === undefined) throw new ArgumentRefused(ErrorCode.invalidValue);
  return toPassed(only);
}

const toSingle = (rows: CellContent[][]) => (rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : undefined);

const isError = (content: CellContent | undefined): content is CellError =>
  content !== null && typeof content === "object";

/** What a parameter of any type gets: a blank cell is 0, as on the desktop. */
const toPassed = (content: CellContent): unknown =>
  isError(content) ? new CustomFunctionError(content.code) : (content ?? 0);
